// Pairs by blocks of points, within a cutoff or nearest, against all pairs, on the software GPU. Exactly the same pairs count, whatever the
// points, their order and the boundary.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgpu } from '@manybody/backend-webgpu'
import {
  accelerations,
  type Backend,
  biotSavart,
  countWithin,
  createEngine,
  type Dimension,
  type DomainOptions,
  energy,
  forces,
  gravity,
  lennardJones,
  nearest,
  open,
  type PairWorkload,
  type Particles,
  pairTerm,
  periodic,
  reduce,
  sum,
  virial,
} from '@manybody/core'
import { bind, deviceNumbers, errorBound, errorNorms, truthOf } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { designsOf } from '../../../packages/backend-webgpu/src/compile/designs/designs.ts'
import { interactionsIn } from '../../../packages/backend-webgpu/src/run/drivers/driver.ts'
import { resultsOf } from '../../../packages/backend-webgpu/src/run/drivers/drivers.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { workIn } from '../../../packages/backend-webgpu/test/support/work.ts'
import { cube, pointSets } from '../../../packages/conformance/test/support/point-sets.ts'
import { wordsAfter } from '../../support/gpu/dispatched.ts'
import { numbers } from '../../support/numbers.ts'
import { deep } from '../../support/share.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

const cutoff = 0.23
const count = 700
const close = pairTerm('exp(-40*r2)')()
const distance = pairTerm('r2')()

/** Each kind of fold. */
const workloads: Readonly<Record<string, (options: DomainOptions) => PairWorkload>> = {
  count: ({ cutoff: radius = 0, ...options }) => countWithin(radius, options),
  nearest: (options) => nearest(5, options),
  'nearest without a cutoff': ({ cutoff: _, ...options }) => nearest(5, options),
  'the nearest 40 without a cutoff': ({ cutoff: _, ...options }) => nearest(40, options),
  'argmin without a cutoff': ({ cutoff: _, ...options }) => reduce('argmin', distance, options),
  'min of r without a cutoff': ({ cutoff: _, ...options }) => reduce('min', pairTerm('r')(), options),
  argmin: (options) => reduce('argmin', distance, options),
  argmax: (options) => reduce('argmax', distance, options),
  max: (options) => reduce('max', distance, options),
  sum: (options) => sum(close, options),
  logsumexp: (options) => reduce('logsumexp', close, options),
}

async function resultsBy(variant: string, workload: PairWorkload, particles: Particles, sizes = {}) {
  const { bindings, shape } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant, sizes })
  const results = await program.run(bindings)
  const { report } = program
  program.dispose()
  expect(report.variant).toContain(variant)
  expect(report.interactions).toBe(shape.targets * shape.sources)
  return { results, report }
}

/** The same pairs count: whole numbers and distances are equal, and sums agree up to rounding. Each chain of a sum may round each term. */
function expectAlike(got: Readonly<Record<string, ArrayLike<number>>>, expected: typeof got): void {
  const bound = 2 * 256 * 2 ** -24
  for (const [name, values] of Object.entries(expected)) {
    const exact = name !== 'value' || 'index' in expected
    const wrong = Array.from(values).filter((value, n) => {
      const is = got[name]?.[n] as number
      return is !== value && (exact || !(Math.abs(is - value) <= bound * (1 + Math.abs(value))))
    })
    expect(wrong, name).toEqual([])
  }
}

/** All programs of a fold: in both dimensions, with and without faces and in a slab, for one set and for two. */
const cases = [2, 3].flatMap((dimension) =>
  [open(), ...[1, Infinity].map((y) => periodic([0.46, y, 1.5].slice(0, dimension)))].flatMap((boundary) =>
    [false, true].map((apart) => ({ dimension: dimension as Dimension, boundary, apart })),
  ),
)

describe.each(Object.entries(workloads))('%s', (name, make) => {
  const turn = Object.keys(workloads).indexOf(name)
  // Here two programs of each fold, which differ in all three properties; in a deep run all.
  const chosen = cases.filter((_, n) => deep || n === turn % 12 || n === 11 - (turn % 12))
  test.each(chosen)('meets the pairs of all pairs in %o', async ({ dimension, boundary, apart }) => {
    const exclusions = Array.from({ length: 60 }, (_, n) => [n % 7, n * 11] as const)
    const workload = make({
      ...{ cutoff, boundary },
      ...(name === 'sum' ? { self: 'include' as const } : {}),
      ...(name !== 'argmax' ? { exclusions } : {}),
    })
    for (const points of Object.values(pointSets)) {
      const set = { dimension, position: points(dimension) }
      const given = apart ? { targets: { dimension, position: cube(90, dimension, 2) }, sources: set } : set
      const { results } = await resultsBy('blocks', workload, given)
      const all = await resultsBy('naive', workload, given)
      expectAlike(results, all.results)
    }
  })
})

test('lists of several rounds are complete and in order, also among equal points and in a cutoff', async () => {
  // Every fifth point lies on one spot, and the others on a coarse grid, so that most distances occur often.
  const position = cube(600, 3).map((x, n) => (Math.floor(n / 3) % 5 === 0 ? 0.5 : Math.round(8 * x) / 8))
  const { results } = await resultsBy('blocks', nearest(67, { cutoff: 0.45 }), { position })
  expectAlike(results, (await resultsBy('naive', nearest(67, { cutoff: 0.45 }), { position })).results)
  expect(results.index).toContain(-1)
})

test('targets in heaps of equal points and beside them meet few of those', async () => {
  const points = 3000
  const spread = { position: cube(points, 3) }
  const place = (n: number) => (n % 2 ? 0.25 : 0.5)
  const heaps = { position: spread.position.map((x, n) => (n < 1.5 * points ? place(Math.floor(n / 3)) : x)) }
  const targets = { position: cube(200, 3, 2) }
  const boundary = periodic([2, 2, 2])
  for (const workload of [nearest(1), nearest(8), nearest(8, { boundary }), reduce('argmin', distance)])
    for (const given of [(sources: typeof spread) => sources, (sources: typeof spread) => ({ targets, sources })]) {
      // Two invocations of a target go by blocks, however evenly points are spread.
      const sizes = { workgroup: 64 }
      const { results, report } = await resultsBy('blocks', workload, given(heaps), sizes)
      expectAlike(results, (await resultsBy('naive', workload, given(heaps))).results)
      const { evaluated } = (await resultsBy('blocks', workload, given(spread), sizes)).report
      expect(report.evaluated).toBeLessThan(1.3 * evaluated)
    }
})

test('long lists of targets in heaps of equal points hold the lowest of those', async () => {
  const position = cube(1500, 3).map((x, n) => (n < 2250 ? (n % 2 ? 0.25 : 0.5) : x))
  for (const given of [{ position }, { targets: { position: cube(100, 3, 2) }, sources: { position } }]) {
    const { results } = await resultsBy('blocks', nearest(40), given)
    expectAlike(results, (await resultsBy('naive', nearest(40), given)).results)
  }
})

test('the last of many equal points are found if the others are excluded or beyond their cutoffs', async () => {
  const points = 200
  const particles = { position: cube(points, 3).map(() => 0.5), reach: cube(points, 1).map((_, n) => n - 190) }
  const others = Array.from({ length: points - 10 }, (_, n) => [n, points - 1] as const)
  for (const workload of [nearest(3, { cutoff: 'reach_j' }), nearest(3, { exclusions: others })]) {
    const { results } = await resultsBy('blocks', workload, particles)
    expect([...(results.index ?? [])].slice(-3)).toEqual([190, 191, 192])
  }
})

test('one point meets at most itself, and nothing meets an empty set of sources', async () => {
  const one = { position: cube(1, 3) }
  const none = { targets: { position: cube(3, 3) }, sources: { position: new Float32Array(0), dimension: 3 as const } }
  for (const [name, make] of Object.entries(workloads).filter(
    ([name]) => deep || /count|nearest|argmin|sum/.test(name),
  ))
    for (const given of [one, none])
      for (const self of ['include', 'exclude'] as const) {
        const some = name.includes('nearest')
        if (some && (given === none || self === 'exclude')) continue
        if (given === none && self === 'include') continue
        const workload = some ? nearest(1, name === 'nearest' ? { cutoff, self } : { self }) : make({ cutoff, self })
        const [{ results }, all] = [
          await resultsBy('blocks', workload, given),
          await resultsBy('naive', workload, given),
        ]
        expectAlike(results, all.results)
      }
})

test('forces, energies and virials differ from those of all pairs only by the order of sums', async () => {
  const sizes = {
    sigma: numbers(count, 5).map((x) => 0.02 + 0.03 * x),
    epsilon: numbers(count, 6),
    mass: numbers(count, 7).map((x) => 1 + x),
  }
  const box = { cutoff, boundary: periodic([1, 1, 1]) }
  const particles = { position: cube(count, 3), ...sizes }
  for (const workload of [
    forces(lennardJones(), box),
    energy(lennardJones(), { cutoff }),
    virial(lennardJones(), { cutoff, switchDistance: 0.2 }),
    accelerations(gravity(), box),
    sum(biotSavart({ softening: 0.1 }), { cutoff }),
  ]) {
    const given = { ...particles, wx: numbers(count, 8), wy: numbers(count, 9), wz: numbers(count, 10) }
    const { results, report } = await resultsBy('blocks', workload, given)
    const { shape, bindings } = bind(workload, given)
    const { scales } = truthOf(workload, shape, bindings)
    const all = await resultsBy('naive', workload, given)
    const [name = ''] = workload.results
    const norms = errorNorms(results[name] ?? [], all.results[name] ?? [], scales[name] ?? [])
    expect(norms.max, name).toBeLessThan(errorBound(report, count))
  }
})

test.each([
  ['one level of nodes above the blocks', 5000, 0.1, [open(), periodic([1, 1, 1])]],
  ['two levels of nodes above the blocks', 70_000, 0.03, [periodic([1, 1, 1])]],
])('counts are right with %s', async (_, many, radius, boundaries) => {
  const processor = await cpuWasm({ threadsFrom: 0 }).open({ threads: 1 })
  const particles = { position: numbers(3 * many, 3).map((x, n) => (n % 3 ? x : x * x)) }
  for (const boundary of boundaries) {
    const workload = countWithin(radius, { boundary })
    const { results, report } = await resultsBy('blocks', workload, particles)
    const { shape, bindings } = bind(workload, particles)
    const program = await processor.prepare(workload, shape, { variant: 'blocks' })
    const expected = await program.run(bindings)
    expect([...(results.count ?? [])].filter((n, at) => n !== expected.count?.[at])).toEqual([])
    expect(report.evaluated).toBeGreaterThan((expected.count as Uint32Array).reduce((a, b) => a + b))
    expect(report.evaluated / many ** 2).toBeLessThan(0.1)
  }
  processor.dispose()
})

test('a random order has the same results, because the order is only a hint', async () => {
  const many = 2500
  const host = await openHost(await findAdapter({}))
  const position = cube(many, 3)
  const keys = numbers(many, 4)
  // Bad orders: the order of other points from an earlier run, and an order by one axis, which puts far points into one block.
  const orders: readonly Float32Array[] = [keys, position.filter((_, n) => n % 3 === 0)]
  for (const [boundary, keys, nearby] of [open(), periodic([1, 1, 1])].flatMap((boundary, n) =>
    [false, true].map((nearby) => [boundary, orders[nearby ? 1 - n : n] as Float32Array, nearby] as const),
  )) {
    const workload = nearby ? nearest(3, { boundary }) : countWithin(0.2, { boundary })
    const [result = '', width] = nearby ? ['index', 3] : ['count', 1]
    const { bindings, shape } = bind(workload, { position })
    const { all } = { all: await resultsBy('naive', workload, { position }) }
    const design = designsOf(workload, shape, host).of({ variant: 'blocks' })
    const run = { bindings, options: {}, budget: () => 1e12 }
    const { scratch, steps } = workIn(design, run, resultsOf(design, bindings, {}, true))
    const [step] = [...steps]
    const order = new Uint32Array((scratch.order ?? 0) / 4)
    order.set(Array.from(keys, (_, n) => n).sort((a, b) => (keys[a] as number) - (keys[b] as number)))
    const rest = step?.dispatches.filter(({ shader }) => !/^(order|cells):/.test(shader.label)) ?? []
    // Boxes, the loop by a grid, which finds none, and the loop over blocks.
    expect(rest).toHaveLength(nearby && boundary.kind === 'open' ? 4 : 3)
    const sizes = Object.fromEntries(Object.entries(scratch).map(([key, bytes]) => [key, bytes / 4]))
    const results = nearby ? { 'result.index': 3 * many, 'result.distance': 3 * many } : { 'result.count': many }
    const arrays = { ...sizes, order, 'points.position': new Float32Array(position), ...results }
    const found = await wordsAfter(host, rest, arrays, `result.${result}`, width * many)
    expect([...found]).toEqual([...(all.results[result] ?? [])])
    if (keys !== orders[0] || nearby) continue
    // Such a bad order leaves out almost no pairs.
    const words = await wordsAfter(host, rest, arrays, 'order', order.length)
    const { evaluated } = step ?? {}
    expect(evaluated && interactionsIn(evaluated, words.subarray(evaluated.first))).toBeGreaterThan(0.5 * many ** 2)
  }
  host.dispose()
})

test('a block with a coordinate that is not finite has all of space as its box', async () => {
  const host = await openHost(await findAdapter({}))
  const workload = countWithin(0.2)
  const position = new Float32Array(cube(64, 3))
  const { bindings, shape } = bind(workload, { position })
  const design = designsOf(workload, shape, host).of({ variant: 'blocks' })
  const run = { bindings, options: {}, budget: () => 1e12 }
  const { scratch, steps } = workIn(design, run, resultsOf(design, bindings, {}, true))
  const before = [...steps].flatMap(({ dispatches }) => dispatches.slice(0, -1))
  const sizes = Object.fromEntries(Object.entries(scratch).map(([key, bytes]) => [key, bytes / 4]))
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    const lost = position.map((x, n) => (n === 40 ? value : x))
    const words = await wordsAfter(host, before, { ...sizes, 'points.position': lost }, 'packed', sizes.packed ?? 0)
    // Eight boxes follow the 64 packed sources. Each corner has three numbers and one to spare.
    const boxes = new Float32Array(words.buffer, 4 * 4 * 64, 8 * 8)
    const infinite = Array.from({ length: 8 }, (_, n) => [...boxes.subarray(8 * n, 8 * n + 3)]).filter((low) =>
      low.every((x) => x < -1e38),
    )
    expect(infinite).toHaveLength(1)
  }
  host.dispose()
})

test('one point far away does not undo the order of the others', async () => {
  const position = cube(4000, 3)
  const far = position.slice()
  far.set([1e30, -1e30, 0])
  const [all, others] = [
    await resultsBy('blocks', countWithin(0.1), { position: far }),
    await resultsBy('blocks', countWithin(0.1), { position }),
  ]
  expect(all.report.evaluated).toBeLessThan(1.3 * others.report.evaluated)
})

test('coordinates in two floats and another unit of length are computed right', async () => {
  const spread = numbers(3 * count, 11)
  const far = Float64Array.from(spread, (x, n) => (n % 2 ? 1e7 : -1e7) * Number(n % 3 === 0) + x)
  const tiny = Float64Array.from(spread, (x) => x * 1e-20)
  const given: readonly [Float64Array, number, readonly number[] | undefined][] = [
    [far, cutoff, undefined],
    [far, cutoff, [1e8, 1e8, 1e8]],
    [tiny, cutoff * 1e-20, undefined],
  ]
  for (const [position, radius, lengths] of given) {
    const boundary = lengths ? periodic(lengths) : open()
    for (const workload of [countWithin(radius, { boundary }), nearest(3, { boundary })]) {
      const { shape, bindings } = deviceNumbers(bind(workload, { position }), 'f32')
      expect(shape.split ?? shape.scaled).toBe(true)
      const [name = ''] = workload.results
      const found = await Promise.all(
        ['blocks', 'naive'].map(async (variant) => {
          const program = await device.prepare(workload, shape, { variant })
          const { [name]: numbers = [] } = await program.run(bindings)
          program.dispose()
          return [...numbers]
        }),
      )
      expect(found[0]).toEqual(found[1])
      expect(Math.max(...(found[0] ?? []))).toBeGreaterThan(2)
    }
  }
})

test('a sequence uses the positions of each round, and a point that is not finite disturbs no other', async () => {
  const workload = countWithin(cutoff)
  const { bindings, shape } = bind(workload, { position: cube(count, 3) })
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  const [position, result] = [await device.buffer(3 * count), await device.buffer(count)]
  const points = { ...bindings.targets, arrays: { position } }
  const stage = { program, bindings: { ...bindings, targets: points, sources: points }, outputs: { count: result } }
  const sequence = await device.sequence([stage])
  for (const seed of [1, 2]) {
    const next = cube(count, 3, seed)
    const { results } = await resultsBy('naive', workload, { position: next })
    await position.write(next)
    await sequence.run(2)
    expect([...(await result.read())]).toEqual([...(results.count ?? [])])
    const lost = next.slice()
    for (const [n, value] of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].entries())
      lost[3 * (100 * n + 7) + n] = value
    await position.write(lost)
    await sequence.run(1)
    const counted = await result.read()
    const others = new Float32Array(next)
    for (const n of [0, 1, 2]) others[3 * (100 * n + 7)] = 1000 + n
    const without = (await resultsBy('naive', workload, { position: others })).results.count as Uint32Array
    expect([...counted].filter((found, n) => n % 100 !== 7 && found !== without[n])).toEqual([])
  }
  sequence.dispose()
  program.dispose()
})

test('a simulation resumes bit for bit wherever it stops', async () => {
  const side = 8
  const atoms = side ** 3
  const lengths = [9, 9, 9]
  const particles = {
    position: Float32Array.from({ length: 3 * atoms }, (_, n) => {
      const axis = n % 3
      return (9 / side) * (Math.floor(Math.floor(n / 3) / side ** axis) % side) + 0.1 * Math.sin(n * n)
    }),
    velocity: Float32Array.from({ length: 3 * atoms }, (_, n) => Math.sin(7 * n)),
    ...{ sigma: new Float32Array(atoms).fill(1), epsilon: new Float32Array(atoms).fill(1) },
    mass: new Float32Array(atoms).fill(1),
  }
  const after = async (variant: string, ...steps: readonly number[]) => {
    const backend: Backend = {
      name: 'webgpu',
      probe: () => webgpu().probe(),
      open: async () => {
        const opened = await webgpu().open()
        const prepare = opened.prepare.bind(opened)
        opened.prepare = (workload, shape) =>
          prepare(workload, shape, workload.loop === 'pair' && workload.domain.cutoff ? { variant } : undefined)
        return opened
      },
    }
    const engine = await createEngine({ backends: [backend] })
    const simulation = await engine.simulate({
      law: lennardJones(),
      ...{ particles, dt: 0.004, domain: { cutoff: 2.5, boundary: periodic(lengths) } },
    })
    for (const n of steps) await simulation.step(n)
    const position = await simulation.read('position')
    await engine.dispose()
    return position
  }
  const [whole, parts, all] = [await after('blocks', 6), await after('blocks', 2, 4), await after('naive', 6)]
  expect(parts).toEqual(whole)
  expect(Math.max(...whole.map((x, n) => Math.abs(x - (all[n] as number))))).toBeLessThan(2e-5)
})

test('blocks are refused if they do not fit', async () => {
  const refused = (workload: PairWorkload, sizes = {}) =>
    device.prepare(workload, bind(workload, { position: cube(40, 3) }).shape, { variant: 'blocks', sizes })
  const counting = countWithin(cutoff)
  await expect(refused(sum(close))).rejects.toThrow(
    '"variant" blocks is for workloads in 2-D or 3-D that have a cutoff or keep the nearest sources; name another variant',
  )
  await expect(refused(counting, { parts: 2 })).rejects.toThrow(
    '"sizes" expected workgroup, targets, unroll, got parts',
  )
  await expect(refused(counting, { workgroup: 48 })).rejects.toThrow('"workgroup" expected a power of two from 32')
  await expect(refused(counting, { unroll: 3 })).rejects.toThrow('"unroll" expected a power of two from 1 to 16, got 3')
  await expect(refused(counting, { targets: 128 })).rejects.toThrow('"targets" expected a power of two from 8 to 64')
})

test('every size has the same results', async () => {
  const workload = nearest(5, { cutoff, boundary: periodic([1, 1, 1]) })
  const particles = { position: cube(count, 3) }
  const all = await resultsBy('naive', workload, particles)
  for (const sizes of [
    { workgroup: 32, targets: 8, unroll: 1 },
    { workgroup: 64, targets: 64, unroll: 2 },
    { workgroup: 128, targets: 16, unroll: 4 },
  ]) {
    const { results, report } = await resultsBy('blocks', workload, particles, sizes)
    expect(report.variant).toBe(
      `blocks (workgroup ${sizes.workgroup}, targets ${sizes.targets}, unroll ${sizes.unroll})`,
    )
    expectAlike(results, all.results)
  }
})
