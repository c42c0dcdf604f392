// Nearest sources, and counts and lists within a radius, by blocks of points against all pairs: alike to the last bit, whatever
// the points, the age of the order and the threads.

import {
  type Boundary,
  countWithin,
  type Device,
  type Dimension,
  nearest,
  neighborsWithin,
  open,
  type PairWorkload,
  type Particles,
  type Program,
  pairTerm,
  periodic,
  reduce,
} from '@manybody/core'
import { type Bound, bind } from '@manybody/core/judge'
import { afterAll, describe, expect, it } from 'vitest'
import { cube, pointSets } from '../../../conformance/test/support/point-sets.ts'
import { devicesOfBothPrecisions } from '../support/devices.ts'
import { spread } from '../support/points.ts'

const count = 450
const square = pairTerm('r2')()
const distance = pairTerm('r')()

const sets: Readonly<Record<string, (dimension: number) => Float32Array | Float64Array>> = {
  ...pointSets(count),
  'a cluster in a cluster': (dimension) =>
    cube(count, dimension).map((x, n) => x * 2 ** -(Math.floor(n / dimension) % 30)),
  'a third at one place': (dimension) =>
    cube(count, dimension).map((x, n) => ((Math.floor(n / dimension) * 7) % 3 ? x : 0.25)),
  'coordinates in two floats': (dimension) =>
    Float64Array.from(cube(count, dimension), (x, n) => (Math.floor(n / dimension) % 2 ? 1e6 : 0) + 1e-3 * x),
  'distances whose squares are too small': (dimension) => Float64Array.from(cube(count, dimension), (x) => 1e-25 * x),
}

const workloads = (boundary: Boundary): Readonly<Record<string, PairWorkload>> => ({
  'the nearest': nearest(1, { boundary }),
  '8 nearest': nearest(8, { boundary }),
  '40 nearest': nearest(40, { boundary }),
  'the nearest half': nearest(257, { boundary }),
  'more than there are within a cutoff': nearest(100, { boundary, cutoff: 0.1 }),
  '12 nearest but some': nearest(12, {
    boundary,
    exclusions: Array.from({ length: 200 }, (_, n) => [n % 50, (n * 3) % 90] as const),
  }),
  '5 nearest with oneself within a cutoff': nearest(5, { boundary, self: 'include', cutoff: 0.22 }),
  'the least square': reduce('min', square, { boundary }),
  'the source at the least distance': reduce('argmin', distance, { boundary }),
  'those within a small radius': countWithin(0.1, { boundary }),
  'those within a large radius': countWithin(0.23, { boundary, self: 'include' }),
  'others within a large radius': countWithin(0.23, { boundary }),
  'a list of those within a small radius': neighborsWithin(0.1, { boundary, self: 'include' }),
  'a list of others within a large radius': neighborsWithin(0.23, { boundary }),
  'a list of all within a large radius but some': neighborsWithin(0.23, {
    boundary,
    exclusions: Array.from({ length: 200 }, (_, n) => [n % 50, (n * 3) % 90] as const),
  }),
})

const devices = devicesOfBothPrecisions()

interface Programs {
  readonly blocks: Program
  readonly all: Program
}

async function programsOf(device: Device, workload: PairWorkload, { shape }: Bound): Promise<Programs> {
  const by = (variant: string) => device.prepare(workload, shape, { variant })
  return { blocks: await by('blocks'), all: await by('simd') }
}

async function resultsOf({ blocks, all }: Programs, { bindings }: Bound) {
  const run = async (program: Program, variant: string) => {
    const results = await program.run(bindings)
    const { report } = program
    expect(report.variant).toMatch(variant)
    return { results, report }
  }
  return { blocks: await run(blocks, 'blocks'), all: await run(all, 'simd') }
}

/** The results by blocks and by all pairs; `before` are points that the program with blocks runs first. */
async function bothWays(device: Device, workload: PairWorkload, particles: Particles, before?: Particles) {
  const bound = bind(workload, particles)
  const programs = await programsOf(device, workload, bound)
  if (before) await programs.blocks.run(bind(workload, before).bindings)
  const found = await resultsOf(programs, bound)
  for (const program of [programs.blocks, programs.all]) program.dispose()
  return found
}

describe.each(['f32', 'f64'] as const)('%s', (precision) => {
  const device = () => devices[precision] as Device
  /** The sets have equal shapes, so each program runs over all of them, one after another. */
  const programs = new Map<string, Programs>()
  afterAll(() => {
    for (const { blocks, all } of programs.values()) for (const program of [blocks, all]) program.dispose()
  })

  // Each set in both dimensions in float32, because the cases below differ by dimension; in float64 in one of them.
  describe.each(Object.entries(sets).map(([name, make], n) => [name, make, n] as const))('%s', (_, make, n) => {
    const dimensions = ([2, 3] as const).filter((dimension) => precision === 'f32' || (n + dimension) % 2 === 1)
    it.each(dimensions)('gives the same results as all pairs, bit for bit, in %i-D', async (dimension: Dimension) => {
      const particles = { dimension, position: make(dimension) }
      const apart = {
        targets: { dimension, position: cube(count, dimension, 2).slice(0, 91 * dimension) },
        sources: particles,
      }
      // Each workload meets itself and another set, in a box and without, in one dimension or the other.
      for (const [n, boundary] of [open(), periodic([0.46, Infinity, 1.5].slice(0, dimension))].entries())
        for (const [m, [name, workload]] of Object.entries(workloads(boundary)).entries()) {
          const bound = bind(workload, (n + m + dimension) % 2 ? particles : apart)
          const key = `${name} ${boundary.kind} ${dimension}`
          const both = programs.get(key) ?? (await programsOf(device(), workload, bound))
          programs.set(key, both)
          const { blocks, all } = await resultsOf(both, bound)
          for (const [result, values] of Object.entries(all.results))
            expect(
              [...values].every((value, n) => Object.is(value, blocks.results[result]?.[n])),
              `${name} ${boundary.kind} ${result}`,
            ).toBe(true)
        }
    })
  })

  it('leaves out most of many equal points', async () => {
    const points = 3000
    const position = cube(points, 3).map((x, n) => (Math.floor(n / 3) % 2 ? x : 0.5))
    // In a box, equal images may have distances that differ by roundings, so fewer are left out.
    for (const [boundary, most] of [
      [open(), 250],
      [periodic([4, 4, 4]), 450],
    ] as const)
      for (const workload of [
        nearest(1, { boundary }),
        nearest(8, { boundary }),
        nearest(40, { boundary }),
        reduce('argmin', distance, { boundary }),
        reduce('min', square, { boundary }),
      ]) {
        const { all, blocks } = await bothWays(device(), workload, { position })
        for (const [name, values] of Object.entries(all.results)) expect(blocks.results[name]).toEqual(values)
        expect(blocks.report.evaluated).toBeLessThan(most * points)
      }
  })

  it('finds the last of many equal points if the others are excluded or beyond their cutoffs', async () => {
    const points = 200
    const particles = { position: cube(points, 3).map(() => 0.5), reach: cube(points, 1).map((_, n) => n - 190) }
    const others = Array.from({ length: points - 10 }, (_, n) => [n, points - 1] as const)
    for (const workload of [nearest(3, { cutoff: 'reach_j' }), nearest(3, { exclusions: others })]) {
      const { all, blocks } = await bothWays(device(), workload, particles)
      expect(blocks.results).toEqual(all.results)
      expect([...(blocks.results.index ?? [])].slice(-3)).toEqual([190, 191, 192])
    }
  })

  it('puts points in order in each run, whatever ran before', async () => {
    const particles = { position: cube(count, 3) }
    const cluster = { position: cube(count, 3, 4).map((x, n) => (n % 3 === 0 && n > 600 ? 1e-3 * x : x)) }
    for (const workload of [nearest(8), reduce('argmin', distance)]) {
      const { all, blocks } = await bothWays(device(), workload, particles)
      const later = await bothWays(device(), workload, particles, cluster)
      for (const [name, values] of Object.entries(all.results))
        expect([...(later.blocks.results[name] ?? [])]).toEqual([...values])
      expect(later.blocks.report.evaluated).toBe(blocks.report.evaluated)
    }
  })

  it('is right where points have become numbers that are not finite', async () => {
    const start = cube(count, 3)
    const lost = start.map((x, n) => (n % 97 === 5 ? ([Number.NaN, Number.POSITIVE_INFINITY][n % 2] as number) : x))
    for (const workload of [nearest(4), countWithin(3)]) {
      const [name = ''] = workload.results
      const { bindings, shape } = bind(workload, { position: start })
      const position = await device().buffer(3 * count)
      await position.write(precision === 'f64' ? Float64Array.from(lost) : lost)
      const moving = { ...bindings.targets, arrays: { position } }
      const found = await Promise.all(
        ['blocks', 'simd'].map(async (variant) => {
          const program = await device().prepare(workload, shape, { variant })
          const result = await device().buffer(count * (workload.k ?? 1))
          const stage = {
            program,
            bindings: { ...bindings, targets: moving, sources: moving },
            outputs: { [name]: result },
          }
          const sequence = await device().sequence([stage])
          await sequence.run(2)
          sequence.dispose()
          program.dispose()
          return [...(await result.read())]
        }),
      )
      expect(found[0]).toEqual(found[1])
    }
  })

  it('lists sources in parts where a few targets reach many', async () => {
    const sources = { position: spread(3 * 5000, 7).map((x) => 1e-2 * x) }
    const targets = { position: spread(3 * 200, 8) }
    for (const boundary of [open(), periodic([1, 1, 1])])
      for (const workload of [
        nearest(8, { boundary }),
        nearest(70, { boundary }),
        reduce('argmin', distance, { boundary }),
      ]) {
        const { blocks, all } = await bothWays(device(), workload, { targets, sources })
        for (const [name, values] of Object.entries(all.results))
          expect([...(blocks.results[name] ?? [])]).toEqual([...values])
      }
  })

  it('computes few pairs', async () => {
    const particles = { position: spread(3 * 6000, 3) }
    for (const boundary of [open(), periodic([1, 1, 1])]) {
      const near = await bothWays(device(), nearest(8, { boundary }), particles)
      expect(near.blocks.report.evaluated / 6000).toBeLessThan(125)
      expect([...(near.blocks.results.index ?? [])]).toEqual([...(near.all.results.index ?? [])])
      const least = await bothWays(device(), reduce('min', distance, { boundary }), particles)
      expect(least.blocks.report.evaluated / 6000).toBeLessThan(75)
      // In a periodic box, no larger radius is allowed.
      const [radius, share] = boundary.kind === 'open' ? [0.8, 0.7] : [0.48, 1]
      const within = await bothWays(device(), countWithin(radius, { boundary }), particles)
      const farthest = reduce('max', square, { cutoff: radius, boundary })
      const { bindings, shape } = bind(farthest, particles)
      const opened = await device().prepare(farthest, shape, { variant: 'blocks' })
      await opened.run(bindings)
      // Nodes that are counted as a whole save these pairs.
      expect(within.blocks.report.evaluated).toBeLessThan(share * opened.report.evaluated)
      opened.dispose()
      expect([...(within.blocks.results.count ?? [])]).toEqual([...(within.all.results.count ?? [])])
    }
  })

  it('finds all other points if k is that large', async () => {
    const { blocks, all } = await bothWays(device(), nearest(255), { position: spread(3 * 256, 6) })
    expect(blocks.results).toEqual(all.results)
  })

  it('finds one neighbour less than k if a block far from all others has no more', async () => {
    const position = spread(3 * 136, 6).map((x, n) => (n < 24 ? x + 100 : x))
    const { blocks, all } = await bothWays(device(), nearest(8, { cutoff: 4 }), { position })
    expect(blocks.results).toEqual(all.results)
    expect([...(all.results.index ?? [])].slice(0, 8)).toContain(-1)
  })
})

it.each([1, 2])('the nearest are found in blocks of %i registers', async (registers) => {
  const device = devices.f32 as Device
  const workload = nearest(3)
  const particles = { position: spread(3 * 85, 9) }
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant: 'blocks', sizes: { registers } })
  const { all } = await bothWays(device, workload, particles)
  expect(await program.run(bindings)).toEqual(all.results)
  expect(program.report.variant).toContain(`blocks (${4 * registers} x 8)`)
  program.dispose()
})
