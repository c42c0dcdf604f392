/**
 * The histogram of the distances between points, and the radial distribution function that follows from it.
 *
 * @module
 */
import { onlyNamed, positive, unexpected, whole } from '../../checks.ts'
import { pairTerm } from '../../interactions/define.ts'
import type { Precision } from '../../precision.ts'
import { taken } from '../../taken.ts'
import { bind } from '../../workloads/bind.ts'
import { type Boundary, type DomainOptions, domainOf } from '../../workloads/domain.ts'
import { sum } from '../../workloads/pair.ts'
import type { Particles } from '../../workloads/particles.ts'
import type { Engine } from '../engine.ts'

export interface RadialDistributionOptions {
  /** How many bins there are. */
  readonly bins: number
  /** Where the last one ends; by default half the shortest side of the box. */
  readonly farthest?: number
  readonly boundary?: Boundary
  readonly exclusions?: DomainOptions['exclusions']
  /** The volume (in 2-D, the area) that the points fill; by default that of the box. */
  readonly volume?: number
}

export interface RadialDistribution {
  /** The middle of each bin. */
  readonly r: Float64Array
  /** How many pairs are in each bin. Within one set, each pair counts once. */
  readonly count: Float64Array
  /** That number by the one of as many points without any order: 1 at large distances in a fluid. */
  readonly g: Float64Array
}

/** Bins that one pass over the pairs counts. With 8, the compiler of a software GPU needs minutes. */
const together = 4
const names = Array.from({ length: together }, (_, n) => `bin${n}`)
const counts = pairTerm(
  Object.fromEntries(names.map((name, n) => [name, `select(abs(floor((r - first)/width) - ${n}) < 0.5, 1, 0)`])),
  { name: 'counts by distance', parameters: { first: 0, width: 1 } },
)

/**
 * Counts the pairs of points by their distance, and compares with points without order. Counts are exact; a distance within rounding
 * of the edge of a bin may count in either. Give targets and sources for the distribution of one kind around another.
 *
 * @throws TypeError, RangeError
 */
export async function radialDistribution(
  engine: Engine<Precision>,
  given: Particles,
  options: RadialDistributionOptions,
): Promise<RadialDistribution> {
  // Every pass takes the numbers of the call.
  const particles = taken(given)
  const known = ['bins', 'farthest', 'boundary', 'exclusions', 'volume']
  const { bins, exclusions, ...range } = onlyNamed(options, 'option of radialDistribution', known)
  whole(bins, 'bins', 1)
  const { boundary } = domainOf({ ...(range.boundary && { boundary: range.boundary }) })
  const sides = boundary.kind === 'periodic' ? boundary.lengths : undefined
  const half = sides && Math.min(...sides) / 2
  const farthest = positive(range.farthest ?? half, 'farthest')
  if (half !== undefined && farthest > half)
    throw new RangeError(`"farthest" expected at most ${half}, half the shortest side of the box, got ${farthest}`)
  const volume = range.volume ?? sides?.reduce((product, side) => product * side, 1)
  if (volume === undefined) throw unexpected('volume', 'a number, because there is no periodic box', volume)
  positive(volume, 'volume')
  const width = farthest / bins
  const passes = Array.from({ length: Math.ceil(bins / together) }, (_, pass) => {
    const first = pass * together
    const domain = { boundary, cutoff: Math.min(first + together, bins) * width, ...(exclusions && { exclusions }) }
    return { first, workload: sum(counts({ first: first * width, width }), domain) }
  })
  const { shape } = bind((passes[0] as (typeof passes)[number]).workload, particles)
  // In one set, both points of a pair count it.
  const share = shape.sameSet ? 0.5 : 1
  const count = new Float64Array(bins)
  for (const { first, workload } of passes) {
    const { value } = await engine.run(workload, particles)
    for (const [n, counted] of value.entries()) {
      const bin = first + (n % together)
      if (bin < bins) count[bin] = (count[bin] as number) + share * counted
    }
  }
  const pairs = share * shape.targets * (shape.sources - (shape.sameSet ? 1 : 0))
  const content = (radius: number) => (shape.dimension === 2 ? Math.PI * radius ** 2 : (4 / 3) * Math.PI * radius ** 3)
  const expected = (bin: number) => (pairs * (content((bin + 1) * width) - content(bin * width))) / volume
  return {
    r: count.map((_, bin) => (bin + 0.5) * width),
    count,
    g: count.map((counted, bin) => (pairs > 0 ? counted / expected(bin) : 0)),
  }
}
