/**
 * Combines partial results of disjoint source ranges, as several devices that divide the sources would. Indices, counts, extremes and
 * matrices must equal the results of a single run, and sums must be within its bound. The terms include ties, NaN and infinities. Some
 * targets meet no source in a range, or none at all.
 *
 * @module
 */
import {
  type ArrayResults,
  countWithin,
  type Device,
  matrix,
  nearest,
  neighborsWithin,
  type PairWorkload,
  type ParticleSet,
  pairTerm,
  type Reduction,
  reduce,
  sum,
} from '@manybody/core'
import { reductions } from '@manybody/core/expression'
import { bind, combine, deviceNumbers, errorBound, type Truth, truthOf } from '@manybody/core/judge'
import type { Check } from './check.ts'

const sources = 300
/** Where to divide the sources: nowhere, after the first, at and within a tile, at the end. */
const divisions = [0, 1, 64, 131, sources]
/** Sources are at four places: the first ten at one, the last ten at another, the rest alternately at two more. */
const placeOf = (j: number): number => (j < 10 ? 200 : j >= sources - 10 ? 300 : 100 * (j % 2))
/** Targets are at these places. No source is at the last one. */
const places = [0, 100, 200, 300, 400]
const sides = [1, -1, 0.5]
const targets = places.length * sides.length
const domain = { cutoff: 50 } as const
/** NaN if the product is negative, -infinity if it is 0, otherwise a small whole number or half of one. */
const term = pairTerm('select(0 < x, x, log(x)); x = level_j*side_i', { name: 'level' })()

export type CombineOf = typeof combine

/** The missing reductions are `reduce` of the term. */
const workloads: Partial<Readonly<Record<Reduction, PairWorkload>>> = {
  sum: sum(term, domain),
  count: countWithin(domain.cutoff),
  list: neighborsWithin(domain.cutoff),
  smallest: nearest(7, domain),
  least: nearest(7, term, domain),
  none: matrix(term, domain),
}

/** A target at each place for each of `sides`. `odd` replaces some levels of the sources. */
function points(odd: number): { targets: ParticleSet; sources: ParticleSet } {
  // Targets lie beside the sources: coincident points count only if their term is finite.
  const at = (xs: readonly number[], y: number) => Float64Array.from(xs.flatMap((x, n) => [x + (n % 3), y, 0]))
  return {
    targets: {
      position: at(
        places.flatMap((x) => sides.map(() => x)),
        1,
      ),
      side: Float64Array.from(places.flatMap(() => sides)),
    },
    sources: {
      position: at(
        Array.from({ length: sources }, (_, j) => placeOf(j)),
        0,
      ),
      level: Float64Array.from({ length: sources }, (_, j) => (j % 37 === 0 ? odd : 1 + ((j * 7) % 11))),
    },
  }
}

/** The faults in combined results of a device. @param combineOf another `combine` to judge */
export async function combiningFaults(
  device: Device,
  reduction: Reduction,
  combineOf: CombineOf = combine,
): Promise<readonly string[]> {
  const workload = workloads[reduction] ?? reduce(reduction as 'min', term, domain)
  const added = reductions[reduction].ordered
  const faults: string[] = []
  for (const odd of [-2, 0, 3]) {
    const { shape, bindings } = deviceNumbers(bind(workload, points(odd)), device.info.precision)
    if (!device.supports(workload, shape).ok) return []
    const program = await device.prepare(workload, shape)
    try {
      const truth = truthOf(workload, shape, bindings, { precision: device.info.precision })
      const whole = await program.run(bindings)
      const bound = errorBound(program.report, shape.sources)
      for (const m of divisions) {
        const first = await program.run(bindings, { sources: [0, m] })
        const rest = await program.run(bindings, { sources: [m, sources] })
        for (const [a, b] of [
          [first, rest],
          [rest, first],
        ] as const) {
          const combined = combineOf(workload, a, b)
          const wrong = added ? beyond(combined, truth, bound) : beyond(combined, { results: whole, scales: {} }, 0)
          faults.push(...wrong.map((fault) => `divided at ${m}: ${fault}`))
        }
      }
    } finally {
      program.dispose()
    }
  }
  return faults
}

/** The first number of each result that exceeds the bound, relative to its scale. NaN and infinities must be equal. */
function beyond(combined: ArrayResults, { results, scales }: Truth, bound: number): readonly string[] {
  return Object.entries(results).flatMap(([name, expected]) => {
    const out = combined[name] ?? []
    const width = expected.length / targets
    const near = (want: number, n: number) =>
      Object.is(out[n], want) ||
      out[n] === want ||
      Math.abs((out[n] as number) - want) <= bound * (scales[name]?.[Math.floor(n / width)] ?? 0)
    const at = Array.from(expected).findIndex((want, n) => !near(want, n))
    return at < 0 && out.length === expected.length
      ? []
      : [`${name} of ${out.length} numbers expected ${expected[at]} at ${at}, got ${out[at]}`]
  })
}

export const combiningChecks: readonly Check[] = (Object.keys(reductions) as Reduction[]).map((reduction) => ({
  name: `combining: ${reduction} of two source ranges`,
  faults: (device) => combiningFaults(device, reduction),
}))
