// verify rejects wrong results: errors of 1e-5 in terms and sums (1e-14 in float64), and sources that are not the nearest or the least. It
// also rejects every wrong backend of the conformance suite that changes numbers.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { suite } from '@manybody/conformance'
import {
  type ArrayResults,
  accelerations,
  type Backend,
  biotSavart,
  buckingham,
  coulomb,
  countWithin,
  createEngine,
  type Engine,
  forces,
  gaussian,
  gravity,
  inversePower,
  lennardJones,
  matrix,
  morse,
  NoBackendError,
  nearest,
  neighborsWithin,
  pairTerm,
  potentials,
  reduce,
  sum,
  type Verification,
  type Workload,
  yukawa,
} from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { faults } from '../../../packages/conformance/test/support/faults.ts'
import { wrongBackend } from '../../../packages/conformance/test/support/wrong-backend.ts'
import { float32Backends } from '../../support/float32-engines.ts'
import { numbers } from '../../support/numbers.ts'
import { type Distortion, distorted } from '../../support/random/distorted.ts'

const count = 300
const attribute = (seed: number) => numbers(count, seed).map((x) => 0.5 + x)
/** Targets to judge in float32 where all results are wrong. */
const sample = 60
/** Points of a jittered lattice: no two are so close that one term dominates. */
const position = numbers(3 * count, 1).map((x, n) => {
  const [point, axis] = [Math.floor(n / 3), n % 3]
  return (Math.floor(point / 7 ** axis) % 7) + 0.4 * x
})
const names = 'mass charge sigma epsilon weight wx wy wz well width distance repulsion decay attraction strength'
const particles = {
  position,
  feature: numbers(3 * count, 40),
  ...Object.fromEntries(names.split(' ').map((name, n) => [name, attribute(n + 2)])),
}
const laws = {
  gravity,
  coulomb,
  lennardJones,
  yukawa,
  morse,
  gaussian,
  buckingham,
  inversePower,
}
const summed: readonly (readonly [string, Workload])[] = [
  ...Object.entries(laws).flatMap(([name, law]) => [
    [`forces of ${name}`, forces(law() as never)] as const,
    [`potentials of ${name}`, potentials(law() as never)] as const,
  ]),
  ['accelerations of gravity', accelerations(gravity({ softening: 0.1 }))],
  ['a vector sum', sum(biotSavart())],
]
/** The simulated GPU reads no vectors. */
const ofVectors = [
  ['a kernel of vectors', sum(pairTerm('weight_j*exp(-sqdist(feature_i, feature_j)/8)')())],
  ['a kernel times a vector', sum(pairTerm('weight_j*exp(-sqdist(feature_i, feature_j)/8)*vector(feature_j)')())],
] as const
const [processor, , graphics] = Object.values(float32Backends)
const backends: readonly (readonly [string, () => Backend])[] = [
  ['cpu-wasm', processor as () => Backend],
  ['a GPU', graphics as () => Backend],
]

describe.each(backends)('on %s, verify rejects errors of 1e-5', (_, backend) => {
  const distortion: Distortion = {}
  let engine: Engine
  const verify = async (workload: Workload, wrong: Distortion): Promise<Verification> => {
    engine ??= await createEngine({ backends: [distorted(backend(), distortion)], threads: 1 })
    distortion.results = wrong.results
    distortion.workload = wrong.workload
    return engine.verify(workload as never, particles as never, { sample })
  }
  afterAll(() => engine.dispose())

  test.each(summed)('in sums: %s', async (_name, workload) => {
    expect((await verify(workload, {})).ok).toBe(true)
    expect((await verify(workload, { results: (results) => scaled(results, 1 + 1e-5) })).ok).toBe(false)
  })
})

test.each([...summed, ...ofVectors])('in float64, verify rejects errors of 1e-14 in sums: %s', async (_, workload) => {
  const distortion: Distortion = {}
  await using engine = await createEngine({
    backends: [distorted(cpuWasm(), distortion)],
    threads: 1,
    precision: 'f64',
  })
  expect((await engine.verify(workload as never, particles as never)).ok).toBe(true)
  distortion.results = (results) => scaled(results, 1 + 1e-14)
  expect((await engine.verify(workload as never, particles as never)).ok).toBe(false)
})

/**
 * The faults that change the numbers of a complete run. The others concern reports, reuse, fewer points, buffers, numbers that are not finite and so on.
 */
const numeric = Object.entries(faults).filter(
  ([name]) =>
    !/report|earlier|unknown|range|as they were|inputs|aborts|supports|sequences|buffers|nanoseconds|index|fewer points|not finite|a grid/.test(
      name,
    ),
)

test.each(numeric)('verify rejects a wrong backend of the suite: %s', async (_, fault) => {
  const outcomes: string[] = []
  for (const precision of ['f32', 'f64'] as const) {
    try {
      await using engine = await createEngine({ backends: [wrongBackend(fault)], precision })
      const seen = suite().filter(({ name }) => fault.seen.test(name))
      for (const one of seen.flatMap((each) => [each, ...(each.again ?? [])])) {
        const { workload, particles, parameters, tables, functions } = one
        const options = { sample: 500, parameters, tables, functions }
        const { ok } = await engine.verify(workload as never, particles as never, options)
        outcomes.push(ok ? 'accepted' : 'rejected')
      }
    } catch (error) {
      // A gross fault already fails the proof of the device.
      expect(error).toBeInstanceOf(NoBackendError)
      outcomes.push('rejected')
    }
  }
  expect(outcomes).toContain('rejected')
})

const clusters = suite().flatMap((one) => (one.name.includes('two clusters') ? [[one.name, one] as const] : []))

test.each(clusters)(
  'one float per coordinate is rejected if two are promised: %s',
  async (_, { workload, particles }) => {
    const fault = faults['the low parts of coordinates are ignored']
    await using engine = await createEngine({ backends: [wrongBackend(fault as NonNullable<typeof fault>)] })
    expect((await engine.verify(workload as never, particles as never)).ok).toBe(false)
  },
)

describe('verify rejects sources that are not', () => {
  const distortion: Distortion = {}
  const engine = createEngine({ backends: [distorted(cpuWasm(), distortion)], threads: 1 })
  const off = (by: (index: number) => number) => (results: ArrayResults) => ({
    ...results,
    index: (results.index as Int32Array).map(by),
  })
  const withoutFirst = ({ offsets, index }: ArrayResults): ArrayResults => ({
    offsets: (offsets as Uint32Array).map((end) => Math.max(0, end - 1)),
    index: (index as Int32Array).slice(1),
  })
  /** Exchanges the last two entries of each list. */
  const inReverse = (offsets: ArrayResults[string] = new Uint32Array(), index: ArrayResults[string] = offsets) => {
    const changed = (index as Int32Array).slice()
    for (let n = 1; n < offsets.length; n++) {
      const [start, end] = [offsets[n - 1] as number, offsets[n] as number]
      if (end - start > 1) changed.subarray(end - 2, end).reverse()
    }
    return changed
  }
  const term = pairTerm('1 + 1e-5*a_j')()
  const a = Float32Array.from({ length: 100 }, (_, n) => (n * 37) % 100)
  const wrong: readonly (readonly [string, Workload, Distortion])[] = [
    // The terms differ by a few 1e-5.
    [
      'the least',
      reduce('argmin', term, { self: 'include' }),
      { results: off((j) => a.indexOf((a[j] as number) + 1)) },
    ],
    [
      'the greatest',
      reduce('argmax', term, { self: 'include' }),
      { results: off((j) => a.indexOf((a[j] as number) - 1)) },
    ],
    ['there', reduce('argmin', term), { results: off(() => 100) }],
    ['counted', countWithin(0.5), { results: (r) => ({ count: (r.count as Uint32Array).map((c) => c + 1) }) }],
    [
      'counted by terms',
      countWithin(1.0005, term),
      { results: (r) => ({ count: (r.count as Uint32Array).map((c) => c + 1) }) },
    ],
    ['in the list of another', neighborsWithin(0.5), { results: off((j) => (j + 1) % 100) }],
    ['all there', neighborsWithin(0.5), { results: withoutFirst }],
    [
      'ascending',
      neighborsWithin(0.5),
      { results: ({ offsets, index }) => ({ offsets: offsets as Uint32Array, index: inReverse(offsets, index) }) },
    ],
    ['the nearest', nearest(3), { results: off((j) => (j + 1) % 100) }],
    [
      'listed once',
      nearest(3),
      { results: (r) => ({ ...r, index: (r.index as Int32Array).map((_, n, all) => all[n - (n % 3)] as number) }) },
    ],
  ]
  test.each(wrong)('%s', async (_name, workload, change) => {
    const points = { position: numbers(300, 7), a }
    distortion.results = undefined
    expect((await (await engine).verify(workload as never, points as never)).ok).toBe(true)
    distortion.results = change.results
    expect((await (await engine).verify(workload as never, points as never)).ok).toBe(false)
  })
  afterAll(async () => (await engine).dispose())
})

test('verify rejects an error of 1e-5 in one term of each target if it exceeds the bound', async () => {
  const distortion: Distortion = {}
  await using engine = await createEngine({ backends: [distorted(cpuWasm(), distortion)], threads: 1 })
  const law = (excess: number) => pairTerm(`mass_j*(1 + select(dx > 0, ${excess}, 0))/(0.1 + r2)`)()
  distortion.workload = () => sum(law(1e-5))
  expect((await engine.verify(sum(law(0)), particles)).ok).toBe(false)
  distortion.workload = () => matrix(law(1e-5))
  expect((await engine.verify(matrix(law(0)), particles)).ok).toBe(false)
})

test('verify reports the error and the bound of each target, and names the worst', async () => {
  const distortion: Distortion = {}
  await using engine = await createEngine({ backends: [distorted(cpuWasm(), distortion)], threads: 1 })
  distortion.results = ({ force }) => ({ force: (force as Float32Array).map((x, n) => (n === 3 * 40 + 1 ? x + 1 : x)) })
  const { ok, worst, targets, max, bound } = await engine.verify(forces(gravity()), particles, { sample: count })
  expect(ok).toBe(false)
  expect(worst).toMatchObject({ target: 40, result: 'force', ok: false })
  expect(worst?.error).toBeCloseTo(1, 4)
  expect(max).toBe((worst?.error ?? 0) / (worst?.scale ?? 1))
  expect(bound).toBe((worst?.bound ?? 0) / (worst?.scale ?? 1))
  expect(targets.map(({ target }) => target)).toEqual(Array.from({ length: count }, (_, n) => n))
  expect(targets.filter((t) => !t.ok)).toEqual([worst])
  expect(targets.every(({ bound: most }) => most > 0 && most < 1e-2)).toBe(true)
})

function scaled(results: ArrayResults, by: number): ArrayResults {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => [
      name,
      array instanceof Float32Array || array instanceof Float64Array ? array.map((x) => x * by) : array,
    ]),
  )
}
