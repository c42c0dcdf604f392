/**
 * Finds nodes that share a coordinate. Their forces cannot part them along that axis, so d3-force gives each pair of them a tiny random
 * push. Otherwise nodes on a line would stay there.
 *
 * A node meets only the next one on either side: the pushes of others are smaller, and all pairs of a long line would take too long. Nodes
 * in one place meet all others there.
 *
 * @module
 */

type Floats = Float32Array | Float64Array

/** Nodes in the layout of a device. */
export interface Placed {
  /** Coordinates, node by node. 0 is never negative. */
  readonly position: Floats
  /** Numbers per node in `position`. */
  readonly stride: number
  readonly strength: Floats
}

export interface Meetings {
  /** Whether a node has no place; undefined if all have one. */
  readonly ignores: ((node: number) => boolean) | undefined
  /** Whether nodes with the same numbers are in the same place. */
  atOnePlace(node: number, other: number): boolean
  /** Called for a node and another one that shares its coordinate on an axis, but not all its numbers. */
  beside(node: number, other: number, axis: number): void
  /** Called for a node and all others with its numbers in the same place: one of them, and the sum of their strengths. */
  together(node: number, other: number, strength: number): void
}

/** Bits per node: enough that few nodes share a hash by chance. */
const bitsPerNode = 32

export class SharedCoordinates {
  /** A bit for each hash of some coordinate, and for each hash of several. */
  readonly #some: Uint32Array
  readonly #several: Uint32Array
  readonly #shift: number

  constructor(count: number) {
    const bits = Math.ceil(Math.log2(bitsPerNode * Math.max(2, count)))
    this.#some = new Uint32Array(2 ** (bits - 5))
    this.#several = new Uint32Array(this.#some.length)
    this.#shift = 32 - bits
  }

  /**
   * Reports all meetings.
   *
   * @param dimension how many coordinates count
   */
  each(placed: Placed, dimension: number, meetings: Meetings): void {
    for (let axis = 0; axis < dimension; axis++)
      for (const group of this.#groups(placed, axis, meetings)) {
        const ordered = nearInTurn(group, placed, otherAxes(axis, dimension))
        for (const way of [ordered, ordered.toReversed()]) meetNeighbours(way, placed, axis, meetings)
        if (axis === 0) meetAtPlaces(ordered, placed, meetings)
      }
  }

  /** Groups the nodes that share a coordinate. */
  #groups({ position, stride }: Placed, axis: number, { ignores }: Meetings): readonly number[][] {
    const [some, several, shift] = [this.#some, this.#several, this.#shift]
    const words = new Int32Array(position.buffer, position.byteOffset, position.byteLength / 4)
    const [each, last] = position instanceof Float32Array ? [1, 0] : [2, 1]
    const hash = (at: number) => {
      const word = (words[each * at + last] as number) ^ Math.imul(last, words[each * at] as number)
      return Math.imul(word ^ (word >>> 15), 0x9e3779b1) >>> shift
    }
    some.fill(0)
    several.fill(0)
    for (let at = axis; at < position.length; at += stride) {
      const bit = hash(at)
      if (((some[bit >>> 5] as number) >>> bit) & 1) several[bit >>> 5] = (several[bit >>> 5] as number) | (1 << bit)
      else some[bit >>> 5] = (some[bit >>> 5] as number) | (1 << bit)
    }
    const groups = new Map<number, number[]>()
    for (let at = axis, node = 0; at < position.length; at += stride, node++) {
      const bit = hash(at)
      if (!(((several[bit >>> 5] as number) >>> bit) & 1) || ignores?.(node)) continue
      const value = position[at] as number
      if (!groups.get(value)?.push(node)) groups.set(value, [node])
    }
    return [...groups.values()].filter(({ length }) => length > 1)
  }
}

const otherAxes = (axis: number, dimension: number) => [0, 1, 2].filter((other) => other !== axis && other < dimension)

/** Sorts nodes so that consecutive ones are near: along a line, or in a plane along strips. */
function nearInTurn(
  nodes: readonly number[],
  { position, stride }: Placed,
  [first = 0, second]: readonly number[],
): number[] {
  const along = (axis: number) => (node: number) => position[stride * node + axis] as number
  const x = along(first)
  if (second === undefined) return nodes.toSorted((a, b) => x(a) - x(b))
  const y = along(second)
  const [left, right] = nodes.reduce(
    ([least, most], node) => [Math.min(least, x(node)), Math.max(most, x(node))],
    [Infinity, -Infinity],
  )
  const width = (right - left) / Math.sqrt(nodes.length) || 1
  const strip = (node: number) => Math.floor((x(node) - left) / width)
  return nodes.toSorted((a, b) => strip(a) - strip(b) || y(a) - y(b) || x(a) - x(b))
}

/** Each node meets the previous one that has a strength. */
function meetNeighbours(nodes: readonly number[], placed: Placed, axis: number, { beside }: Meetings): void {
  let before: number | undefined
  for (const node of nodes) {
    if (before !== undefined && !haveSameNumbers(node, before, placed)) beside(node, before, axis)
    if (placed.strength[node] !== 0) before = node
  }
}

/** Nodes with the same numbers meet each other. Nodes in one place meet as a whole, as in d3's tree. */
function meetAtPlaces(nodes: readonly number[], placed: Placed, { atOnePlace, together }: Meetings): void {
  const strengthOf = (node: number) => placed.strength[node] as number
  for (let first = 0, end = 1; first < nodes.length; first = end++) {
    while (end < nodes.length && haveSameNumbers(nodes[first] as number, nodes[end] as number, placed)) end++
    if (end - first === 1) continue
    const places: { readonly one: number; strength: number }[] = []
    const placeOf = (node: number) => {
      const known = places.find(({ one }) => atOnePlace(node, one))
      const place = known ?? { one: node, strength: 0 }
      if (!known) places.push(place)
      return place
    }
    const members = nodes.slice(first, end).map((node) => ({ node, own: placeOf(node) }))
    for (const { node, own } of members) own.strength += strengthOf(node)
    for (const { node, own } of members)
      for (const place of places) {
        const strength = place.strength - (place === own ? strengthOf(node) : 0)
        if (strength !== 0) together(node, place.one, strength)
      }
  }
}

function haveSameNumbers(node: number, other: number, { position, stride }: Placed): boolean {
  for (let axis = 0; axis < stride; axis++)
    if (position[stride * node + axis] !== position[stride * other + axis]) return false
  return true
}
