// Sums with a tolerance on the software GPU. Every source counts once. Simplices and grids have the moments of the points that they
// replace. All kinds of laws meet the tolerance.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgpu } from '@manybody/backend-webgpu'
import {
  type ArrayResults,
  accelerations,
  createEngine,
  type Device,
  forces,
  gravity,
  type OpenOptions,
  type PairWorkload,
  pairPotential,
  pairTerm,
  sum,
  type TreeSetting,
  tree,
} from '@manybody/core'
import { bind, truthOf } from '@manybody/core/judge'
import { afterAll, describe, expect, it, test } from 'vitest'
import { Devices } from '../../../bench/src/contenders/backend.ts'
import { treeContender } from '../../../bench/src/contenders/tree.ts'
import { type TreeSet, treePoints, treeSets } from '../../../bench/src/points.ts'
import { problemOf } from '../../../bench/src/problem.ts'
import { sumsJudge } from '../../../bench/src/tree/judge.ts'
import {
  type Data,
  exclusions,
  mass,
  points,
  signed,
  weightedLaws,
} from '../../../packages/conformance/test/support/weighted-laws.ts'
import { judgeTrees } from '../../hardware/judge-trees.ts'
import { numbers } from '../../support/numbers.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

/** How many targets the reference computes. The points have no order, so each block of 64 targets has some of them. */
const judged = 250

/** The results of one run at a setting, the report, and the errors of some targets relative to the sizes of their terms. */
async function runAt(given: PairWorkload, data: Data, setting: TreeSetting, on = device) {
  const { workload, shape, bindings } = bind(given, data as never)
  const program = await on.prepare(workload, shape)
  const results = await (await program.tree?.())?.run(bindings, setting)
  const { report } = program
  program.dispose()
  const got = Object.values(results ?? {})[0] as Float32Array
  const step = Math.ceil(shape.targets / judged)
  const targets = Array.from({ length: Math.ceil(shape.targets / step) }, (_, n) => n * step)
  const truth = truthOf(workload, shape, bindings, { targets })
  const [[name, expected]] = Object.entries(truth.results) as [[string, Float64Array]]
  const scales = truth.scales[name] as Float64Array
  const width = expected.length / scales.length
  const errors = Float64Array.from(scales, (scale, row) => {
    const apart = Array.from(
      { length: width },
      (_, n) => (got[(targets[row] as number) * width + n] as number) - (expected[row * width + n] as number),
    )
    return Math.hypot(...apart) / scale
  }).sort()
  return { got, report, share: report.evaluated / report.interactions, errors, largest: errors.at(-1) as number }
}

const counting = pairTerm('1')
/** Simplices have the second moments of their points, so laws of second degree are exact. */
const quadratic = pairTerm('q_j*(1 + 2*dx - dy + dx*dy + 3*r2)')

describe.each([3, 2] as const)('in %i dimensions', (dimension) => {
  it.each([1, 17, 257, 900])('counts each of %i sources once', async (count) => {
    const { got } = await runAt(sum(counting()), points(count, dimension), { proxies: 'simplex', opening: 0.8 })
    // A third of a weight is rounded, and a quarter is not.
    const most = Math.max(...got.map((value) => Math.abs(value - (count - 1))))
    expect(most).toBeLessThanOrEqual(dimension === 3 ? 0 : 1e-6 * count)
  })

  it('counts each of 900 sources once but excluded ones, near and far', async () => {
    const { got, share } = await runAt(sum(counting(), { exclusions }), points(900, dimension), {
      proxies: 'simplex',
      opening: 0.8,
    })
    expect(share).toBeLessThan(0.8)
    const apart = exclusions.filter(([i, j]) => i !== j)
    const excluded = new Set(apart.flatMap(([i, j]) => [`${i} ${j}`, `${j} ${i}`]))
    for (const [i, count] of got.entries()) {
      const without = [...excluded].filter((pair) => pair.startsWith(`${i} `)).length
      expect(Math.abs(count - (899 - without))).toBeLessThanOrEqual(dimension === 3 ? 0 : 1e-3)
    }
  })

  it('has the moments of the points, of weights of both signs', async () => {
    const data = { ...points(1500, dimension), q: signed(1500, 4) }
    const { largest, share } = await runAt(sum(quadratic()), data, { proxies: 'simplex', opening: 0.7 })
    expect(share).toBeLessThan(0.7)
    expect(largest).toBeLessThan(2e-6)
  })
})

/** Grids match all moments up to their degree along each axis. */
const biquadratic = pairTerm('q_j*(1 + dx^2*dy^2 - dx*dy^2 + dx*dy + 3*r2)')
const quintic = pairTerm('q_j*(1 + dx^3*dy^2 - dy^4*dx + dx*dy + 3*r2^2)')
/** Points in a long box. Even large nodes are far from others there. */
const long = (count: number, dimension: 2 | 3) => ({
  ...{ position: numbers(count * dimension, 3).map((x, n) => (n % dimension === 0 ? 30 * x : x)), dimension },
})

// The first two have grids that were made from grids.
describe.each([
  [3, 2, 4200, biquadratic],
  [2, 2, 1500, biquadratic],
  [3, 4, 2000, quintic],
  [2, 6, 1500, quintic],
] as const)('in %i dimensions, with grids of degree %i over %i points', (dimension, proxies, count, law) => {
  it('has the moments of the points, of weights of both signs', async () => {
    const data = { ...long(count, dimension), q: signed(count, 4) }
    const { largest, share } = await runAt(sum(law()), data, { proxies, opening: 0.9 })
    expect(share).toBeLessThan(0.9)
    expect(largest).toBeLessThan(4e-6)
  })
})

it.each([3, 2] as const)('counts each source once with grids in %i dimensions', async (dimension) => {
  const { got } = await runAt(sum(counting()), long(1100, dimension), { proxies: 2, opening: 0.9 })
  expect(Math.max(...got.map((value) => Math.abs(value - 1099)))).toBeLessThanOrEqual(1e-3)
})

const laws: Readonly<Record<string, readonly [PairWorkload, (count: number) => Data]>> = {
  ...weightedLaws,
  'a parameter in a weight': [
    sum(pairTerm('exp(k*p_j)/sqrt(r2 + 1e-4)', { parameters: { k: 2 } })()),
    (n) => ({ ...points(n), p: signed(n, 4) }),
  ],
  'two sets': [
    accelerations(gravity()),
    (n) => ({
      targets: { position: numbers(300, 9).map((x) => 0.2 * x), mass: mass(100) },
      sources: { position: numbers(3 * n, 3), mass: mass(n) },
    }),
  ],
}

describe.each(Object.entries(laws))('%s', (_, [workload, data]) => {
  it('is as exact as its opening', async () => {
    const { largest, share } = await runAt(workload, data(2000), { proxies: 'simplex', opening: 0.5 })
    expect(share).toBeLessThan(0.95)
    expect(largest).toBeLessThan(2e-2)
  })
})

describe('nodes are opened by the field of the targets', () => {
  const pull = accelerations(gravity())
  const setting = { proxies: 'simplex', opening: 0.4 } as const
  const setOf = (name: string, count: number) => {
    const position = treePoints(treeSets[name] as TreeSet, count, 1)
    return { position: Float32Array.from(position), mass: mass(count) }
  }

  // If nodes opened by radius, the GPU would compute 3.1 times the pairs of the processor in a cube, and 2.6 times in a sphere. Its nodes
  // are larger, and have more children.
  it.each(['cube', 'plummer', 'half of them at one place'])(
    'so that few pairs are computed, as on the processor: %s',
    async (name) => {
      const processor = await cpuWasm().open({ threads: 1 })
      const data = setOf(name === 'cube' ? name : 'plummer', 3000)
      if (name.startsWith('half')) data.position.fill(0.5, 0, 4500)
      const soft = accelerations(gravity({ softening: 1e-3 }))
      const [ours, theirs] = [await runAt(soft, data, setting), await runAt(soft, data, setting, processor)]
      processor.dispose()
      expect(ours.share).toBeLessThan(2.3 * theirs.share)
      expect(ours.largest).toBeLessThan(1.5 * theirs.largest)
    },
  )

  it('and by their edges where no source has a weight', async () => {
    const data = { ...setOf('cube', 3000), mass: new Float32Array(3000) }
    const { got, share } = await runAt(pull, data, setting)
    expect(share).toBeLessThan(0.9)
    expect(got.every((value) => value === 0)).toBe(true)
  })

  it('whatever the units of lengths and weights', async () => {
    const data = setOf('plummer', 3000)
    const scaled = { position: data.position.map((x) => x * 2 ** 20), mass: data.mass.map((m) => m * 2 ** -20) }
    const [one, other] = [await runAt(pull, data, setting), await runAt(pull, scaled, setting)]
    expect(other.share).toBeCloseTo(one.share, 2)
  })
})

test.each(['three weights', 'a parameter in a weight', '2-D', 'two sets'])('%s: grids', async (name) => {
  const [workload, data] = laws[name] as (typeof laws)[string]
  const { largest, share } = await runAt(workload, data(1500), { proxies: 2, opening: 0.8 })
  expect(share).toBeLessThan(0.95)
  expect(largest).toBeLessThan(5e-3)
})

describe('through the engine', () => {
  it('meets the tolerance, and says what ran', async () => {
    const engine = await createEngine({ backends: [webgpu()] })
    const pull = (tolerance: number) =>
      forces(pairPotential('-mass_i*mass_j*log(r)')(), { method: tree({ tolerance }) })
    const data = { ...points(3000, 2), mass: mass(3000) }
    const { report } = await engine.run(pull(5e-2), data)
    expect(report.variant).toMatch(/^tree \(simplex, opening 0\.\d+\), workgroup 64/)
    expect(report.evaluated).toBeLessThan(0.2 * report.interactions)
    expect(report.error).toMatchObject({ targets: 512, tolerance: 5e-2, ok: true })
    const again = await engine.run(pull(5e-2), data)
    expect(again.report.error).toMatchObject({ targets: 64, ok: true })
    // With so few points, no grid is cheaper than all pairs.
    const exact = await engine.run(pull(1e-6), data)
    expect(exact.report.error).toMatchObject({ largest: 0, note: expect.stringContaining('all pairs') })
    engine.dispose()
  })
})

test('the benchmark times whole calls with a tolerance, and judges 99 % of the targets by it', async () => {
  const devices = new Devices()
  const problem = problemOf({ what: { law: 'planar-gravity' }, count: 3000, seed: 1 })
  const entry = await treeContender('webgpu', webgpu(), devices, 5e-2).prepare(problem)
  const { call = 0, parts } = (await entry.sample?.(1)) ?? {}
  expect(call).toBeGreaterThan(0)
  // A software GPU has the clock of the host.
  expect(parts?.device).toBeUndefined()
  expect(entry.who).toMatchObject({ name: 'webgpu, tolerance 0.05', variant: expect.stringMatching(/^tree \(simplex/) })
  const judge = sumsJudge(problem, 500)
  const { p99 = 1, max, ...rest } = await judge.judge(entry)
  expect(rest).toMatchObject({ bound: 5e-2, sampled: 500 })
  expect(p99).toBeLessThan(5e-2)
  expect(max).toBeGreaterThan(1e-4)
  await expect(judge.judge({ ...entry, tolerance: p99 / 2 })).rejects.toThrow(/99 % of the targets are off by/)
  const { tolerance: _, ...exact } = { ...entry, accuracy: entry.accuracy }
  await expect(judge.judge(exact)).rejects.toThrow(/a target is off by/)
  entry.dispose()
  await devices.dispose()
})

describe('the judge of trees', () => {
  const { signal } = new AbortController()
  const few = { runs: 2, points: 3000, seeds: 1, tolerances: [0.2] }

  it('finds no fault in trees that are right', async () => {
    expect(await judgeTrees(webgpu(), few, signal)).toEqual({ sums: 3, trees: expect.any(Number), faults: [] })
  })

  it('finds sums that are wrong, even if the engine agrees with them', async () => {
    const own = cpuWasm()
    const open = async (options?: OpenOptions) => wrong(await own.open(options))
    const { faults } = await judgeTrees(
      { ...own, open, probe: () => own.probe() },
      { ...few, runs: 1, seeds: 0 },
      signal,
    )
    expect(faults).toEqual([expect.stringMatching(/tolerance 0.2: 99 % are off by [^ ]+$/)])
  })
})

/** A device that gives three times the right sums over many sources. */
function wrong(device: Device): Device {
  const prepare: Device['prepare'] = async (workload, shape, plan) => {
    const program = await device.prepare(workload, shape, plan)
    if (shape.sources < few) return program
    return { report: program.report, run: async (...given) => tripled(await program.run(...given)), dispose() {} }
  }
  return new Proxy(device, {
    get(_, name) {
      const member: unknown = Reflect.get(device, name, device)
      if (name === 'prepare') return prepare
      return typeof member === 'function' ? member.bind(device) : member
    },
  })
}
const few = 1000
const tripled = (results: ArrayResults): ArrayResults =>
  Object.fromEntries(Object.entries(results).map(([name, sums]) => [name, (sums as Float32Array).map((x) => 3 * x)]))
