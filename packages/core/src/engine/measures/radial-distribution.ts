/**
 * The histogram of the distances between points, and the radial distribution function that follows from it.
 *
 * @module
 */
import type { Exclusions, PointSet } from '../../ground/arrays/bindings.ts'
import { type FloatArray, onlyNamed, positive, unexpected, whole } from '../../ground/checks.ts'
import { deepCopy } from '../../ground/deep-copy.ts'
import type { Precision } from '../../ground/precision.ts'
import { pairTerm } from '../../problem/interactions/define.ts'
import { bind } from '../../problem/workloads/bind-given.ts'
import { backIn } from '../../problem/workloads/cell.ts'
import { domainOf, optionsOf } from '../../problem/workloads/define-domain.ts'
import { type Boundary, type DomainOptions, halfOf, isTilted, sidesOf } from '../../problem/workloads/domain.ts'
import { withBuffersRead } from '../../problem/workloads/numbers/gpu-buffers.ts'
import { sum } from '../../problem/workloads/pair.ts'
import { boxesIn } from '../../problem/workloads/parameters.ts'
import type { Particles } from '../../problem/workloads/particles.ts'
import type { Engine } from '../engine.ts'
import type { Distances } from './count-distances.ts'
import { requireEngine } from './require-engine.ts'

export interface RadialDistributionOptions {
  /** The number of bins. */
  readonly bins: number
  /** The end of the last bin; by default half the shortest side of the box. */
  readonly farthest?: number
  readonly boundary?: Boundary
  readonly exclusions?: DomainOptions['exclusions']
  /** The volume (in 2-D, the area; in 1-D, the length) that the points fill; by default the volume of the box. */
  readonly volume?: number
}

export interface RadialDistribution {
  /** The middle of each bin. */
  readonly r: Float64Array
  /** How many pairs are in each bin. Within one set, each pair counts once. */
  readonly count: Float64Array
  /** The count divided by the expected count of as many points placed at random: 1 at large distances in a fluid. */
  readonly g: Float64Array
}

/** More would take memory that a page lacks. */
const mostBins = 2 ** 24

/** A term that stands for the counts, so that `bind` checks points and exclusions. */
const counted = pairTerm('1', { name: 'counts by distance' })

/**
 * Counts the pairs of points by their distance, and compares with points without order. Give targets and sources for the
 * distribution of one kind around another.
 *
 * Each pair counts in exactly one bin, which contains its lower edge and not its upper one. Distances are computed in float64 from the
 * given numbers, whatever the precision of the device, so every engine gives the same counts. The caller's thread counts: a device
 * would need a pass for every few bins, and would round distances at the edges to either side.
 *
 * @throws TypeError, RangeError
 */
export async function radialDistribution(
  engine: Engine<Precision>,
  particles: Particles,
  options: RadialDistributionOptions,
): Promise<RadialDistribution> {
  requireEngine(engine)
  const given = await withBuffersRead(deepCopy(particles), engine.device)
  const known = ['bins', 'farthest', 'boundary', 'exclusions', 'volume']
  const { bins, exclusions, ...range } = onlyNamed(options, 'option of radialDistribution', known)
  if (whole(bins, 'bins', 1) > mostBins) throw new RangeError(`"bins" expected at most ${mostBins}, got ${bins}`)
  const domain = domainOf({ ...(range.boundary && { boundary: range.boundary }), ...(exclusions && { exclusions }) })
  const sides = domain.boundary.kind === 'periodic' ? sidesOf(domain.boundary) : undefined
  const half = sides && halfOf(domain.boundary)
  const farthest = positive(range.farthest ?? half, 'farthest')
  if (half !== undefined && farthest > half)
    throw new RangeError(
      `"farthest" expected at most ${half}, half the shortest ${isTilted(domain.boundary) ? 'distance between opposite faces' : 'side'} of the box, got ${farthest}`,
    )
  const box = sides?.reduce((product, side) => product * side, 1)
  const volume = range.volume ?? (box === Number.POSITIVE_INFINITY ? undefined : box)
  if (volume === undefined)
    throw unexpected(
      'volume',
      `a number, because ${sides ? 'the box has an axis that does not repeat' : 'there is no periodic box'}`,
      volume,
    )
  positive(volume, 'volume')
  const width = farthest / bins
  const { shape, bindings } = bind(
    sum(counted(), { ...optionsOf(domain), ...(half !== undefined && { cutoff: half }) }),
    given,
  )
  const { dimension, sameSet } = shape
  const positions = ({ arrays }: PointSet) => arrays.position as FloatArray
  const distances: Distances = {
    targets: positions(bindings.targets),
    sources: positions(bindings.sources),
    ...{ sameSet, dimension, lengths: boxesIn(bindings.parameters), back: backIn(bindings.parameters), bins, width },
  }
  const { binOfPair, countDistances } = await import('./count-distances.ts')
  const count = await countDistances(distances)
  for (const [i, j] of pairsIn(bindings.exclusions, sameSet)) {
    const bin = binOfPair(i, j, distances)
    if (bin < bins) count[bin] = (count[bin] as number) - 1
  }
  const pairs = sameSet ? (shape.targets * (shape.targets - 1)) / 2 : shape.targets * shape.sources
  const unit = { 1: 2, 2: Math.PI, 3: (4 / 3) * Math.PI }[dimension]
  const content = (radius: number) => unit * radius ** dimension
  const expected = (bin: number) => (pairs * (content((bin + 1) * width) - content(bin * width))) / volume
  return {
    r: count.map((_, bin) => (bin + 0.5) * width),
    count,
    g: count.map((found, bin) => (pairs > 0 ? found / expected(bin) : 0)),
  }
}

/** Each excluded pair once. */
function* pairsIn(exclusions: Exclusions | undefined, sameSet: boolean): Generator<readonly [number, number]> {
  if (!exclusions) return
  const { offsets, sources } = exclusions
  for (let i = 0; i + 1 < offsets.length; i++)
    for (let at = offsets[i] as number; at < (offsets[i + 1] as number); at++) {
      const j = sources[at] as number
      if (!sameSet || j > i) yield [i, j]
    }
}
