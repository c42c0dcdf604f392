/**
 * Reads the positions of nodes, and changes their velocities, in 1 to 3 dimensions.
 *
 * @module
 */

import { describe, unexpected } from '@manybody/core/backend'

/** How many coordinates of a node count. */
export type Dimensions = 1 | 2 | 3

/** A node as d3 has prepared it before it calls a force. In one dimension y and z do not count, in two dimensions z does not. */
export interface Moving {
  readonly x: number
  readonly y: number
  readonly z: number
  vx: number
  vy: number
  vz: number
}

/** Arrays of a device. They hold at least two coordinates of each node. */
export interface DeviceArrays {
  readonly position: Float32Array | Float64Array
  readonly strength: Float32Array | Float64Array
}

const notFinite =
  '"forces" expected finite numbers, got an overflow: a strength or a distance is too large; with tolerance(0), they may be larger'

export const axes = ['x', 'y', 'z'] as const
const speeds = ['vx', 'vy', 'vz'] as const

/** @throws TypeError for anything but an array of objects. Coordinates and velocities must be numbers, or missing */
export function requireNodes(nodes: readonly unknown[]): void {
  if (!Array.isArray(nodes)) throw unexpected('nodes', 'an array of nodes', nodes)
  for (const [n, node] of nodes.entries()) {
    if (typeof node !== 'object' || node === null) throw unexpected(`nodes[${n}]`, 'an object such as { x, y }', node)
    for (const name of [...axes, ...speeds]) {
      const value: unknown = (node as Moving)[name]
      if (typeof value === 'bigint' || typeof value === 'symbol' || (typeof value === 'object' && value !== null))
        throw unexpected(`nodes[${n}].${name}`, 'number', value)
    }
  }
}

/**
 * Writes coordinates. In float32 they are relative to the middle of the nodes, so that float32 resolves them wherever they are. A node at
 * NaN gets no strength, because d3 ignores it.
 *
 * @returns whether there is such a node
 * @throws RangeError if a node is infinitely far away
 */
export function placeNodes(
  nodes: readonly Moving[],
  dimensions: Dimensions,
  strengths: Float64Array,
  { position, strength }: DeviceArrays,
): boolean {
  const flat = dimensions < 2
  const deep = dimensions > 2
  const [middleX, middleY, middleZ] = position instanceof Float32Array ? middleOf(nodes) : [0, 0, 0]
  let [at, some] = [0, false]
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n] as Moving
    const placed = isPlaced(node, dimensions)
    if (!placed) {
      some = true
      requireFinite(node, dimensions, n)
    }
    strength[n] = placed ? (strengths[n] as number) : 0
    // Adding 0 turns -0 into 0.
    position[at++] = placed ? node.x - middleX + 0 : 0
    position[at++] = placed && !flat ? node.y - middleY + 0 : 0
    if (deep) position[at++] = placed ? node.z - middleZ + 0 : 0
  }
  return some
}

/** The middle between the least and the largest coordinates. */
function middleOf(nodes: readonly Moving[]): readonly [number, number, number] {
  let [left, right, top, bottom, front, back] = [Infinity, -Infinity, Infinity, -Infinity, Infinity, -Infinity]
  for (const { x, y, z } of nodes) {
    if (x < left) left = x
    if (x > right) right = x
    if (y < top) top = y
    if (y > bottom) bottom = y
    if (z < front) front = z
    if (z > back) back = z
  }
  return [(left + right) / 2, (top + bottom) / 2, (front + back) / 2]
}

/** Whether all coordinates that count are numbers. */
export const isPlaced = ({ x, y, z }: Moving, dimensions: Dimensions): boolean =>
  Number.isFinite(x) && (dimensions < 2 || Number.isFinite(y)) && (dimensions < 3 || Number.isFinite(z))

/** @throws RangeError if a coordinate is neither a finite number nor NaN */
function requireFinite(node: Moving, dimensions: Dimensions, n: number): void {
  const axis = axes.slice(0, dimensions).find((name) => !(Number.isFinite(node[name]) || Number.isNaN(node[name])))
  if (!axis) return
  const remedy = node[axis] === undefined ? '; simulation.nodes(nodes) places new nodes' : ''
  throw new RangeError(`"${axis}" of node ${n} expected a finite number, got ${describe(node[axis])}${remedy}`)
}

/**
 * Adds the forces to the velocities of the nodes that have a place. `force` has as many numbers per node as a device's positions.
 *
 * @throws RangeError if a force is not finite
 */
export function push(
  nodes: readonly Moving[],
  dimensions: Dimensions,
  force: Float32Array | Float64Array,
  alpha: number,
): void {
  const flat = dimensions < 2
  const deep = dimensions > 2
  let zero = 0
  for (let n = 0; n < force.length; n++) zero += 0 * (force[n] as number)
  if (zero !== 0) throw new RangeError(notFinite)
  let at = 0
  for (const node of nodes) {
    const [x, y] = [force[at++] as number, force[at++] as number]
    const z = deep ? (force[at++] as number) : 0
    if (!isPlaced(node, dimensions)) continue
    node.vx += alpha * x
    if (!flat) node.vy += alpha * y
    if (deep) node.vz += alpha * z
  }
}

/**
 * Pushes a node away from another one as d3 does, along one axis or all axes, by their true coordinates. Where two coordinates agree, the
 * direction is random.
 *
 * @param share the strength of the other node, times alpha
 */
export function pushApart(
  node: Moving,
  other: Moving,
  share: number,
  { dimensions, axis, distanceMin, distanceMax, random }: PushOptions,
): void {
  const apart = axes.slice(0, dimensions).map((name) => other[name] - node[name])
  if (apart.reduce((sum, d) => sum + d * d, 0) >= distanceMax * distanceMax) return
  const moved = apart.map((d) => d || (random() - 0.5) * 1e-6)
  const r2 = moved.reduce((sum, d) => sum + d * d, 0)
  const w = share / Math.max(r2, distanceMin * Math.sqrt(r2))
  for (const [n, speed] of speeds.slice(0, dimensions).entries())
    if (axis === undefined || axis === n) node[speed] += (moved[n] ?? 0) * w
}

export interface PushOptions {
  readonly dimensions: Dimensions
  /** The axis of the push; all axes if undefined. */
  readonly axis: number | undefined
  readonly distanceMin: number
  readonly distanceMax: number
  readonly random: () => number
}
