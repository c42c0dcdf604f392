// Sums with a tolerance against the float64 specification: the same pairs and proxies in small sets, and the tolerance in
// larger ones, for every kind of law, with and without threads and shared memory.

import {
  accelerations,
  coulomb,
  createEngine,
  type Device,
  DivergedError,
  gravity,
  type PairWorkload,
  type Precision,
  pairPotential,
  pairTerm,
  potentials,
  reference,
  sum,
  type TreeSetting,
  tree,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Data, mass, points, signed, weightedLaws } from '../../conformance/test/support/weighted-laws.ts'
import { cpuWasm } from '../src/index.ts'
import { Memory } from '../src/run/host/memory.ts'
import { spread } from './support/points.ts'

afterEach(() => vi.unstubAllGlobals())

const laws: Readonly<Record<string, readonly [PairWorkload, (count: number) => Data]>> = {
  ...weightedLaws,
  'softened gravity': [accelerations(gravity({ softening: 0.1 })), (n) => ({ ...points(n), mass: mass(n) })],
  'no attribute': [sum(pairTerm('1/sqrt(r2 + 1e-4)')()), (n) => points(n)],
  'two sets': [
    accelerations(gravity()),
    (n) => ({
      targets: { position: spread(120, 9), mass: mass(40) },
      sources: { position: spread(3 * n, 3), mass: mass(n) },
    }),
  ],
}

const settings: readonly TreeSetting[] = [
  { proxies: 'simplex', opening: 0.7 },
  { proxies: 2, opening: 0.9 },
]

const opened = (precision: Precision, threads = 1): Promise<Device> => cpuWasm().open({ precision, threads })

/** The results of one run at a setting, with the number of pairs. */
async function runAt(device: Device, given: PairWorkload, data: Data, setting: TreeSetting) {
  const { workload, shape, bindings } = bind(given, data as never)
  const program = await device.prepare(workload, shape)
  const results = await (await program.tree?.())?.run(bindings, setting)
  const { evaluated } = program.report
  program.dispose()
  return { results: Object.values(results ?? {})[0] as Float64Array, evaluated }
}

describe.each(Object.entries(laws))('%s', (_, [workload, data]) => {
  it.each(settings)('adds up the same pairs and proxies as the specification, $proxies', async (setting) => {
    // Few enough points for one unit of targets, so that groups of targets are the same.
    const given = data(250)
    const wasm = await opened('f64')
    const truth = await reference().open({ precision: 'f64' })
    const [got, expected] = [await runAt(wasm, workload, given, setting), await runAt(truth, workload, given, setting)]
    wasm.dispose()
    expect(got.evaluated).toBe(expected.evaluated)
    const most = Math.max(...expected.results.map(Math.abs))
    for (const [n, value] of expected.results.entries())
      expect(Math.abs((got.results[n] as number) - value)).toBeLessThan(1e-12 * most)
  })
})

/** Points of a law with one weight of both signs and one positive weight. In none, one or two coordinates they vary little. */
const thin = (count: number, dimension: 2 | 3, thickness: number): Data => ({
  targets: { position: spread(120 * dimension, 9), dimension, p: mass(120) },
  sources: {
    position: spread(count * dimension, 3).map((x, n) => (n % dimension === 0 ? x : thickness * x)),
    ...{ dimension, p: signed(count, 4), q: mass(count) },
  },
})

// Enough sources for parts of the tree that threads share, and few targets, so that groups of targets are the same.
describe.each([3, 2] as const)('many sources in %i dimensions', (dimension) => {
  it.each([
    ['simplex', 1],
    ['simplex', 0],
    [1, 1e-3],
    [4, 1],
    [4, 0],
    [6, 1e-7],
  ] as const)('adds up the same proxies as the specification, %s, thickness %f', async (proxies, thickness) => {
    const law = sum(pairTerm('(p_j + p_i*q_j)/sqrt(r2 + 1e-2)')())
    const data = thin(9001, dimension, thickness)
    const [wasm, truth] = [await opened('f64', 2), await reference().open({ precision: 'f64' })]
    const setting = { proxies, opening: 0.8 }
    const [got, expected] = [await runAt(wasm, law, data, setting), await runAt(truth, law, data, setting)]
    wasm.dispose()
    expect(got.evaluated).toBe(expected.evaluated)
    expect(got.evaluated).toBeLessThan(0.95 * 120 * 9001)
    const most = Math.max(...expected.results.map(Math.abs))
    for (const [n, value] of expected.results.entries())
      expect(Math.abs((got.results[n] as number) - value)).toBeLessThan(1e-11 * most)
  })
})

it('refuses grids of a higher degree than threads have memory for', async () => {
  const wasm = await opened('f64')
  const run = runAt(wasm, accelerations(gravity()), { ...points(30), mass: mass(30) }, { proxies: 9, opening: 0.5 })
  await expect(run).rejects.toThrow('"proxies" expected at most degree 8, got 9')
  wasm.dispose()
})

it.each([
  ['f32', 1, true],
  ['f32', 2, true],
  ['f32', 2, false],
  ['f64', 2, true],
] as const)('meets the tolerance in %s with %i threads, shared memory: %s', async (precision, threads, shared) => {
  if (!shared) vi.stubGlobal('SharedArrayBuffer', undefined)
  await using engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], precision, threads })
  const data = { position: spread(9000, 3), mass: mass(3000) }
  const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-2 }) })
  const first = await engine.run(pull, data)
  expect(first.report.variant).toMatch(/^tree \(simplex, opening 0\.\d+\), simd/)
  expect(first.report.error).toMatchObject({ ok: true, targets: 512, tolerance: 1e-2 })
  expect(first.report.evaluated).toBeLessThan(0.3 * first.report.interactions)
  let next = await engine.run(pull, data)
  for (let attempt = 0; attempt < 1000 && !next.report.variant.includes(`${threads} thread`); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    next = await engine.run(pull, data)
  }
  expect(next.report.variant).toContain(`, ${threads} thread`)
  expect(next.acceleration).toEqual(first.acceleration)
  const verification = await engine.verify(pull, data, { sample: 100 })
  expect(verification.p99).toBeLessThan(1e-2)
  expect(verification.p99).toBeGreaterThan(1e-4)
  expect(verification.ok).toBe(true)
})

it('computes targets with more records than fit into memory at once', async () => {
  const count = 20_000
  const data = { position: spread(3 * count, 3), mass: mass(count) }
  const device = await opened('f32', 2)
  const pull = accelerations(gravity())
  const { results, evaluated } = await runAt(device, pull, data, { proxies: 'simplex', opening: 0.15 })
  expect(evaluated / count).toBeGreaterThan(2048)
  const { workload, shape, bindings } = bind(pull, data)
  const all = await (await device.prepare(workload, shape)).run(bindings, { targets: [500, 520] })
  device.dispose()
  const most = Math.max(...(all.acceleration as Float32Array).map(Math.abs))
  for (const [n, value] of (all.acceleration as Float32Array).entries())
    expect(Math.abs((results[1500 + n] as number) - value)).toBeLessThan(2e-3 * most)
})

it('simulates with a tolerance: it measures every 64 steps, chooses the setting that the points then need, and resumes bit for bit', async () => {
  await using engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
  const count = 1500
  const law = pairPotential('-p_i*p_j^2/sqrt(r2 + 1e-3)', { name: 'squared', inertia: 'p' })
  const options = {
    forces: [{ law: law(), method: tree({ tolerance: 1e-2 }) }],
    particles: { position: Float32Array.from(spread(3 * count, 3)), p: Float32Array.from(mass(count), (m) => m / 40) },
    dt: 2e-3,
  }
  const whole = await engine.simulate(options)
  await whole.step(80)
  const [start] = (await (await engine.simulate(options)).snapshot()).settings ?? []
  const { settings, arrays } = await whole.snapshot()
  const parts = await engine.simulate(options)
  await parts.step(40)
  const resumed = await engine.resume(await parts.snapshot())
  await resumed.step(30)
  await resumed.step(10)
  expect(await resumed.read('position')).toEqual(arrays.position)
  expect((await resumed.snapshot()).settings).toEqual(settings)
  expect(start).toMatchObject({ proxies: 'simplex' })
  // The points of another set need another setting. Later steps take it.
  await resumed.write(
    'position',
    arrays.position.map((x, n) => (n % 3 === 0 ? x : 1e-3 * x)),
  )
  const [error] = await resumed.forceErrors()
  const [now] = (await resumed.snapshot()).settings ?? []
  expect(error).toMatchObject({ step: 80, ok: true })
  const opening = (setting: typeof now) => (setting && 'opening' in setting ? setting.opening : Number.NaN)
  expect(opening(now)).toBeLessThan(opening(start))
  const clustered = { position: await resumed.read('position'), p: arrays.p as Float32Array }
  const exact = accelerations(options.forces[0]?.law as never, { method: tree({ tolerance: 1e-2 }) })
  const verification = await engine.verify(exact, clustered, { sample: 50 })
  expect(verification.ok).toBe(true)
})

it.each(['energy', 'forceErrors'] as const)('says in %s that a simulation has diverged', async (measure) => {
  await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const count = 1500
  const simulation = await engine.simulate({
    forces: [{ law: gravity(), method: tree({ tolerance: 1e-2 }) }],
    particles: {
      position: Float32Array.from(spread(3 * count, 3)),
      velocity: new Float32Array(3 * count).fill(1e38),
      mass: Float32Array.from(mass(count)),
    },
    dt: 1e3,
  })
  await simulation.step(2)
  await expect(simulation[measure]()).rejects.toThrow(DivergedError)
})

it.each([true, false])('meets the tolerance of bonded charges with two threads, shared memory: %s', async (shared) => {
  if (!shared) vi.stubGlobal('SharedArrayBuffer', undefined)
  await using engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], precision: 'f64', threads: 2 })
  const count = 4500
  // Molecules of three atoms, so close to each other that all other pairs are negligible.
  const position = spread(3 * count, 3).map((x, n) => (n % 9 < 3 ? x : x * 1e-4))
  for (const n of position.keys())
    if (n % 9 >= 3) position[n] = (position[n] ?? 0) + (position[n - (n % 9) + (n % 3)] ?? 0)
  const bonds = Array.from({ length: count }, (_, n) => [1, 2].map((k) => [n, n - (n % 3) + ((n + k) % 3)] as const))
  const bonded = potentials(coulomb(), { exclusions: bonds.flat(), method: tree({ tolerance: 1e-2 }) })
  const data = { position, charge: signed(count, 2) }
  const { report } = await engine.run(bonded, data)
  expect(report.variant).toMatch(/^tree/)
  expect(report.error).toMatchObject({ ok: true })
  expect(report.evaluated).toBeLessThan(0.6 * report.interactions)
})

it('has no tree where coordinates have two numbers', async () => {
  await using engine = await createEngine({ backends: [cpuWasm()] })
  // Float32 would lose the distances of these points, so each coordinate has two numbers.
  const far = { mass: mass(300), position: Float64Array.from(spread(900, 3), (x, n) => (n < 450 ? 0 : 1e5) + 1e-3 * x) }
  const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-2 }) })
  expect((await engine.run(pull, far)).report.error?.note).toContain('coordinates of two float32 each')
})

it.each([
  ['simplex', 'f32', 99],
  ['simplex', 'f64', 160],
  [4, 'f32', 146],
] as const)('holds little memory for each point (%s, %s)', async (proxies, precision, most) => {
  const allocate = vi.spyOn(Memory.prototype, 'allocate')
  onTestFinished(() => allocate.mockRestore())
  const count = 50_000
  const { bindings, shape } = bind(accelerations(gravity()), { ...points(count), mass: mass(count) } as never)
  const device = await opened(precision)
  onTestFinished(() => device.dispose())
  const program = await device.prepare(accelerations(gravity()), shape)
  await (await program.tree?.())?.run(bindings, { proxies, opening: 1 }, {})
  const [memory] = allocate.mock.contexts as Memory[]
  expect((memory as Memory).used / count).toBeLessThan(most)
})

it('measures errors with little memory however many sources there are', async () => {
  const allocate = vi.spyOn(Memory.prototype, 'allocate')
  onTestFinished(() => allocate.mockRestore())
  const count = 200_000
  await using engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
  const data = { position: Float32Array.from(spread(3 * count, 3)), mass: Float32Array.from(mass(count)) }
  const { report } = await engine.run(accelerations(gravity(), { method: tree({ tolerance: 0.1 }) }), data)
  expect(report.error).toMatchObject({ ok: true, targets: 512 })
  const used = Math.max(...(allocate.mock.contexts as Memory[]).map((memory) => memory.used))
  // 131,072 sources at once have 32 bytes each. All of them would have 6.4 MB.
  expect(used).toBeLessThan(99 * count + 32 * 2 ** 17 + 1e6)
})
