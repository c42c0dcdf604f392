// Sums with a tolerance through the engine: they meet it over all targets, report the method of the run, and refuse laws that a tree cannot
// approximate.

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunOptions } from '../../src/contract/backend.ts'
import { truthOf } from '../../src/engine/truth.ts'
import {
  accelerations,
  biotSavart,
  coulomb,
  countWithin,
  createEngine,
  type Engine,
  energy,
  forces,
  gaussian,
  gravity,
  inversePower,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  reference,
  sum,
  tree,
  yukawa,
} from '../../src/index.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import type { ArrayResults, PairWorkload } from '../../src/problem/workloads/workload.ts'
import { fakeBackend } from '../support/fake-backends.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(17)
const count = 700
const method = tree({ tolerance: 1e-2 })

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await createEngine({ backends: [reference()], precision: 'f64' })
})
afterAll(() => engine.dispose())

const attributes = (points: number) => ({
  mass: numbersBetween(next, points, 0.5, 1),
  ...Object.fromEntries(
    ['charge', 'wx', 'wy', 'wz', 'p', 'q'].map((name) => [name, numbersBetween(next, points, -1, 1)]),
  ),
})
const cube = (points: number, dimension = 3) => numbersBetween(next, points * dimension, 0, 1)
/** Half of the points are a hundred times closer together. */
const clustered = (points: number) => cube(points).map((x, n) => (n % 6 < 3 ? x : 0.3 + 0.01 * x))

type Points = Readonly<Record<string, Float64Array | number | undefined>>
const given = ({ law }: PairWorkload, all: Points): Points => {
  const read = (name: string) => Object.values(law.expressions).some((text) => text.includes(`${name}_`))
  const named = Object.entries(all).filter(([name]) => read(name) || law.inertia === name)
  return {
    position: all.position,
    ...(all.dimension === undefined ? {} : { dimension: all.dimension }),
    ...Object.fromEntries(named),
  }
}

/** The errors of all targets, relative to the sizes of their terms, ascending. */
function errorsOf(workload: PairWorkload, data: object, results: Readonly<Record<string, unknown>>): Float64Array {
  const bound = bind(workload, data as never)
  const truth = truthOf(workload, bound.shape, bound.bindings, { precision: 'f64' })
  const [[name, expected]] = Object.entries(truth.results) as [[string, Float64Array]]
  const got = results[name] as Float64Array
  const scales = truth.scales[name] as Float64Array
  const width = expected.length / scales.length
  return Float64Array.from(scales, (scale, row) => {
    const apart = Array.from(
      { length: width },
      (_, n) => (got[row * width + n] as number) - (expected[row * width + n] as number),
    )
    return scale === 0 ? 0 : Math.hypot(...apart) / scale
  }).sort()
}
/** A factor that a wrong device multiplies its results by. */
let factor = 1
const distort = (results: ArrayResults): ArrayResults =>
  Object.fromEntries(Object.entries(results).map(([name, array]) => [name, array.map((x) => factor * x)]))

const p99 = (sorted: Float64Array) => sorted[Math.ceil(0.99 * sorted.length) - 1] as number

const laws: readonly (readonly [string, PairWorkload])[] = [
  ['gravity', accelerations(gravity(), { method })],
  ['charges of both signs', potentials(coulomb(), { method })],
  ['screened charges', forces(yukawa({ kappa: 4 }), { method })],
  ['Gaussians', potentials(gaussian({ width: 0.2 }), { method })],
  ['three weights', sum(biotSavart({ softening: 1e-2 }), { method })],
  ['a law without attributes', potentials(inversePower({ exponent: 2 }), { method })],
  ['two products of attributes', sum(pairTerm('(p_i*q_j + q_i*p_j^2)/sqrt(r2 + 1e-4)')(), { method })],
]

/** Chebyshev's polynomial of a degree, by its recurrence. Written out, it doubles with each degree. */
const recurrence = (degree: number, of: string) =>
  [
    `t${degree}`,
    't0 = 1',
    `t1 = ${of}`,
    ...Array.from({ length: degree - 1 }, (_, n) => `t${n + 2} = 2*t1*t${n + 1} - t${n}`),
  ].join('; ')

describe('a law with a recurrence', () => {
  it.each([forces, potentials])('is within the tolerance: %o', async (quantity) => {
    const law = pairPotential(`mass_j*${recurrence(10, 'exp(-r/9)')}`)
    const data = { position: cube(300), mass: numbersBetween(next, 300, 0.5, 1) }
    const workload = quantity(law(), { method })
    const { report, ...results } = await engine.run(workload, data)
    expect(p99(errorsOf(workload, data, results))).toBeLessThanOrEqual(method.tolerance)
    expect(report.error?.note ?? '').not.toContain('too long')
  })

  it('runs all pairs, and says so, if its derivative is longer than a text may be', async () => {
    const workload = forces(pairPotential(recurrence(60, 'exp(-r/9)'))(), { method })
    const { report } = await engine.run(workload, { position: cube(50) })
    expect(report.error?.note).toBe('all pairs: the expressions of the law are too long for a tree')
    expect(report.evaluated).toBe(report.interactions)
  })
})

describe.each([
  ['a cube', () => cube(count)],
  ['two scales', () => clustered(count)],
])('in %s', (_, place) => {
  it.each(laws)('%s is within the tolerance for 99 %% of targets', async (_, workload) => {
    const data = given(workload, {
      position: place(),
      weight: numbersBetween(next, count, 0.5, 1),
      ...attributes(count),
    })
    const { report, ...results } = await engine.run(workload, data as never)
    const errors = errorsOf(workload, data, results)
    expect(p99(errors)).toBeLessThanOrEqual(method.tolerance)
    expect(report.interactions).toBe(count * count)
    expect(report.error).toMatchObject({ tolerance: 1e-2, ok: true })
    if (report.variant.startsWith('tree (')) {
      expect(report.evaluated).toBeLessThan(count * count)
      expect(report.error?.largest).toBeGreaterThan(0)
      expect(report.error?.targets).toBeGreaterThanOrEqual(60)
      expect(report.error?.largest).toBeLessThanOrEqual((errors.at(-1) as number) * (1 + 1e-12))
    } else expect(report.error?.note).toMatch(/^all pairs: no setting/)
  })
})

it('sums in 2-D, between two sets, and without excluded pairs', async () => {
  const flat = { position: cube(count, 2), dimension: 2, mass: numbersBetween(next, count, 0.5, 1) }
  const layout = forces(pairPotential('-mass_i*mass_j*log(r)')(), { method })
  const inFlat = await engine.run(layout, flat as never)
  expect(inFlat.report.variant).toMatch(/^tree \(simplex/)
  expect(p99(errorsOf(layout, flat, inFlat))).toBeLessThanOrEqual(1e-2)

  const two = {
    targets: { position: cube(300), mass: numbersBetween(next, 300, 1, 2) },
    sources: { position: clustered(900), mass: numbersBetween(next, 900, 1, 2) },
  }
  const pull = accelerations(gravity(), { method })
  const between = await engine.run(pull, two as never)
  expect(between.report.evaluated).toBeLessThan(300 * 900)
  expect(p99(errorsOf(pull, two, between))).toBeLessThanOrEqual(1e-2)

  const exclusions = Array.from({ length: 200 }, (_, n) => [n, n + 300] as const)
  const bonded = potentials(coulomb(), { method, exclusions })
  const data = { position: cube(count), charge: numbersBetween(next, count, 50, 60) }
  const without = await engine.run(bonded, data)
  expect(without.report.evaluated).toBeLessThan(count * count)
  expect(p99(errorsOf(bonded, data, without))).toBeLessThanOrEqual(1e-2)
})

it('adds up totals', async () => {
  const data = { position: cube(count), mass: numbersBetween(next, count, 0.5, 1) }
  const [some, all] = [await engine.run(energy(gravity(), { method }), data), await engine.run(energy(gravity()), data)]
  expect(some.report.variant).toMatch(/^tree/)
  expect(some.energy).not.toBe(all.energy)
  expect(some.energy / all.energy).toBeCloseTo(1, 2)
})

it('runs from JSON, and after it was prepared', async () => {
  const data = { position: cube(count), mass: numbersBetween(next, count, 0.5, 1) }
  const workload = accelerations(gravity(), { method })
  const { acceleration } = await engine.run(workload, data)
  const stored = JSON.parse(JSON.stringify(workload)) as typeof workload
  expect((await engine.run(stored, data)).acceleration).toEqual(acceleration)
  const prepared = await engine.prepare(workload, { count })
  expect((await prepared.run(data)).acceleration).toEqual(acceleration)
  prepared.dispose()
})

it('passes verify within its tolerance, and fails beyond it', async () => {
  const data = { position: cube(count), mass: numbersBetween(next, count, 0.5, 1) }
  const verification = await engine.verify(accelerations(gravity(), { method }), data)
  expect(verification.ok).toBe(true)
  expect(verification.max).toBeGreaterThan(1e-5)
  expect(verification.bound).toBeGreaterThan(1e-2)
  factor = 1
  const backends = [fakeBackend('wrong', { distort, tree: true })]
  await using wrong = await createEngine({ backends, precision: 'f64' })
  factor = 1.005
  expect((await wrong.verify(accelerations(gravity(), { method }), data)).ok).toBe(true)
  factor = 1.2
  expect((await wrong.verify(accelerations(gravity(), { method }), data)).ok).toBe(false)
})

it('is verified like any other sum if all pairs ran', async () => {
  const own = random(18)
  const data = { position: numbersBetween(own, 150, 0, 1), mass: numbersBetween(own, 50, 0.5, 1) }
  const { ok, bound, report } = await engine.verify(accelerations(gravity(), { method }), data)
  expect(report.error?.note).toMatch(/^all pairs: /)
  expect(ok).toBe(true)
  expect(bound).toBeLessThan(1e-13)
  factor = 1
  await using wrong = await createEngine({ backends: [fakeBackend('wrong', { distort })], precision: 'f64' })
  factor = 1.0001
  expect((await wrong.verify(accelerations(gravity(), { method }), data)).ok).toBe(false)
})

it('measures errors with as many sources at once as the device wants', async () => {
  const exclusions = Array.from({ length: 200 }, (_, n) => [n, n + 300] as const)
  const bonded = potentials(coulomb(), { method, exclusions })
  const data = { position: cube(count), charge: numbersBetween(next, count, 50, 60) }
  factor = 1
  const errors = []
  for (const measuredSources of [undefined, 300]) {
    const ranges: (readonly number[] | undefined)[] = []
    const beforeRun = (_: number, options?: RunOptions) => void ranges.push(options?.sources)
    const backends = [fakeBackend('measured', { tree: true, beforeRun, measuredSources })]
    await using other = await createEngine({ backends, precision: 'f64' })
    ranges.length = 0
    errors.push((await other.run(bonded, data)).report.error)
    if (measuredSources)
      expect(ranges.filter((range) => range)).toEqual([
        [0, 300],
        [300, 600],
        [600, 700],
      ])
  }
  const [all, parts] = errors
  expect(parts?.rms).toBeGreaterThan(0)
  expect((parts?.rms as number) / (all?.rms as number)).toBeCloseTo(1, 10)
  expect(parts?.targets).toBe(all?.targets)
})

it('without a method, is exact', async () => {
  expect(accelerations(gravity(), { method: undefined } as never)).toEqual(accelerations(gravity()))
})

describe('where no tree helps', () => {
  it.each([
    ['no points', 0],
    ['one point', 1],
    ['eight points', 8],
  ])('%s give what all pairs give', async (_, points) => {
    const data = { position: cube(points), mass: numbersBetween(next, points, 0.5, 1) }
    const { acceleration, report } = await engine.run(accelerations(gravity(), { method }), data)
    expect(acceleration).toEqual((await engine.run(accelerations(gravity()), data)).acceleration)
    expect(report.variant).toBe('plain')
    expect(report.error).toMatchObject({ largest: 0, targets: 0, ok: true })
    expect(report.error?.note).toMatch(/^all pairs: /)
  })

  it('coincident points give what all pairs give', async () => {
    const data = { position: new Float64Array(3 * count).fill(0.3), mass: new Float64Array(count).fill(1) }
    const { acceleration } = await engine.run(accelerations(gravity(), { method }), data)
    expect(acceleration).toEqual(new Float64Array(3 * count))
  })

  it('a law that jumps runs all pairs, and says why', async () => {
    const steps = sum(pairTerm('mass_j*cos(1000*r)')(), { method: tree({ tolerance: 1e-4 }) })
    const data = { position: cube(300), mass: numbersBetween(next, 300, 0.5, 1) }
    const { report } = await engine.run(steps, data)
    expect(report.evaluated).toBe(300 * 300)
    expect(report.error?.note).toBe('all pairs: no setting that meets the tolerance is faster than all pairs')
  })

  it('a device without a tree runs all pairs, and says so', async () => {
    await using other = await createEngine({ backends: [fakeBackend('plain')], precision: 'f64' })
    const data = { position: cube(50), mass: numbersBetween(next, 50, 0.5, 1) }
    const { report, acceleration } = await other.run(accelerations(gravity(), { method }), data)
    expect(acceleration).toEqual((await other.run(accelerations(gravity()), data)).acceleration)
    expect(report.error?.note).toMatch(/^all pairs: .* has no tree for this workload$/)
  })
})

it('repeats a run whose points exceed the tolerance at the next setting, and keeps that one', async () => {
  await using fresh = await createEngine({ backends: [reference()], precision: 'f64' })
  const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-2 }) })
  const mass = numbersBetween(next, count, 0.5, 1)
  // Two places need no more than a coarse setting.
  const places = cube(count).map((x, n) => (n % 3 === 0 ? Math.round(x) : 0))
  const first = await fresh.run(pull, { position: places, mass })
  expect(first.report.error?.note).toBeUndefined()
  const clusters = { position: cube(count).map((x) => x ** 6), mass }
  const second = await fresh.run(pull, clusters)
  expect(second.report.error?.note).toMatch(/^repeated, because simplex, opening 0\.\d+ had an error of 0\.0/)
  expect(p99(errorsOf(pull, clusters, second))).toBeLessThanOrEqual(1e-2)
  const third = await fresh.run(pull, clusters)
  expect(third.report.error?.note).toBeUndefined()
  expect(third.report.variant).toBe(second.report.variant)
})

it('tries a tree again, after more and more runs, once all pairs were faster', async () => {
  await using fresh = await createEngine({ backends: [reference()], precision: 'f64' })
  const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-2 }) })
  const mass = numbersBetween(next, count, 0.5, 1)
  const together = new Float64Array(3 * count).fill(0.3)
  const variants: string[] = []
  const position = cube(count)
  for (const places of [together, together, together, position, position, position, position])
    variants.push((await fresh.run(pull, { position: places, mass })).report.variant.slice(0, 5))
  expect(variants).toEqual(['plain', 'plain', 'plain', 'plain', 'plain', 'plain', 'tree '])
})

it('gives the arrays of an attempt that failed to the next one', async () => {
  factor = 1
  const arrays: [from: ArrayResults, into: ArrayResults | undefined][] = []
  const afterTree = (from: ArrayResults, options?: RunOptions) => void arrays.push([from, options?.into])
  const backends = [fakeBackend('trees', { tree: true, afterTree })]
  await using other = await createEngine({ backends, precision: 'f64' })
  const pull = accelerations(gravity(), { method: tree({ tolerance: 1e-2 }) })
  const points = clustered(count)
  arrays.length = 0
  await other.run(pull, { position: points, mass: numbersBetween(next, count, 0.5, 1) })
  expect(arrays[0]?.[1]).toBeUndefined()
  const given = arrays.flatMap(([, into], n) => (into ? [[into, arrays[n - 1]?.[0]]] : []))
  expect(given.length).toBeGreaterThan(0)
  for (const [into, before] of given) expect(into).toBe(before)
  // The first attempt has the caller's arrays.
  const into = { acceleration: new Float64Array(3 * count) }
  const first = arrays.length
  const { acceleration } = await other.run(pull, { position: points, mass: new Float64Array(count).fill(1) }, { into })
  expect(arrays[first]?.[1]?.acceleration).toBe(into.acceleration)
  expect(acceleration).toBe(into.acceleration)
})

describe('refuses', () => {
  const pull = (options: object) => accelerations(gravity(), options as never)
  const data = { position: cube(20), mass: numbersBetween(next, 20, 0.5, 1) }
  const rough = sum(pairTerm('exp(-r/size_j)')(), { method })
  it.each([
    ['a tolerance of 2', pull({ method: { kind: 'tree', tolerance: 2 } }), /"tolerance" expected less than 1, got 2/],
    ['no tolerance', pull({ method: { kind: 'tree' } }), /"tolerance" expected number, got/],
    [
      'a misspelt option',
      pull({ method: { kind: 'tree', tolerance: 0.1, opening: 1 } }),
      /"opening" is not an option of a tree/,
    ],
    [
      'another method',
      pull({ method: { kind: 'grid', tolerance: 0.1 } as never }),
      /"method.kind" expected "tree" or "mesh" or "fast", got "grid"/,
    ],
    ['a cutoff', pull({ method, cutoff: 1 }), /"method" does not suit gravity: a cutoff leaves out far points exactly/],
    ['a periodic box', pull({ method, boundary: periodic([1, 1, 1]) }), /in a periodic box .* use a cutoff/],
    [
      'a law that mixes',
      rough,
      /is not linear in functions of the source: "exp\(.*" mixes size_j with r2, .* use a cutoff/,
    ],
  ])('%s', async (_, workload, message) => {
    await expect(engine.run(workload, { ...data, size: data.mass } as never)).rejects.toThrow(message)
    await expect(engine.prepare(workload, { count: 20 })).rejects.toThrow(message)
  })

  it.each([
    [undefined, '"tolerance" expected number, got undefined'],
    [{}, '"tolerance" expected number, got undefined'],
    [{ tolerance: 0 }, '"tolerance" expected finite number > 0, got 0'],
  ])('tree(%j) where it is called', (options, message) => {
    expect(() => tree(options as never)).toThrow(message)
  })

  it('a tolerance finer than float32', async () => {
    await using single = await createEngine({ backends: [reference()] })
    const fine = pull({ method: tree({ tolerance: 1e-7 }) })
    await expect(single.run(fine, data)).rejects.toThrow('"tolerance" expected at least 0.000001 in float32, got 1e-7')
  })

  it.each([null, 0, false, 'tree', [], () => 1])('%s as a method', (value) => {
    expect(() => pull({ method: value })).toThrow('"method" expected tree({ tolerance: 1e-3 })')
  })

  it('a method for anything but a sum', () => {
    const options = { method } as never
    expect(() => reduce('min', pairTerm('r')(), options)).toThrow('"method" is not a domain option')
    expect(() => countWithin(1, options)).toThrow('"method" is not an option of countWithin')
  })
})

it('a run without pairs loads no tree', async () => {
  const backend = fakeBackend('treed')
  const load = vi.fn(async () => undefined)
  const open: typeof backend.open = async (options) => {
    const device = await backend.open(options)
    const prepare: typeof device.prepare = async (...asked) =>
      Object.assign(await device.prepare(...asked), { tree: load })
    return { ...device, prepare }
  }
  await using other = await createEngine({ backends: [{ ...backend, open }] })
  const workload = potentials(coulomb(), { method })
  const none = { position: new Float32Array(), charge: new Float32Array() }
  const one = { position: new Float32Array(3), charge: new Float32Array(1) }
  for (const particles of [none, { targets: one, sources: none }]) {
    const { report } = await other.run(workload, particles)
    expect(report.error?.note).toBe('all pairs: there are no pairs')
  }
  expect(load).not.toHaveBeenCalled()
  await other.run(workload, one)
  expect(load).toHaveBeenCalled()
})
