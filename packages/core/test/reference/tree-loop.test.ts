// Sums with a tolerance in float64, against the two plain loops that specify them.

import { expect, it } from 'vitest'
import type { TreeSetting } from '../../src/contract/backend.ts'
import {
  accelerations,
  attributeSum,
  biotSavart,
  coulomb,
  type DomainOptions,
  forces,
  gaussian,
  gravity,
  type Interaction,
  lennardJones,
  pairTerm,
  potentials,
  sum,
  yukawa,
} from '../../src/index.ts'
import { spreadTargets } from '../../src/methods/tolerance/sampled.ts'
import { exclusionsOf } from '../../src/problem/workloads/exclusions.ts'
import type { PairData } from '../../src/problem/workloads/numbers/pair-data.ts'
import type { Dimension, PairWorkload, Shape } from '../../src/problem/workloads/workload.ts'
import { TreeProblem } from '../../src/truth/reference/tree-loop.ts'
import { between, random as randomOf } from '../support/random.ts'
import { TreeTruth } from '../support/tree-errors.ts'

const random = randomOf(41)
const count = 2000
const numbers = (length: number, from: number, to: number) =>
  Float64Array.from({ length }, () => between(random, from, to))

/** Points with every attribute that the laws here read. */
function pointsIn(dimension: Dimension, points = count) {
  return {
    position: numbers(points * dimension, 0, 1),
    mass: numbers(points, 0.1, 1),
    weight: numbers(points, 0.1, 1),
    ...Object.fromEntries(['charge', 'wx', 'wy', 'wz', 'p'].map((name) => [name, numbers(points, -1, 1)])),
  }
}

interface Given {
  readonly dimension?: Dimension
  readonly targets?: PairData['targets']
}

/** Errors relative to the sum of the sizes of terms, for some of the targets, and the pairs computed for each. */
function errorsOf(workload: PairWorkload, settings: readonly TreeSetting[], { dimension = 3, targets }: Given = {}) {
  const sources = pointsIn(dimension)
  const data = { targets: targets ?? sources, sources, parameters: workload.law.parameters }
  const shape: Shape = {
    ...{ dimension, sources: count, sameSet: !targets, vectors: ['position'] },
    targets: (data.targets.position?.length ?? 0) / dimension,
  }
  const exclusions = exclusionsOf(workload, shape)
  const problem = new TreeProblem(workload, shape, { ...data, exclusions })
  const truth = new TreeTruth(problem, spreadTargets(shape.targets, 24))
  return settings.map((setting) => {
    const { pairs, errors } = truth.errorsOf(setting)
    return { largest: Math.max(...errors), pairs }
  })
}

/** No node is far, so every source is taken directly. */
const exact: TreeSetting = { proxies: 2, opening: 0 }
const settings: readonly TreeSetting[] = (['simplex', 2, 3, 4] as const).map((proxies) => ({
  proxies,
  opening: 0.6,
}))

const soft = pairTerm(
  { fx: 'charge_j*tanh(r)*s^(-1.7)*(1 + dz/(2*r))*dx; s = sqrt(r2 + 1e-4)', g: 'mass_j*log(1 + 0.3/r)' },
  { name: 'soft' },
)

const laws: readonly (readonly [name: string, workload: PairWorkload])[] = [
  ['gravity', accelerations(gravity())],
  ['charges of both signs', forces(coulomb())],
  ['screened charges', potentials(yukawa({ kappa: 4 }))],
  ['Gaussians', potentials(gaussian({ width: 0.3 }))],
  ['three weights', sum(biotSavart({ softening: 0.01 }))],
  ['a law of no known expansion', sum(soft())],
  ['no attribute of sources', sum(pairTerm('log(1 + 1/r)')())],
]

it.each(laws)('sums %s to the error of each setting', (_, workload) => {
  const [direct, simplex, ...grids] = errorsOf(workload, [exact, ...settings]).map(({ largest }) => largest)
  expect(direct).toBeLessThan(1e-14)
  expect(simplex).toBeLessThan(2e-2)
  for (const [n, most] of [4e-3, 6e-4, 1e-4].entries()) expect(grids[n], `grid ${n}`).toBeLessThan(most)
  // Nothing here is so exact that it cannot be an approximation.
  expect(grids[1]).toBeGreaterThan(1e-13)
})

it('computes fewer pairs with a wider opening, down to a few percent of all', () => {
  const pairs = errorsOf(
    accelerations(gravity()),
    [0, 0.4, 0.6, 0.8].map((opening) => ({ proxies: 'simplex', opening })),
  ).map((one) => one.pairs)
  expect(pairs).toEqual(pairs.toSorted((a, b) => b - a))
  expect(pairs[0]).toBe(count)
  expect(pairs[3]).toBeLessThan(count / 5)
})

it('is exact for a law without distances, whatever the setting', () => {
  for (const { largest } of errorsOf(sum(attributeSum()), settings)) expect(largest).toBeLessThan(1e-13)
})

it.each([
  ['in a plane', {}, { dimension: 2 }],
  ['between two sets', {}, { targets: pointsIn(3, 700) }],
  ['of points with themselves, too', { self: 'include' }, {}],
  [
    'without some pairs',
    { exclusions: Array.from({ length: 500 }, (_, n) => [n, (n * 7 + 1000) % count] as const) },
    {},
  ],
] as readonly (readonly [string, DomainOptions, Given])[])('sums %s', (_, options, given) => {
  const law: Interaction = pairTerm('mass_j/sqrt(r2 + 1e-4)', { name: 'softened' })()
  const [direct, simplex, , cubic] = errorsOf(sum(law, options), [exact, ...settings], given).map((one) => one.largest)
  expect(direct).toBeLessThan(1e-14)
  expect(simplex).toBeLessThan(2e-2)
  expect(cubic).toBeLessThan(6e-4)
})

it('refuses a law whose terms do not separate into few weights', () => {
  const shape: Shape = { dimension: 3, targets: 0, sources: 0, sameSet: true, vectors: ['position'] }
  const none = { targets: {}, sources: {}, parameters: {} }
  expect(() => new TreeProblem(forces(lennardJones()), shape, none)).toThrow(
    /needs 13 numbers of each source.*use a cutoff/,
  )
})
