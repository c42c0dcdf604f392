// Random numbers of initial conditions: the published generator, and independent numbers for any two seeds or purposes.

import { describe, expect, it } from 'vitest'
import {
  coldCollapse,
  maxwellVelocities,
  plummerSphere,
  twoDisks,
  uniformBall,
  uniformBox,
} from '../src/initial/index.ts'
import { randomFrom, xoshiro } from '../src/initial/random.ts'

const numbersOf = (seed: number, count: number, purpose = 'test') => {
  const { uniform } = randomFrom(seed, purpose)
  return Float64Array.from({ length: count }, uniform)
}

it('the generator gives the numbers of its authors for the state 1, 2, 3, 4', () => {
  const next = xoshiro([1, 2, 3, 4])
  expect([next(), next(), next(), next()]).toEqual([11520, 0, 5927040, 70819200])
})

describe('streams of random numbers', () => {
  it('do not overlap, however long, for seeds that lay on one short cycle', () => {
    const [one, other] = [1, 228].map((seed) => uniformBox({ count: 270_000, seed, lengths: [1, 1, 1] })) as [
      Float64Array,
      Float64Array,
    ]
    const known = new Set(one)
    expect(known.size).toBe(one.length)
    expect(other.filter((x) => known.has(x))).toHaveLength(0)
  })

  it('have no number in common for many seeds, small, large, and beyond 32 bits', () => {
    const seeds = [...Array(40).keys(), 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 2, 2 ** 53 - 1]
    const all = seeds.flatMap((seed) => [...numbersOf(seed, 10_000)])
    expect(new Set(all).size).toBe(all.length)
  })

  it('have no number in common for two purposes of one seed', () => {
    const purposes = ['disk', 'first of two disks', 'second of two disks', 'uniformBall', 'velocities of coldCollapse']
    const all = purposes.flatMap((purpose) => [...numbersOf(1, 20_000, purpose)])
    expect(new Set(all).size).toBe(all.length)
  })

  it('are even, and their seeds, neighbours and bits do not depend on each other', () => {
    const count = 100_000
    const centred = (seed: number) => numbersOf(seed, count).map((x) => Math.sqrt(12) * (x - 0.5))
    const [seven, one, next] = [numbersOf(7, count), centred(7), centred(8)]
    const lowHalf = (x: number) => x * 2 ** 26 - Math.floor(x * 2 ** 26)
    const mean = (of: (n: number) => number) =>
      Array.from({ length: count }, (_, n) => of(n)).reduce((a, b) => a + b) / count
    const at = (list: Float64Array, n: number) => list[n % count] as number
    // Each mean has a standard error of about 1/sqrt(100000) = 0.003.
    for (const found of [
      mean((n) => at(one, n)),
      mean((n) => at(one, n) ** 2 - 1),
      mean((n) => at(one, n) * at(one, n + 1)),
      mean((n) => at(one, n) * at(next, n)),
      // The low half of the bits is as even as the high half.
      mean((n) => Math.sqrt(3) * (2 * lowHalf(at(seven, n)) - 1)),
    ])
      expect(Math.abs(found)).toBeLessThan(0.015)
  })
})

const at = (array: ArrayLike<number>, n: number) => array[n] as number
const distances = (position: Float64Array, centre: number, stars: number) =>
  Array.from({ length: stars }, (_, n) =>
    Math.hypot(...[0, 1, 2].map((axis) => at(position, 3 * (centre + 1 + n) + axis) - at(position, 3 * centre + axis))),
  )

it('the second of two disks is neither the first of the next seed nor its own first', () => {
  const stars = 50
  const [one, next] = [1, 2].map((seed) => twoDisks({ count: stars, seed }).position) as [Float64Array, Float64Array]
  const second = distances(one, stars + 1, stars)
  for (const first of [distances(next, 0, stars), distances(one, 0, stars)])
    expect(second.filter((r) => first.some((other) => Math.abs(r - other) < 1e-9))).toHaveLength(0)
})

describe('few points', () => {
  const makers = { plummerSphere, uniformBall, coldCollapse }
  it.each(Object.entries(makers))('%s of 0, 1 and 3 points has its mass and rests at the origin', (_, make) => {
    for (const count of [0, 1, 3]) {
      const { position, velocity, mass } = make({ count, seed: 2 ** 53 - 1, mass: 5 })
      expect([position.length, velocity.length, mass.length]).toEqual([3 * count, 3 * count, count])
      expect(mass.reduce((sum, m) => sum + m, 0)).toBeCloseTo(count > 0 ? 5 : 0, 12)
      for (const vectors of [position, velocity])
        for (const axis of [0, 1, 2])
          expect(vectors.reduce((sum, x, n) => (n % 3 === axis ? sum + x : sum), 0)).toBeCloseTo(0, 12)
    }
  })

  it.each([0, 1, 3, 50])(
    'two disks of %i stars fall towards each other with the speed of their own masses',
    (count) => {
      const [G, separation, pericentre] = [2, 8, 1]
      const { position, velocity, mass } = twoDisks({
        count,
        seed: 1,
        centralMass: 3,
        diskMass: 1.5,
        G,
        separation,
        pericentre,
      })
      const half = count + 1
      expect(mass).toHaveLength(2 * half)
      const mean = (vectors: Float64Array, disk: number, axis: number) => {
        const own = Array.from({ length: half }, (_, n) => disk * half + n)
        const total = own.reduce((sum, n) => sum + at(mass, n), 0)
        return own.reduce((sum, n) => sum + at(mass, n) * at(vectors, 3 * n + axis), 0) / total
      }
      const between = (vectors: Float64Array) =>
        [0, 1, 2].map((axis) => mean(vectors, 1, axis) - mean(vectors, 0, axis))
      const [apart, fast] = [between(position), between(velocity)]
      const total = count > 0 ? 2 * (3 + 1.5) : 2 * 3
      expect(mass.reduce((sum, m) => sum + m, 0)).toBeCloseTo(total, 12)
      expect(apart).toEqual([expect.closeTo(separation, 10), expect.closeTo(0, 10), expect.closeTo(0, 10)])
      // A parabola has no energy, and the angular momentum at its pericentre.
      const kinetic = fast.reduce((sum, v) => sum + (v * v) / 2, 0)
      expect(kinetic).toBeCloseTo((G * total) / separation, 10)
      expect(at(apart, 0) * at(fast, 1)).toBeCloseTo(Math.sqrt(2 * G * total * pericentre), 10)
    },
  )

  it('two disks that begin at their pericentre have finite velocities, along y', () => {
    for (const separation of [3, 0.7, 1 / 3, 1.1]) {
      const { velocity } = twoDisks({ count: 0, seed: 1, separation, pericentre: separation })
      expect(at(velocity, 0)).toBeCloseTo(0, 12)
      expect(at(velocity, 4)).toBeCloseTo(Math.sqrt((2 * 2) / separation) / 2, 10)
    }
  })

  it('a disk of no stars is its centre, at rest; no box has points, and no masses have velocities', () => {
    const { position, velocity, mass } = twoDisks({ count: 0, seed: 3 })
    expect([position, velocity, mass].map(({ length }) => length)).toEqual([6, 6, 2])
    expect(uniformBox({ count: 0, seed: 0, lengths: [1, 1] })).toHaveLength(0)
    expect(maxwellVelocities({ mass: [], temperature: 1, seed: 0 }).velocity).toHaveLength(0)
    const one = maxwellVelocities({ mass: [2], temperature: 1, seed: 0, dimension: 2 })
    expect(one).toEqual({ velocity: Float64Array.of(0, 0), mass: Float64Array.of(2) })
  })
})

it.each([
  [-1, '"seed" expected integer >= 0, got -1'],
  [0.5, '"seed" expected integer >= 0, got 0.5'],
  [2 ** 53, '"seed" expected integer >= 0 and <= 9007199254740991, got 9007199254740992'],
  [Number.NaN, '"seed" expected integer >= 0, got NaN'],
])('the seed %f is refused', (seed, message) => {
  expect(() => uniformBall({ count: 1, seed })).toThrow(message)
})

it.each([
  [() => uniformBox({ count: 1, seed: 1, lengths: [1] }), '"lengths" expected 2 or 3 numbers, got 1'],
  [
    () => maxwellVelocities({ mass: [1], temperature: 1, seed: 1, dimension: 4 as 3 }),
    '"dimension" expected 1, 2 or 3, got 4',
  ],
])('refuses another number of axes', (make, message) => {
  expect(make).toThrow(message)
})
