/**
 * Sums in cells that are smaller than two cutoffs, where a source acts through several of its images, and a point meets its own.
 *
 * The run gets a box of several cells, so that half of it holds the cutoff, and every source once in each of these cells. There the
 * nearest image of each copy is the only one within the cutoff. So every loop of every backend computes such cells as it is.
 *
 * @module
 */
import { boxesIn, copiesIn, Remembered } from '../loaded-at-once.ts'
import type { Bound } from './bind.ts'
import type { Boundary } from './domain.ts'
import type { ArrayResults, PairWorkload, Shape } from './workload.ts'

/** A workload with its shape in a box of several cells. */
interface Copied {
  readonly workload: PairWorkload
  readonly shape: Shape
  /** How many copies of each source there are. The copies of a source follow each other. */
  readonly count: number
}

const known = new Remembered<PairWorkload, PairWorkload>()

/** The workload in a box of several cells. */
export function copiedCell(workload: PairWorkload, shape: Shape): Copied {
  const { domain } = workload
  const copies = copiesIn(domain) ?? []
  const own = shape.sameSet && domain.self === 'exclude' ? shape.targets : 0
  const count = copies.reduce((product, along) => product * along, 1)
  const inCells = () => {
    return Object.freeze({
      ...workload,
      domain: Object.freeze({
        ...domain,
        boundary: repeated(domain.boundary, copies),
        self: 'include' as const,
        // A point does not meet itself, but its images.
        exclusions: Array.from({ length: own }, (_, i) => [i, i * count] as const),
      }),
    })
  }
  return {
    workload: known.of(workload, inCells, `${own}`),
    shape: { ...shape, sources: count * shape.sources, sameSet: false },
    count,
  }
}

/** The box of so many cells along each vector. */
function repeated(boundary: Boundary, copies: readonly number[]): Boundary {
  if (boundary.kind === 'open') return boundary
  const [, alongB = 1, alongC = 1] = copies
  const of = [alongB, alongC, alongC]
  return {
    ...boundary,
    lengths: boundary.lengths.map((length, axis) => length && length * (copies[axis] as number)),
    ...(boundary.tilts && { tilts: boundary.tilts.map((tilt, n) => tilt * (of[n] as number)) }),
  }
}

/**
 * The run in a box of several cells, and the change of its results to those of the wanted run. Arrays of results are changed in place.
 *
 * @throws TypeError, RangeError for runs with ranges, or points that are not on the host
 */
export function copiedRun({ workload: given, shape: wanted, bindings }: Bound & { readonly workload: PairWorkload }): {
  readonly bound: Bound
  readonly finish: (results: Record<string, unknown>) => void
} {
  if (bindings.ranges)
    throw new TypeError(
      '"ranges" expected nothing with a cutoff beyond half the box, because sources have several images',
    )
  const { workload, shape, count } = copiedCell(given, wanted)
  const parameters = inCells(given, bindings.parameters)
  const lengths = boxesIn(bindings.parameters)
  const shifts = cellsOf(given).map((cell) => cell.map((n, axis) => n * (lengths[axis] || 0)))
  const arrays = Object.entries(bindings.sources.arrays).map(([name, array]) => {
    if (!ArrayBuffer.isView(array))
      throw new TypeError(`"${name}" expected numbers on the host with a cutoff beyond half the box, got a buffer`)
    const width = array.length / Math.max(1, wanted.sources)
    const copied = new Float64Array(count * array.length)
    for (let at = 0; at < copied.length; at++) {
      const [copy, component] = [Math.floor(at / width), at % width]
      const number = array[Math.floor(copy / count) * width + component] as number
      copied[at] = name === 'position' ? number + (shifts[copy % count]?.[component] as number) : number
    }
    return [name, array instanceof Float64Array || name === 'position' ? copied : new Float32Array(copied)]
  })
  const sources = { ...bindings.sources, count: shape.sources, arrays: Object.fromEntries(arrays) }
  const own = workload.domain.exclusions.length
  const exclusions = own > 0 && {
    offsets: Uint32Array.from({ length: own + 1 }, (_, i) => i),
    sources: Uint32Array.from({ length: own }, (_, i) => i * count),
  }
  const bound = { workload, shape, bindings: { ...bindings, sources, parameters, ...(exclusions && { exclusions }) } }
  return { bound, finish: (results) => finished(results, given, wanted.sameSet, count) }
}

/** The parameters of a run in one cell, in the box of several. */
export function inCells(
  { domain }: PairWorkload,
  parameters: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const copies = copiesIn(domain) ?? []
  const boxes = boxesIn(parameters).map((length, axis) => [`box${'XYZ'[axis]}`, (copies[axis] ?? 1) * length] as const)
  return { ...parameters, ...Object.fromEntries(boxes.filter(([, length]) => length > 0)) }
}

/** The cell of each copy of a source, as how many cells it is from the first one along each axis. */
export const cellsOf = ({ domain }: PairWorkload): readonly (readonly number[])[] =>
  (copiesIn(domain) ?? []).reduce<readonly (readonly number[])[]>(
    (cells, along) => cells.flatMap((cell) => Array.from({ length: along }, (_, n) => [...cell, n])),
    [[]],
  )

function finished(results: Record<string, unknown>, workload: PairWorkload, sameSet: boolean, count: number): void {
  const { index } = results as ArrayResults
  // The copies of a source have consecutive numbers. A missing source stays -1.
  if (index) for (const [n, copy] of index.entries()) index[n] = Math.floor(copy / count)
  // Within one set, both points of a pair have met the other's images.
  if (workload.total && sameSet) for (const name of workload.results) results[name] = (results[name] as number) / 2
}
