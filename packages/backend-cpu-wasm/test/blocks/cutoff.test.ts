// Pairs within a cutoff by blocks of points against all pairs: exactly the same pairs count, whatever the points, the age of
// the order, the threads and their memory.

import {
  type ArrayResults,
  accelerations,
  countWithin,
  type Device,
  type DomainOptions,
  forces,
  gravity,
  type Interaction,
  lennardJones,
  nearest,
  open,
  type PairWorkload,
  type Particles,
  type Precision,
  type Program,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
} from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'
import { type Bound, bind } from '@manybody/core/judge'
import { reachOf } from '@manybody/core/near'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { cube, pointSets } from '../../../conformance/test/support/point-sets.ts'
import { blockTree } from '../../../core/src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../../core/src/methods/ranges/boxes.ts'
import { walkWithin } from '../../../core/src/methods/ranges/cutoff-walk.ts'
import { orderPoints, type Points } from '../../../core/src/methods/ranges/order.ts'
import { largestOf } from '../../../core/src/methods/ranges/reach.ts'
import { cpuWasm } from '../../src/index.ts'
import { devicesOfBothPrecisions } from '../support/devices.ts'
import { spread } from '../support/points.ts'
import { watchWorkers } from '../support/workers.ts'

const cutoff = 0.23
const count = 700
const close = pairTerm('exp(-40*r2)')()
const distance = pairTerm('r2')()

/** Each kind of fold. */
const workloads: Readonly<Record<string, (options: DomainOptions) => PairWorkload>> = {
  count: ({ cutoff: radius = 0, ...options }) => countWithin(radius, options),
  nearest: (options) => nearest(5, options),
  argmin: (options) => reduce('argmin', distance, options),
  argmax: (options) => reduce('argmax', distance, options),
  sum: (options) => sum(close, options),
  logsumexp: (options) => reduce('logsumexp', close, options),
}

const sets = { 'one point': (dimension: number) => cube(1, dimension), ...pointSets(count) }

const devices = devicesOfBothPrecisions()
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** The results of a plan; `more` are points that its program runs first. */
async function resultsBy(
  device: Device,
  variant: string,
  workload: PairWorkload,
  particles: Particles,
  ...more: readonly Particles[]
) {
  const bound = bind(workload, particles)
  const program = await device.prepare(workload, bound.shape, { variant })
  for (const before of more) await program.run(bind(workload, before).bindings)
  const found = await resultsOf(program, variant, bound)
  program.dispose()
  return found
}

async function resultsOf(program: Program, variant: string, { bindings, shape }: Bound) {
  const results = await program.run(bindings)
  const { report } = program
  expect(report.variant).toMatch(variant === 'blocks' ? /^blocks \(8 x 8\)/ : /^simd/)
  expect(report.interactions).toBe(shape.targets * shape.sources)
  return { results, report }
}

/**
 * The same pairs counted: whole numbers and distances alike, sums up to rounding. A tile adds up to 256 terms, and each of the
 * two sums may round each.
 */
function expectAlike(got: ArrayResults, expected: ArrayResults, precision: Precision): void {
  const bound = 2 * 256 * (precision === 'f32' ? 2 ** -24 : 2 ** -53)
  for (const [name, values] of Object.entries(expected)) {
    const exact = name !== 'value' || 'index' in expected
    const wrong = [...values].filter((value, n) => {
      const is = got[name]?.[n] as number
      return is !== value && (exact || !(Math.abs(is - value) <= bound * (1 + Math.abs(value))))
    })
    expect(wrong, name).toEqual([])
  }
}

describe.each(['f32', 'f64'] as const)('%s', (precision) => {
  const device = () => devices[precision] as Device
  /** Sets of equal shapes share programs, which run over one after another. */
  const programs = new Map<string, Program>()
  afterAll(() => {
    for (const program of programs.values()) program.dispose()
  })

  // Each set in both dimensions in float32, because slabs have other folds in each; in float64 in one of them.
  describe.each(Object.entries(sets).map(([name, make], n) => [name, make, n] as const))('%s', (_, make, n) => {
    const dimensions = ([2, 3] as const).filter((dimension) => precision === 'f32' || (n + dimension) % 2 === 1)
    it.each(dimensions)('meets the same pairs as all pairs do, in %i-D', async (dimension) => {
      const particles = { dimension, position: make(dimension) }
      const apart = { targets: { dimension, position: cube(90, dimension, 2) }, sources: particles }
      const boundaries = [open(), ...[1, Infinity].map((y) => periodic([0.46, y, 1.5].slice(0, dimension)))]
      for (const [turn, boundary] of boundaries.entries())
        for (const [name, workload] of Object.entries(workloads).filter((_, n) => turn < 2 || n % 2 === dimension % 2))
          for (const given of [particles, apart]) {
            const exclusions = Array.from({ length: 60 }, (_, n) => [n % 7, n * 11] as const)
            const fits = given === particles ? particles.position.length > 60 * 11 * dimension : count > 60 * 11
            const domain: DomainOptions = {
              ...{ cutoff, boundary },
              ...(name === 'sum' ? { self: 'include' as const } : {}),
              ...(fits && particles.position.length > dimension && name !== 'argmax' ? { exclusions } : {}),
            }
            if (name === 'nearest' && particles.position.length === dimension) continue
            const workloadHere = workload(domain)
            const bound = bind(workloadHere, given)
            const by = async (variant: string) => {
              const { targets, sources } = bound.shape
              const key = [variant, name, turn, dimension, targets, sources, given === apart].join(' ')
              const program = programs.get(key) ?? (await device().prepare(workloadHere, bound.shape, { variant }))
              programs.set(key, program)
              return (await resultsOf(program, variant, bound)).results
            }
            expectAlike(await by('blocks'), await by('simd'), precision)
          }
    })
  })

  it('gives right results with an old order, and with that of other points', async () => {
    const now = { position: cube(count, 3) }
    const others = { position: cube(count, 3, 5) }
    const before = { position: now.position.map((x, n) => x + 0.2 * Math.sin(n)) }
    for (const boundary of [open(), periodic([0.5, 1, 1.5])])
      for (const make of Object.values(workloads)) {
        const workload = make({ cutoff, boundary })
        const all = await resultsBy(device(), 'simd', workload, now)
        for (const earlier of [others, before]) {
          const { results } = await resultsBy(device(), 'blocks', workload, now, earlier)
          expectAlike(results, all.results, precision)
        }
      }
  })

  it('computes forces and energies', async () => {
    const sizes = { sigma: spread(count, 5, 0.02, 0.05), epsilon: spread(count, 6) }
    const particles = { position: cube(count, 3), ...sizes }
    const law: Interaction = lennardJones()
    for (const workload of [forces(law, { cutoff }), potentials(law, { cutoff, boundary: periodic([1, 1, 1]) })]) {
      const [name = ''] = workload.results
      const { results } = await resultsBy(device(), 'blocks', workload, particles)
      const all = await resultsBy(device(), 'simd', workload, particles)
      const scale = Math.max(...(all.results[name] as Float32Array).map(Math.abs))
      for (const [n, value] of (all.results[name] ?? []).entries())
        expect(Math.abs((results[name]?.[n] as number) - value) / scale).toBeLessThan(1e-6)
    }
  })

  it('gives right results where only some pairs need images', async () => {
    const inside = cube(3000, 3)
    const sets: Readonly<Record<string, readonly Float32Array[]>> = {
      'inside the box': [inside],
      'some in other boxes': [inside.map((x, n) => x + (n % 21 < 3 ? 3 - (n % 5) : 0))],
      'moved over the faces since they were put in order': [
        inside.map((x, n) => (x + 0.04 * Math.sin(n) + 1) % 1),
        inside,
      ],
    }
    const exclusions = Array.from({ length: 300 }, (_, n) => [n, (n * 7 + 1) % 3000] as const)
    for (const [now, ...earlier] of Object.values(sets))
      for (const name of ['count', 'argmin', 'sum'])
        for (const domain of [{ exclusions }, {}]) {
          const all = { cutoff: 0.1, boundary: periodic([1, 1, 1]), ...domain }
          const workload = (workloads[name] as (options: DomainOptions) => PairWorkload)(all)
          const before = earlier.map((position) => ({ position }))
          const { results } = await resultsBy(
            device(),
            'blocks',
            workload,
            { position: now as Float32Array },
            ...before,
          )
          const expected = await resultsBy(device(), 'simd', workload, { position: now as Float32Array })
          expectAlike(results, expected.results, precision)
        }
  })

  it('meets few sources where the cutoff is nearly half of a periodic box, and the right ones', async () => {
    const position = cube(3000, 3)
    for (const name of ['argmax', 'sum']) {
      const workload = (workloads[name] as (options: DomainOptions) => PairWorkload)({
        cutoff: 0.38,
        boundary: periodic([1, 1, 1]),
      })
      const { results, report } = await resultsBy(device(), 'blocks', workload, { position })
      expect(report.evaluated).toBeLessThan(0.45 * 3000 ** 2)
      expectAlike(results, (await resultsBy(device(), 'simd', workload, { position })).results, precision)
    }
  })

  it('meets the sources near the box of each block, among those of a walk in core', async () => {
    const count = 3000
    const cutoff = 0.12
    for (const lengths of [[], [1, 1, 1]]) {
      const boundary = lengths.length > 0 ? periodic(lengths) : open()
      const position = cube(count, 3)
      const { report } = await resultsBy(device(), 'blocks', countWithin(cutoff, { boundary }), { position })
      const points: Points = { position, dimension: 3, lengths }
      const tree = blockTree(count)
      orderPoints(points, tree)
      fitBoxes(points, tree)
      const rules = { cutoff, precision, dimension: 3, periodic: lengths.length > 0, split: false, unit: 1 }
      const rule = { reach: reachOf({ ...rules, most: largestOf(position) }), dimension: 3, lengths }
      // A source may be dropped only if it is farther than the cutoff from the box. Few sources beyond the cutoff are kept.
      let [least, most, all] = [0, 0, 0]
      for (let block = 0; block * blockPoints < count; block++) {
        const box = tree.blocks.subarray(block * 8, block * 8 + 6)
        const targets = Math.min(blockPoints, count - block * blockPoints)
        walkWithin(tree, box, rule, (first, last) => {
          all += (last - first) * targets
          for (let place = first; place < last; place++) {
            const gaps = [0, 1, 2].map((axis) => {
              const apart = (position[3 * (tree.order[place] as number) + axis] as number) - (box[axis] as number)
              const image = lengths.length > 0 ? Math.round(apart) : 0
              return Math.max(0, Math.abs(apart - image) - (box[3 + axis] as number))
            })
            const gap = Math.hypot(...gaps)
            if (gap <= cutoff) least += targets
            if (gap <= cutoff * (1 + 2 ** -12)) most += targets
          }
        })
      }
      expect(report.evaluated).toBeGreaterThanOrEqual(least)
      expect(report.evaluated).toBeLessThanOrEqual(most)
      expect(most).toBeLessThan(0.6 * all)
    }
  })

  it('computes the same pairs and the same bits of sums whatever ran before', async () => {
    for (const boundary of [open(), periodic([0.5, 1, 1.5])]) {
      const workload = sum(close, { cutoff, boundary })
      const position = cube(count, 3)
      const once = await resultsBy(device(), 'blocks', workload, { position })
      const nearly = { position: position.map((x, n) => x + 0.01 * Math.sin(n * n)) }
      for (const before of [nearly, { position: cube(count, 3, 8) }, { position: new Float32Array(3 * count) }]) {
        const again = await resultsBy(device(), 'blocks', workload, { position }, before)
        expect(again.results).toEqual(once.results)
        expect(again.report.evaluated).toBe(once.report.evaluated)
      }
    }
  })

  it('meets pairs of near targets once, and both receive', async () => {
    const position = cube(3000, 3)
    const mass = spread(3000, 2).map((x) => 0.5 + x)
    // Seven points of 21 have coordinates in another box, so that blocks meet some of their own points by images.
    const moved = position.map((x, n) => x + (n % 21 < 7 ? (n % 5) - 2 : 0))
    for (const [boundary, points] of [
      [open(), position],
      [periodic([1, 1, 1]), position],
      [periodic([1, 1, 1]), moved],
    ] as const) {
      const domain = { cutoff, boundary }
      const every = await resultsBy(device(), 'blocks', reduce('max', distance, domain), { position: points })
      // Both points of a pair receive the same term, its opposite, or a multiple of it.
      for (const [workload, name] of [
        [sum(close, domain), 'value'],
        [forces(gravity({ softening: 0.1 }), domain), 'force'],
        [accelerations(gravity({ softening: 0.1 }), domain), 'acceleration'],
      ] as const) {
        const particles = { position: points, mass }
        const { results, report } = await resultsBy(device(), 'blocks', workload, particles)
        expect(report.evaluated).toBeLessThan(0.9 * every.report.evaluated)
        const all = await resultsBy(device(), 'simd', workload, particles)
        const scale = Math.max(...(all.results[name] as Float32Array).map(Math.abs))
        for (const [n, value] of (all.results[name] ?? []).entries())
          expect(Math.abs((results[name]?.[n] as number) - value) / scale).toBeLessThan(1e-6)
      }
    }
  })

  it('continues after a run was aborted while points were being ordered', async () => {
    const workload = countWithin(cutoff)
    const position = cube(40_000, 3)
    const program = await device().prepare(workload, bind(workload, { position }).shape, { variant: 'blocks' })
    const { bindings } = bind(workload, { position })
    const all = await program.run(bindings)
    const abort = new AbortController()
    const stopped = program.run(bind(workload, { position: cube(40_000, 3, 4) }).bindings, {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
    expect(await program.run(bindings)).toEqual(all)
    program.dispose()
  })

  it('gives right results while points move in a sequence', async () => {
    const workload = countWithin(cutoff)
    const start = cube(count, 3)
    const { bindings, shape } = bind(workload, { position: start })
    const program = await device().prepare(workload, shape, { variant: 'blocks' })
    const [position, result] = [await device().buffer(3 * count), await device().buffer(count)]
    await position.write(start)
    const moving = { ...bindings.targets, arrays: { position } }
    const sequence = await device().sequence([
      { program, bindings: { ...bindings, targets: moving, sources: moving }, outputs: { count: result } },
    ])
    for (const seed of [1, 2, 3]) {
      const next = cube(count, 3, seed)
      await position.write(precision === 'f64' ? Float64Array.from(next) : next)
      await sequence.run(2)
      const { results } = await resultsBy(device(), 'simd', workload, { position: next })
      expect([...(await result.read())]).toEqual([...(results.count ?? [])])
    }
    sequence.dispose()
    program.dispose()
  })
})

it('computes on copies where memory is not shared', async () => {
  vi.stubGlobal('SharedArrayBuffer', undefined)
  watchWorkers()
  const workload = sum(close, { cutoff })
  const particles = { position: cube(3000, 3) }
  const device = await cpuWasm({ threadsFrom: 0 }).open({ threads: 2 })
  const { bindings, shape } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  let results = await program.run(bindings)
  const alone = program.report.evaluated
  for (let attempt = 0; attempt < 10_000 && !program.report.variant.includes('2 threads'); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    results = await program.run(bindings)
  }
  expect(program.report.variant).toBe('blocks (8 x 8), 2 threads')
  expect(program.report.evaluated).toBe(alone)
  const all = await resultsBy(device, 'simd', workload, particles)
  expectAlike(results, all.results, 'f32')
  device.dispose()
})

it('runs over ranges as all pairs do', async () => {
  const device = devices.f32 as Device
  const workload = countWithin(cutoff)
  const { bindings, shape } = bind(workload, { position: cube(count, 3) })
  const program = await device.prepare(workload, shape, { variant: 'blocks' })
  const whole = await program.run(bindings)
  const part = await program.run(bindings, { targets: [10, 40] })
  expect(program.report.variant).toMatch(/^simd/)
  expect(program.report.evaluated).toBe(30 * count)
  expect([...(part.count ?? [])]).toEqual([...(whole.count ?? [])].slice(10, 40))
  program.dispose()
})

it.each([
  ['no cutoff', sum(close), { variant: 'blocks' }, '"variant" expected simd, because blocks need a cutoff'],
  [
    'more targets than a block has',
    sum(close, { cutoff }),
    { variant: 'blocks', sizes: { registers: 4 } },
    '"registers" expected at most 2',
  ],
])('refuses %s', async (_, workload, plan, message) => {
  const { shape } = bind(workload, { position: cube(10, 3) })
  await expect(devices.f32?.prepare(workload, shape, plan)).rejects.toThrow(message)
})
