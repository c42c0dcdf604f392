// Sums over the images of slabs: boxes that repeat along two axes and are open along the third.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  coulomb,
  type Engine,
  energy,
  forces,
  mesh,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  sum,
  virial,
} from '../../src/index.ts'
import { slabSplit } from '../../src/methods/mesh/slab-split.ts'
import { splitOf } from '../../src/methods/mesh/split/split.ts'
import { ewald } from '../support/ewald.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(37)
const exact = mesh({ tolerance: 1e-10 })

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

/** Points of a slab in any order of its axes: the third one, which is open, comes to a place. */
const turned = (numbers: Float64Array, axis: number) =>
  numbers.map((_, n) => numbers[n - (n % 3) + ((n + 2 - axis) % 3)] as number)
const boxOf = ([x, y]: readonly [number, number], axis: number) =>
  periodic([...turned(Float64Array.of(x, y, Number.POSITIVE_INFINITY), axis)])

describe('charges', () => {
  const [x, y] = [0.8, 1]
  const count = 6
  const flat = Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 2 ? 0.6 * next() : 8 * next() - 4))

  /** By Ewald's sum with a wide gap, less the pull of the images across it: exact to `exp(-2 pi gap)`. */
  function expected(charge: Float64Array) {
    const length = 4.6
    const { potential, force } = ewald(flat, charge, [x, y, length])
    const area = x * y
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++) {
        const product = (charge[i] as number) * (charge[j] as number)
        const z = (flat[3 * i + 2] as number) - (flat[3 * j + 2] as number)
        const of = (2 * Math.PI * z * z) / (area * length) + (Math.PI * length) / (3 * area)
        potential[i] = (potential[i] as number) - product * of
        force[3 * i + 2] = (force[3 * i + 2] as number) + (product * 4 * Math.PI * z) / (area * length)
      }
    return { potential, force }
  }

  it.each([
    ['neutral, open along z', 2, false],
    ['neutral, open along x', 0, false],
    ['neutral, open along y', 1, false],
    ['of one sign, open along z', 2, true],
  ] as const)('%s', async (_, axis, oneSign) => {
    const charge = Float64Array.from({ length: count }, (_, n) => (oneSign ? 1 + n / 20 : n % 2 ? -1 : 1))
    const points = { position: turned(flat, axis), charge }
    const options = { boundary: boxOf([x, y], axis), method: exact }
    const truth = expected(charge)
    const { force, report } = await engine.run(forces(coulomb(), options), points)
    const { potential, report: also } = await engine.run(potentials(coulomb(), options), points)
    const { energy: total } = await engine.run(energy(coulomb(), options), points)
    const { virial: pressure } = await engine.run(virial(coulomb(), options), points)
    const largest = (of: Float64Array) => Math.max(...of.map(Math.abs))
    const pull = turned(truth.force, axis)
    for (const [n, found] of force.entries())
      expect(Math.abs(found - (pull[n] as number)) / largest(pull)).toBeLessThan(1e-9)
    for (const [n, found] of potential.entries())
      expect(Math.abs(found - (truth.potential[n] as number)) / largest(truth.potential)).toBeLessThan(1e-9)
    expect(total).toBeCloseTo(potential.reduce((a, b) => a + b, 0) / 2, 8)
    expect(pressure).toBeCloseTo(total, 8)
    expect(report.error).toMatchObject({ ok: true, tolerance: 1e-10 })
    // The forces of a slab feel no constant.
    expect(report.mean).toBeUndefined()
    const whole = charge.reduce((a, b) => a + b, 0)
    expect(also.mean?.density.charge_j ?? 0).toBeCloseTo(whole / (x * y), 12)
    expect(also.mean?.name).toBe(oneSign ? 'infinite constant' : undefined)
  })

  it('of a square lattice have its constant', async () => {
    const position = [0, 0, 7, 1, 0, 7, 0, 1, 7, 1, 1, 7]
    const sheet = energy(coulomb(), { boundary: periodic([2, 2, Number.POSITIVE_INFINITY]), method: exact })
    const { energy: found } = await engine.run(sheet, { position, charge: [1, -1, -1, 1] })
    expect(-found / 2).toBeCloseTo(1.6155426267, 9)
  })

  it('of two plates have the field of two plates between them, and none outside', async () => {
    // One charge in each cell of a plate looks uniform from three cells away.
    const position = Float64Array.of(0, 0, 0, 0.3, 0.2, 6, 0.5, 0.5, 3, 0.1, 0.6, 9, 0.7, 0.2, -3)
    const charge = Float64Array.of(1, -1, 1e-9, 1e-9, 1e-9)
    const boundary = periodic([1, 1, Number.POSITIVE_INFINITY])
    const { force } = await engine.run(forces(coulomb(), { boundary, method: mesh({ tolerance: 1e-8 }) }), {
      position,
      charge,
    })
    const field = Array.from(force.subarray(6), (f) => f * 1e9)
    for (const [n, f] of [0, 0, 4 * Math.PI, 0, 0, 0, 0, 0, 0].entries()) expect(field[n]).toBeCloseTo(f, 5)
  })
})

describe('laws of any kind', () => {
  const count = 6
  const flat = Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 2 ? 2 * next() : next()))
  const q = numbersBetween(next, count, -1, 1)

  it.each([
    ['q_i*q_j*exp(-5*r)/r', (r: number) => Math.exp(-5 * r) / r, 7, 10],
    ['q_i*q_j*exp(-20*r2)', (r: number) => Math.exp(-20 * r * r), 4, 10],
    ['q_i*q_j/(r2 + 0.05)^6', (r: number) => (r * r + 0.05) ** -6, 14, 9],
  ] as const)('%s sums over images as plain sums do', async (text, of, images, digits) => {
    const { potential } = await engine.run(
      potentials(pairPotential(text)(), { boundary: boxOf([1, 1], 1), method: exact }),
      { position: turned(flat, 1), q },
    )
    // Some points are so far from the others that rounding decides about their sums.
    let most = 0
    const apart: number[] = []
    for (let i = 0; i < count; i++) {
      let [sum, size] = [0, 0]
      for (let j = 0; j < count; j++)
        for (let a = -images; a <= images; a++)
          for (let b = -images; b <= images; b++) {
            const d = [a, b, 0].map((n, axis) => (flat[3 * j + axis] as number) - (flat[3 * i + axis] as number) + n)
            const r = Math.hypot(...d)
            if (r === 0) continue
            const term = (q[i] as number) * (q[j] as number) * of(r)
            sum += term
            size += Math.abs(term)
          }
      apart.push(Math.abs((potential[i] as number) - sum))
      most = Math.max(most, size)
    }
    expect(Math.max(...apart) / most).toBeLessThan(10 ** -digits)
  })

  it('need a plane that has a sum', async () => {
    const run = (text: string, weights = q) =>
      engine.run(sum(pairTerm(text)(), { boundary: boxOf([1, 1], 2), method: exact }), { position: flat, q: weights })
    await expect(run('q_j*dz/r2')).rejects.toThrow('it falls too slowly, so a plane of images has no sum')
    await expect(run('q_j/r2')).rejects.toThrow(
      'the potential of a plane is infinite at the plane; give numbers that add up to 0',
    )
    const neutral = q.map((x) => x - q.reduce((a, b) => a + b, 0) / count)
    const { report } = await run('q_j/r2', neutral)
    expect(report.error?.ok).toBe(true)
    const wire = { boundary: periodic([1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]), method: exact }
    await expect(engine.run(sum(pairTerm('q_j/r')(), wire), { position: flat, q })).rejects.toThrow(
      'a mesh sums images along two axes or three, and the box is open along y and z',
    )
  })
})

it('the modes of a slab of any thickness take a time that grows with it, and no faster', () => {
  const [far, taper, reach] = [1e4, 3, 0.5]
  const split = splitOf((r) => 1 / r, { reach, band: 20, terms: 8, along: false, dimension: 3 })
  const unit = (2 * Math.PI) / (2 * far + taper)
  const highest = Math.floor(split.band / unit)
  const axes = { axis: 2, largest: 1, unit, highest }
  const mode = slabSplit((r) => 1 / r, split, { far, taper }, axes, 'the law').modes()
  // A frequency in the plane feels no end that is so far away.
  for (const n of [0, 1, 1000, highest / 2]) {
    const [p, q] = [2 * Math.PI, Math.round(n) * unit]
    const found = mode([p, 0, q], Math.hypot(p, q))
    expect(found / split.transform(Math.hypot(p, q))).toBeCloseTo(1, 9)
  }
  for (const z of [1, 5000, 9990]) {
    let potential = mode([0, 0, 0], 0)
    for (let n = 1; n <= highest; n++) potential += 2 * mode([0, 0, n * unit], n * unit) * Math.cos(n * unit * z)
    expect(potential / (2 * far + taper) / (-2 * Math.PI * z)).toBeCloseTo(1, 3)
  }
})

it('a law keeps or loses its constant whatever the thickness of the points', async () => {
  const law = pairTerm('q_j*exp(-r/L)/r', { parameters: { L: 300 } })()
  const slab = sum(law, { boundary: periodic([1, 1, Number.POSITIVE_INFINITY]), method: exact })
  const near = [0.1, 0.2, 0.3, 0.6, 0.4, 0.8]
  const thin = await engine.run(slab, { position: near, q: [1, 2] })
  const thick = await engine.run(slab, { position: [...near, 0.3, 0.3, 5], q: [1, 2, 0] })
  for (const n of [0, 1]) expect(thick.value[n]).toBeCloseTo(thin.value[n] as number, 6)
  expect(thin.report.mean?.name).toBe('infinite constant')
  expect(thick.report.mean).toEqual(thin.report.mean)
})

describe('sets of unusual shape', () => {
  const boundary = periodic([1, 1, Number.POSITIVE_INFINITY])
  it('one point, a plane of points, and points far from each other', async () => {
    const one = await engine.run(potentials(coulomb(), { boundary, method: exact }), {
      position: [0.2, 9, -3],
      charge: [1],
    })
    // The constant of a square Wigner crystal, in which each charge has the area 1.
    expect(one.potential[0]).toBeCloseTo(-3.900264920001956, 9)
    const apart = await engine.run(forces(coulomb(), { boundary, method: mesh({ tolerance: 1e-6 }) }), {
      position: [0, 0, 0, 0.5, 0.5, 5],
      charge: [1, 2],
    })
    expect(apart.force[2]).toBeCloseTo(-4 * Math.PI, 4)
    expect(apart.force[5]).toBeCloseTo(4 * Math.PI, 4)
    await expect(
      engine.run(forces(coulomb(), { boundary, method: exact }), { position: [0, 0, 0, 0, 0, 1e9], charge: [1, 2] }),
    ).rejects.toThrow(
      /^"method" expected points that a grid of at most 67108864 numbers covers, got some that are 1\.\d\de\+9 apart along z, where the box is open, which needs \d+ x \d+ x \d+ at the reach 0\.5\d*; use a larger tolerance, or remove points that have left$/,
    )
  })
  it('pairs that do not count, and targets of their own', async () => {
    const position = Float64Array.of(0.1, 0.1, 0.1, 0.95, 0.15, 0.2, 0.4, 0.7, 0.9)
    const charge = [1, -2, 1]
    const all = await engine.run(forces(coulomb(), { boundary, method: exact }), { position, charge })
    const some = await engine.run(forces(coulomb(), { boundary, method: exact, exclusions: [[0, 1]] }), {
      position,
      charge,
    })
    const d = [-0.15, 0.05, 0.1]
    for (const [axis, along] of d.entries())
      expect(some.force[axis]).toBeCloseTo((all.force[axis] as number) - (2 * along) / Math.hypot(...d) ** 3, 7)
    const law = pairTerm('charge_j/r')()
    const targets = { position: Float64Array.of(0.3, 0.3, -2, 0.8, 0.2, 3) }
    const { value } = await engine.run(sum(law, { boundary, method: exact }), {
      targets,
      sources: { position, charge },
    })
    const whole = { position: Float64Array.of(...position, ...targets.position), charge: [...charge, 0, 0] }
    const { value: one } = await engine.run(sum(law, { boundary, method: exact }), whole)
    for (const n of [0, 1]) expect(value[n]).toBeCloseTo(one[3 + n] as number, 8)
  })
})

it('sums the images of points in a plane as a box in two dimensions does', async () => {
  const [lengths, count] = [[1, 1.2] as const, 5]
  const position = Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 2 ? 0 : 3 * next()))
  const q = numbersBetween(next, count, -1, 1)
  const boundary = periodic([...lengths, Number.POSITIVE_INFINITY])
  const law = pairTerm('q_j*exp(-3*r)*(1 + 1/r)')()
  const { value } = await engine.run(sum(law, { boundary, method: exact }), { position, q })
  for (let i = 0; i < count; i++) {
    let total = 0
    for (let j = 0; j < count; j++)
      for (let x = -12; x <= 12; x++)
        for (let y = -12; y <= 12; y++) {
          const [dx, dy] = [x, y].map((image, axis) => {
            const length = lengths[axis] as number
            const along = (position[3 * j + axis] as number) - (position[3 * i + axis] as number)
            return along - length * Math.round(along / length) + image * length
          }) as [number, number]
          const r = Math.hypot(dx, dy)
          // The images of a point act on it, and it does not itself.
          if (r > 0) total += (q[j] as number) * Math.exp(-3 * r) * (1 + 1 / r)
        }
    expect(value[i]).toBeCloseTo(total, 9)
  }
})
