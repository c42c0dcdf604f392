// Cutoffs of pairs by blocks: each pair is looked for as far as the sizes of its points, and exactly the same pairs count as among all.

import {
  countWithin,
  type Device,
  type DomainOptions,
  forces,
  neighborsWithin,
  type PairWorkload,
  type Particles,
  pairPotential,
  pairTerm,
  periodic,
  type Report,
  sum,
} from '@manybody/core'
import { usualCutoff } from '@manybody/core/backend'
import { bind } from '@manybody/core/judge'
import { describe, expect, it } from 'vitest'
import { randomOf } from '../../../conformance/src/random.ts'
import { devicesOfBothPrecisions } from '../support/devices.ts'

const count = 1500
const devices = devicesOfBothPrecisions()

/** Points in a cube of edge 1, of which few are large. */
function circles(points: number, dimension: number, seed: number) {
  const random = randomOf(seed)
  const radius = random.array(points, 0, 1).map((x) => (x < 0.01 ? 0.16 : 0.03 * 1000 ** -x))
  return {
    dimension: dimension as 2 | 3,
    position: random.array(dimension * points, 0, 1),
    radius,
    // Other sizes than the radii, some of them 0.
    other: random.array(points, 0, 1).map((x) => (x < 0.2 ? 0 : 0.02 * x)),
  }
}

async function resultsBy(device: Device, variant: string, workload: PairWorkload, particles: Particles) {
  const { bindings, shape } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant })
  const share = ({ evaluated, interactions }: Report) => (evaluated ?? interactions) / interactions
  const results = await program.run(bindings)
  const evaluated = share(program.report)
  const { [usualCutoff]: _, ...parameters } = bindings.parameters
  if (variant === 'blocks') await program.run({ ...bindings, parameters })
  // The share of pairs that points meet if all look as far as the longest reach.
  const byLongest = share(program.report)
  program.dispose()
  return { results, evaluated, byLongest }
}

/** Points in a cube of edge 10, of which every hundredth is large. */
function rarelyLarge() {
  const random = randomOf(74)
  return {
    position: random.array(3 * count, 0, 10),
    radius: Float64Array.from({ length: count }, (_, n) => (n % 100 ? 0.2 : 1.4)),
    q: random.array(count, -2, -1),
    big: new Float64Array(count).fill(1e20),
    small: Float64Array.from({ length: count }, (_, n) => 1e-20 * (n % 100 ? 5 : 17)),
  }
}

const one = pairTerm('1', { parameters: { k: 1.5 } })()
const touching = pairPotential('(1 - r/(radius_i + radius_j))^2')()
const texts = [
  'radius_i + radius_j',
  '1.5*radius_j',
  'k*max(radius_i, other_j)',
  'sqrt(radius_i*radius_j)',
  'radius_i - 0.5*other_j',
]
const domains: Readonly<Record<string, (dimension: number) => DomainOptions>> = {
  'open space': () => ({}),
  'a periodic box': (dimension) => ({ boundary: periodic([1, 0.8, 0.9].slice(0, dimension)) }),
  'a wire': (dimension) => ({ boundary: periodic([Infinity, 0.9, Infinity].slice(0, dimension)) }),
  'open space, with exclusions': () => ({
    exclusions: Array.from({ length: count / 2 }, (_, n) => [2 * n, 2 * n + 1] as const),
  }),
}

describe.each(['f32', 'f64'] as const)('in %s', (precision) => {
  describe.each(Object.entries(domains))('in %s', (_, domain) => {
    it.each([2, 3])('the same pairs count in %d-D', async (dimension) => {
      const device = devices[precision] as Device
      const points = circles(count, dimension, 7 + dimension)
      for (const cutoff of texts) {
        const workload = sum(one, { ...domain(dimension), cutoff })
        const blocks = await resultsBy(device, 'blocks', workload, points)
        const all = await resultsBy(device, 'simd', workload, points)
        expect(blocks.results.value, cutoff).toEqual(all.results.value)
        expect(blocks.evaluated, cutoff).toBeLessThan(0.9 * blocks.byLongest)
      }
    })
  })

  it.each([
    ['h*h/(m*e)*(radius_i + radius_j)', { h: 6.6e-34, m: 1e-26, e: 4.3e-41 }, true],
    // No pair reaches as far as a branch that has no value.
    ['min(radius_i + radius_j, sqrt(q_j))', {}, false],
    ['min(3.5, select(q_j > 0, radius_i + sqrt(q_j), radius_i + radius_j))', {}, false],
    ['radius_i + radius_j + z*big_i*big_j', { z: 0 }, true],
    // Squares of float32 underflow.
    ['k*small_i*small_j', { k: 1e38 }, true],
  ] as const)('the same pairs count within %s', async (cutoff, parameters, bySizes) => {
    const device = devices[precision] as Device
    const { position, ...attributes } = rarelyLarge()
    const used = Object.entries(attributes).filter(([name]) => cutoff.includes(`${name}_`))
    const particles = { position, ...Object.fromEntries(used) } as Particles
    const workload = countWithin(cutoff, { parameters: { ...parameters } })
    const { results, evaluated, byLongest } = await resultsBy(device, 'blocks', workload, particles)
    expect(results).toEqual((await resultsBy(device, 'simd', workload, particles)).results)
    expect((results.count as Uint32Array).reduce((sum, n) => sum + n, 0)).toBeGreaterThan(200)
    if (bySizes) expect(evaluated).toBeLessThan(0.9 * byLongest)
    else expect(evaluated).toBe(byLongest)
  })

  it('no pair is lost if a radius is not a number and its cutoff is one', async () => {
    const device = devices[precision] as Device
    const { position, radius } = rarelyLarge()
    const workload = countWithin('select(radius_j > 0, radius_i + radius_j, 1.4)')
    const { bindings, shape } = bind(workload, { position, radius })
    const broken = radius.map((r, n) => (n % 50 === 7 ? Number.NaN : r))
    const set = { ...bindings.targets, arrays: { ...bindings.targets.arrays, radius: broken } }
    const [blocks, all] = await Promise.all(
      ['blocks', 'simd'].map(async (variant) => {
        const program = await device.prepare(workload, shape, { variant })
        const { count } = await program.run({ ...bindings, targets: set, sources: set })
        program.dispose()
        return count
      }),
    )
    expect(blocks).toEqual(all)
  })

  it('two sets have sizes of their own', async () => {
    const device = devices[precision] as Device
    const particles = { targets: circles(333, 3, 21), sources: circles(count, 3, 22) }
    for (const cutoff of texts) {
      const workload = sum(one, { cutoff })
      const blocks = await resultsBy(device, 'blocks', workload, particles)
      const all = await resultsBy(device, 'simd', workload, particles)
      expect(blocks.results.value, cutoff).toEqual(all.results.value)
    }
  })

  it('counts, lists and shared forces agree with all pairs', async () => {
    const device = devices[precision] as Device
    const points = circles(count, 2, 31)
    for (const workload of [countWithin('radius_i + radius_j'), neighborsWithin('radius_i + radius_j')]) {
      const blocks = await resultsBy(device, 'blocks', workload, points)
      expect(blocks.results).toEqual((await resultsBy(device, 'simd', workload, points)).results)
    }
    const workload = forces(touching, { cutoff: 'radius_i + radius_j' })
    const got = (await resultsBy(device, 'blocks', workload, points)).results.force as Float32Array
    const expected = (await resultsBy(device, 'simd', workload, points)).results.force as Float32Array
    const largest = Math.max(...expected.map(Math.abs))
    const off = Math.max(...got.map((x, n) => Math.abs(x - (expected[n] as number))))
    expect(off).toBeLessThan(largest * (precision === 'f32' ? 1e-5 : 1e-13))
    expect(largest).toBeGreaterThan(1)
  })

  it('circles that touch in one point count', async () => {
    const device = devices[precision] as Device
    // A lattice with sums of two radii that are distances of its points, without any rounding.
    const edge = 12
    const axis = (place: number) =>
      Float64Array.from({ length: edge ** 3 }, (_, n) => Math.floor(n / edge ** place) % edge)
    const [x, y, z] = [axis(0), axis(1), axis(2)]
    const position = Float64Array.from({ length: 3 * edge ** 3 }, (_, n) => [x, y, z][n % 3]?.[Math.floor(n / 3)] ?? 0)
    const radius = x.map((_, n) => (n % 97 === 0 ? 4.5 : 0.5))
    const workload = countWithin('radius_i + radius_j')
    const blocks = await resultsBy(device, 'blocks', workload, { position, radius })
    const all = await resultsBy(device, 'simd', workload, { position, radius })
    expect(blocks.results).toEqual(all.results)
    expect(blocks.evaluated).toBeLessThan(0.5)
  })

  it('few large points do not make the others meet all', async () => {
    const device = devices[precision] as Device
    const points = circles(8000, 2, 41)
    // The largest two touch at a third of the edge, so within that distance is a quarter of all.
    const workload = countWithin('radius_i + radius_j')
    const { evaluated, results } = await resultsBy(device, 'blocks', workload, points)
    const partners = (results.count as Uint32Array).reduce((sum, n) => sum + n, 0) / 8000
    expect(evaluated * 8000).toBeLessThan(6 * partners)
    // All the same size, they share one reach.
    const alike = { ...points, radius: points.radius.map(() => 0.01) }
    expect((await resultsBy(device, 'blocks', workload, alike)).evaluated).toBeLessThan(0.01)
  })

  it('one program looks farther when points grow, and less far when they shrink', async () => {
    const device = devices[precision] as Device
    const points = circles(count, 3, 51)
    const workload = sum(one, { cutoff: 'radius_i + radius_j' })
    const { shape } = bind(workload, points)
    const [blocks, all] = [
      await device.prepare(workload, shape, { variant: 'blocks' }),
      await device.prepare(workload, shape, { variant: 'simd' }),
    ]
    for (const factor of [1, 1.2, 0, 1, 1.2]) {
      // The largest keep their size, so the longest reach stays. A factor of 0 makes all alike.
      const radius = points.radius.map((r) => (factor === 0 ? 0.05 : r < 0.1 ? 4 * factor * r : r))
      const { bindings } = bind(workload, { ...points, radius })
      expect((await blocks.run(bindings)).value).toEqual((await all.run(bindings)).value)
    }
    for (const program of [blocks, all]) program.dispose()
  })

  it.each(['open space', 'a periodic box'])('lists that last are rebuilt when points grow, in %s', async (where) => {
    const device = devices[precision] as Device
    const points = circles(count, 3, 61)
    const workload = sum(one, { ...domains[where]?.(3), cutoff: 'radius_i + radius_j' })
    const { shape, bindings } = bind(workload, points)
    const program = await device.prepare(workload, shape, { variant: 'blocks' })
    const all = await device.prepare(workload, shape, { variant: 'simd' })
    const [position, radius] = [await device.buffer(3 * count), await device.buffer(count)]
    const [value, carried] = [await device.buffer(count), await device.buffer(program.carries as number)]
    const set = { count, arrays: { position, radius } }
    const stageWith = (given: typeof bindings) => ({
      ...{ program, outputs: { value }, carried },
      bindings: { ...given, targets: set, sources: set },
    })
    const sequence = await device.sequence([stageWith(bindings)])
    const round = async (now: typeof points) => {
      await position.write(now.position)
      await sequence.run(1)
      const expected = (await all.run(bind(workload, now).bindings)).value as ArrayLike<number>
      expect(Array.from(await value.read())).toEqual(Array.from(expected))
      return (await carried.read())[0] as number
    }
    await radius.write(points.radius)
    let now = points
    const drift = () => ({ ...now, position: now.position.map((x, n) => x + 1e-4 * Math.sin(n)) })
    for (let n = 0; n < 3; n++) {
      now = drift()
      expect(await round(now), 'rounds of one list').toBe(n + 1)
    }
    // Neither the longest reach nor the lists of the positions change.
    const grown = points.radius.map((r, n) => (r < 0.1 && n % 3 === 0 ? r + 0.05 : r))
    now = { ...drift(), radius: grown }
    await radius.write(grown)
    expect(await sequence.renumber?.([stageWith(bind(workload, now).bindings)])).toBe(true)
    expect(await round(now)).toBe(4)
    now = drift()
    expect(await round(now)).toBe(5)
    // Another module looks within one reach.
    const alike = { ...now, radius: points.radius.map(() => 0.05) }
    expect(await sequence.renumber?.([stageWith(bind(workload, alike).bindings)])).toBe(false)
    for (const owned of [sequence, position, radius, value, carried, program, all]) owned.dispose()
  })
})
