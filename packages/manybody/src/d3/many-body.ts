/**
 * `forceManyBody` for d3-force and d3-force-3d: the same force with the same methods. A tree computes it in WebAssembly on all threads,
 * with a tolerance in place of an opening angle. This is the entry `manybody/d3`.
 *
 * d3 calls a force within a tick and cannot wait for it, so everything happens within the call.
 *
 * @module
 */
import { type DeviceAtOnce, openAtOnce } from '@manybody/backend-cpu-wasm/at-once'
import { onlyNamed, unexpected, whole } from '@manybody/core/backend'
import { type ChargeReport, Charges } from './charges.ts'
import { axes, type Dimensions, isPlaced, type Moving, placeNodes, push, pushApart, requireNodes } from './nodes.ts'
import { dimensionsOf, finiteOf, numberOf, thetaOf, toleranceAt, toleranceOf } from './options.ts'
import { SharedCoordinates } from './shared-coordinates.ts'

export type { ChargeReport } from './charges.ts'

/** The fields of a node that the force reads and writes. d3 sets all of them. */
export interface ChargedNode {
  index?: number | undefined
  x?: number | undefined
  y?: number | undefined
  z?: number | undefined
  vx?: number | undefined
  vy?: number | undefined
  vz?: number | undefined
}

/** The strength of each node: positive values attract, negative values repel. */
export type Strength<N> = (node: N, index: number, nodes: N[]) => number

export interface ManyBodyOptions {
  /**
   * The error of 99 % of the nodes, relative to the sum of the sizes of a node's terms. The default of 0.01 is the error of d3 at its
   * `theta` of 0.9. At 0, all pairs are computed in float64, as with d3's `theta` of 0; otherwise float32 is used.
   */
  readonly tolerance?: number
  /** By default, as many as the processor has. A page needs cross-origin isolation for more than one. */
  readonly threads?: number
}

/** As `ForceManyBody` of d3-force: without an argument, a method returns the setting; with one, it changes the setting. */
export interface ForceManyBody<N extends ChargedNode = ChargedNode> {
  (alpha: number): void
  /** The dimensions are 1, 2 or 3, by default 2. */
  initialize(nodes: N[], random?: () => number, dimensions?: number): void
  strength(): Strength<N>
  strength(strength: number | Strength<N>): this
  distanceMin(): number
  distanceMin(distance: number): this
  distanceMax(): number
  /** Nodes at this distance, or farther apart, do not meet. Within a finite distance, sums are exact, in float64. */
  distanceMax(distance: number): this
  theta(): number
  /** Sets the tolerance to the error that d3 has at this opening angle. */
  theta(theta: number): this
  tolerance(): number
  tolerance(tolerance: number): this
  /** The method, precision and measured error of the latest call; undefined before the first. */
  report(): ChargeReport | undefined
  /** Frees memory, and ends the workers if nothing else uses them. A later call starts again. */
  dispose(): void
}

/**
 * Makes the force. It can replace d3's force without any other change.
 *
 * @example
 * forceSimulation(nodes).force('charge', forceManyBody().strength(-30)).force('link', forceLink(links))
 * @throws TypeError, RangeError
 */
export function forceManyBody<N extends ChargedNode = ChargedNode>(options: ManyBodyOptions = {}): ForceManyBody<N> {
  const { tolerance: asked = 1e-2, threads } = onlyNamed(options, 'option of forceManyBody', ['tolerance', 'threads'], {
    threads: (value, name) => whole(value, name, 1),
  })
  let tolerance = toleranceOf(asked)
  let strength: Strength<N> = () => -30
  let [distanceMin, distanceMax] = [1, Number.POSITIVE_INFINITY]
  let nodes: N[] = []
  let dimensions: Dimensions = 2
  let random: () => number = Math.random
  let strengths = new Float64Array(0)
  let device: DeviceAtOnce | undefined
  let charges: Charges | undefined
  let shared = new SharedCoordinates(0)

  /** Drops the data that depends on the nodes or on a setting. */
  const renew = () => {
    charges?.dispose()
    charges = undefined
  }
  const readStrengths = () => {
    renew()
    shared = new SharedCoordinates(nodes.length)
    strengths = Float64Array.from(nodes, (node, n) => finiteOf(strength(node, n, nodes), () => `strength of node ${n}`))
  }
  const chargesOf = (count: number): Charges => {
    // In float32, rounding would decide which nodes are at the largest distance.
    const precision = tolerance === 0 || Number.isFinite(distanceMax) ? 'f64' : 'f32'
    if (device?.info.precision !== precision) {
      device?.dispose()
      device = openAtOnce({ threads, precision })
    }
    return new Charges(device, count, { dimensions, distanceMin, distanceMax, tolerance })
  }

  const force = (alpha: number): void => {
    if (typeof alpha !== 'number') throw unexpected('alpha', 'number', alpha)
    if (nodes.length !== strengths.length) readStrengths()
    if (nodes.length < 2) return
    charges ??= chargesOf(nodes.length)
    const { arrays, stride } = charges
    const moving = nodes as unknown as Moving[]
    const someWithout = placeNodes(moving, dimensions, strengths, arrays)
    charges.compute()
    push(moving, dimensions, charges.force, alpha)
    const options = { dimensions, distanceMin, distanceMax, random }
    const apart = (node: number, other: number, share: number, axis?: number) =>
      pushApart(moving[node] as Moving, moving[other] as Moving, share, { ...options, axis })
    shared.each({ ...arrays, stride }, dimensions, {
      ignores: someWithout ? (node) => !isPlaced(moving[node] as Moving, dimensions) : undefined,
      atOnePlace: (node, other) =>
        axes.slice(0, dimensions).every((axis) => moving[node]?.[axis] === moving[other]?.[axis]),
      beside: (node, other, axis) => apart(node, other, alpha * (strengths[other] as number), axis),
      together: (node, other, strength) => apart(node, other, alpha * strength),
    })
  }

  const methods = {
    initialize(given: N[], source: () => number = Math.random, dimension?: number): void {
      requireNodes(given)
      if (typeof source !== 'function') throw unexpected('random', 'a function', source)
      dimensions = dimensionsOf(dimension)
      nodes = given
      random = () => numberOf(source(), () => 'random()')
      readStrengths()
    },
    strength(value?: number | Strength<N>) {
      if (value === undefined) return strength
      const constant = typeof value === 'function' ? undefined : finiteOf(value, () => 'strength')
      strength = typeof value === 'function' ? value : () => constant as number
      readStrengths()
      return force
    },
    distanceMin(value?: number) {
      if (value === undefined) return distanceMin
      distanceMin = Math.abs(finiteOf(value, () => 'distanceMin'))
      renew()
      return force
    },
    distanceMax(value?: number) {
      if (value === undefined) return distanceMax
      const farthest = Math.abs(numberOf(value, () => 'distanceMax'))
      if (!(farthest > 0)) throw new RangeError(`"distanceMax" expected a number above 0, got ${value}`)
      distanceMax = farthest
      renew()
      return force
    },
    theta(value?: number) {
      if (value === undefined) return thetaOf(tolerance)
      tolerance = toleranceAt(value)
      renew()
      return force
    },
    tolerance(value?: number) {
      if (value === undefined) return tolerance
      tolerance = toleranceOf(value)
      renew()
      return force
    },
    report: () => charges?.report,
    dispose(): void {
      renew()
      device?.dispose()
      device = undefined
    },
  }
  return Object.assign(force, methods) as unknown as ForceManyBody<N>
}
