/**
 * Counts pairs by their distance, in float64 and in one pass. Points are sorted into cells that are wider than the farthest
 * distance, so that each point meets only the points of its own cell and of the cells around it.
 *
 * @module
 */

import type { FloatArray } from '../../ground/checks.ts'
import { turnBack } from '../../problem/loaded-at-once.ts'
import type { Back } from '../../problem/workloads/cell.ts'
import { YieldTimer } from '../../truth/reference/yield-timer.ts'

/** Positions of both sets, and the bins, which start at 0. */
export interface Distances {
  /** Whether the points of one set meet each other. */
  readonly sameSet: boolean
  readonly targets: FloatArray
  readonly sources: FloatArray
  readonly dimension: number
  /** The lengths of the right-angled periodic box; 0 or none along an axis that does not repeat. */
  readonly lengths: readonly number[]
  /** Turns displacements to those in a triclinic box, where points are at least as far apart. */
  readonly back: Back | undefined
  readonly bins: number
  readonly width: number
}

/**
 * A bin contains its lower edge, not its upper one. Crystals have distances at the edges, and rounding would move some of them below:
 * a distance that is less by one part in 10^12 is at the edge.
 */
const atEdge = 1 + 2 ** -40

/** How many pairs there are in each bin. Within one set, each pair counts once. */
export async function countDistances(distances: Distances): Promise<Float64Array> {
  const { targets, sameSet, dimension, bins } = distances
  const count = new Float64Array(bins)
  const cells = new Cells(distances)
  const countFrom = counterInto(count, cells.sorted, distances)
  const timer = new YieldTimer()
  for (let n = 0; n * dimension < targets.length; n++) {
    if (timer.due()) await timer.pause()
    // In one set, a point meets the points that are sorted behind it.
    const i = sameSet ? (cells.order[n] as number) : n
    cells.eachAround(i, (first, end) => countFrom(i * dimension, sameSet ? Math.max(first, n + 1) : first, end))
  }
  return count
}

/** Adds the pairs of a target, which begins at a number of its array, and a range of sorted sources. */
function counterInto(
  count: Float64Array,
  sources: FloatArray,
  { targets, dimension, lengths, back, bins, width }: Distances,
) {
  const [lengthX = 0, lengthY = 0, lengthZ = 0] = lengths
  const d = new Float64Array(3)
  const turned = (...along: readonly number[]) => {
    d.set(along)
    return turnBack(back as Back, d, dimension)
  }
  // Beyond this square of a distance, there is no bin.
  const most = (bins * width) ** 2
  return (at: number, first: number, end: number): void => {
    const [x, y, z] = [targets[at] as number, targets[at + 1] as number, targets[at + 2] as number]
    for (let from = first * dimension; from < end * dimension; from += dimension) {
      const dx = nearest((sources[from] as number) - x, lengthX)
      const dy = dimension >= 2 ? nearest((sources[from + 1] as number) - y, lengthY) : 0
      const dz = dimension === 3 ? nearest((sources[from + 2] as number) - z, lengthZ) : 0
      const r2 = back ? turned(dx, dy, dz) : dx * dx + dy * dy + dz * dz
      if (r2 > most) continue
      const bin = binOf(r2, width)
      if (bin < bins) count[bin] = (count[bin] as number) + 1
    }
  }
}

/** The bin of a target and a source. It may be beyond the last one. */
export function binOfPair(
  i: number,
  j: number,
  { targets, sources, dimension, lengths, back, width }: Distances,
): number {
  const d = Float64Array.from({ length: dimension }, (_, axis) => {
    const direct = (sources[j * dimension + axis] as number) - (targets[i * dimension + axis] as number)
    return nearest(direct, lengths[axis] ?? 0)
  })
  return binOf(back ? turnBack(back, d, dimension) : d.reduce((r2, along) => r2 + along * along, 0), width)
}

/** The displacement to the nearest image. */
function nearest(direct: number, length: number): number {
  return length === 0 || Math.abs(direct) <= length / 2 ? direct : direct - length * Math.round(direct / length)
}

const binOf = (r2: number, width: number) => Math.floor((Math.sqrt(r2) / width) * atEdge)

/** A cell is wider than the farthest distance by this, far more than rounding can move a point. */
const spare = 1.001

/** The sources, sorted by cell. */
class Cells {
  /** Sources of the first cell, of the second, and so on. */
  readonly order: Uint32Array
  /** Their positions. */
  readonly sorted: FloatArray
  readonly #distances: Distances
  readonly #counts: readonly number[]
  readonly #least: readonly number[]
  readonly #sizes: readonly number[]
  /** Where the sources of each cell begin in `order`, and where the last ones end. */
  readonly #starts: Uint32Array

  constructor(distances: Distances) {
    const { sources, dimension, lengths, bins, width } = distances
    const count = sources.length / dimension
    const ranges = Array.from({ length: dimension }, (_, axis) => {
      const length = lengths[axis] ?? 0
      return length > 0 ? ([0, length] as const) : rangeOf(sources, axis, dimension)
    })
    const least = ranges.map(([low]) => low)
    const extents = ranges.map(([low, high]) => high - low)
    // More cells than points help nobody.
    const most = Math.max(1, Math.floor(count ** (1 / dimension)))
    this.#distances = distances
    this.#least = least
    const reach = bins * width * spare
    this.#counts = extents.map((extent) => Math.max(1, Math.min(most, Math.floor(extent / reach))))
    this.#sizes = extents.map((extent, axis) => extent / (this.#counts[axis] as number))
    const cellOf = Uint32Array.from({ length: count }, (_, j) => {
      return this.#index(this.#placeOf(sources, j).map((at, axis) => this.#within(at, axis)))
    })
    this.#starts = new Uint32Array(this.#counts.reduce((product, along) => product * along, 1) + 1)
    for (const cell of cellOf) this.#starts[cell + 1] = (this.#starts[cell + 1] as number) + 1
    for (let cell = 1; cell < this.#starts.length; cell++)
      this.#starts[cell] = (this.#starts[cell] as number) + (this.#starts[cell - 1] as number)
    const next = this.#starts.slice()
    this.order = new Uint32Array(count)
    for (const [j, cell] of cellOf.entries()) {
      this.order[next[cell] as number] = j
      next[cell] = (next[cell] as number) + 1
    }
    this.sorted = sources.map((_, n) => {
      const j = this.order[Math.floor(n / dimension)] as number
      return sources[j * dimension + (n % dimension)] as number
    })
  }

  /** Calls with the range of `order` of each cell that a target may have neighbours in. */
  eachAround(i: number, visit: (first: number, end: number) => void): void {
    const place = this.#placeOf(this.#distances.targets, i)
    const around = place.map((at, axis) => this.#near(at, axis))
    for (const x of around[0] ?? [])
      for (const y of around[1] ?? [0])
        for (const z of around[2] ?? [0]) {
          const cell = this.#index([x, y, z])
          visit(this.#starts[cell] as number, this.#starts[cell + 1] as number)
        }
  }

  /** The cells along an axis that are near one, each once. */
  #near(at: number, axis: number): readonly number[] {
    const count = this.#counts[axis] as number
    const all = [at - 1, at, at + 1]
    if (!this.#repeats(axis)) return all.filter((cell) => cell >= 0 && cell < count)
    return [...new Set(all.map((cell) => (cell + count) % count))]
  }

  #repeats(axis: number): boolean {
    return (this.#distances.lengths[axis] ?? 0) > 0
  }

  /** The cell of a point along each axis. In open space, a target may be outside of all cells. */
  #placeOf(points: FloatArray, n: number): readonly number[] {
    const { dimension, lengths } = this.#distances
    return this.#sizes.map((size, axis) => {
      const x = (points[n * dimension + axis] as number) - (this.#least[axis] as number)
      const length = lengths[axis] ?? 0
      if (this.#repeats(axis)) return this.#within(Math.floor((x - length * Math.floor(x / length)) / size), axis)
      return size === 0 ? 0 : Math.floor(x / size)
    })
  }

  /** Rounding may put a point at the edge of all cells beyond them. */
  #within(at: number, axis: number): number {
    return Math.max(0, Math.min((this.#counts[axis] as number) - 1, at))
  }

  #index(place: readonly number[]): number {
    const [x = 0, y = 0, z = 0] = place
    const [width = 1, height = 1] = this.#counts
    return x + width * (y + height * z)
  }
}

function rangeOf(points: FloatArray, axis: number, dimension: number): readonly [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let n = axis; n < points.length; n += dimension) {
    low = Math.min(low, points[n] as number)
    high = Math.max(high, points[n] as number)
  }
  return points.length === 0 ? [0, 0] : [low, high]
}
