// Close pairs are found wherever they are in their arrays, and only where rounding to float32 matters.

import { describe, expect, it } from 'vitest'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { closePair } from '../../src/problem/workloads/numbers/close-pairs.ts'
import { deviceNumbers } from '../../src/problem/workloads/numbers/device-numbers.ts'
import { nearest } from '../../src/problem/workloads/pair.ts'
import { numbersBetween, random } from '../support/random.ts'

const share = 2 ** -14
const cube = (count: number, seed: number, dimension = 3, side = 1000) =>
  numbersBetween(random(seed), count * dimension, -side / 3, side)
const splits = (particles: object, options = {}) =>
  deviceNumbers(bind(nearest(1, options), particles as never), 'f32').shape.split === true
/** Moves a point next to another. */
function beside(position: Float64Array, point: number, other: number, dimension = 3, apart = 1.7e-6): Float64Array {
  const moved = position.slice()
  for (let axis = 0; axis < dimension; axis++)
    moved[dimension * point + axis] = (moved[dimension * other + axis] as number) + (axis === 0 ? apart : 0)
  return moved
}

describe('two points that almost touch', () => {
  it.each([2, 3].flatMap((dimension) => [30, 300, 5000, 20_000].map((count) => [dimension, count] as const)))(
    'are found in %i-D among %i points, wherever they are',
    (dimension, count) => {
      const space = cube(count, count + dimension, dimension)
      expect(splits({ position: space, dimension })).toBe(false)
      const next = random(count)
      for (const [a, b] of [
        [0, count - 1],
        [1, Math.floor(count / 2)],
        ...Array.from({ length: 4 }, () => [Math.floor(next() * count), Math.floor(next() * count)]),
      ] as [number, number][])
        if (a !== b) {
          const position = beside(space, a, b, dimension)
          expect(splits({ position, dimension }), `${a} and ${b}`).toBe(true)
          const found = closePair(position, position, { dimension, boxes: [] }, share)
          expect(found).toEqual({ target: Math.min(a, b), source: Math.max(a, b) })
        }
    },
  )

  it('are found on a line', () => {
    const even = Float64Array.from({ length: 300 }, (_, n) => 3 * ((113 * n) % 300))
    expect(splits({ position: even, dimension: 1 })).toBe(false)
    for (const [a, b] of [
      [0, 299],
      [17, 18],
      [150, 3],
    ] as const) {
      const position = beside(even, a, b, 1)
      expect(splits({ position, dimension: 1 })).toBe(true)
      const found = closePair(position, position, { dimension: 1, boxes: [] }, share)
      expect(found).toEqual({ target: Math.min(a, b), source: Math.max(a, b) })
    }
  })

  it('are found between two sets, and do not matter within one of them', () => {
    const sources = { position: cube(900, 5) }
    const position = cube(700, 6)
    expect(splits({ targets: { position }, sources })).toBe(false)
    expect(splits({ targets: { position: beside(position, 20, 611) }, sources })).toBe(false)
    const near = position.slice()
    near.set(sources.position.subarray(3 * 840, 3 * 841), 3 * 33)
    near[3 * 33 + 1] = (near[3 * 33 + 1] as number) - 1.7e-6
    expect(splits({ targets: { position: near }, sources })).toBe(true)
    expect(closePair(near, sources.position, { dimension: 3, boxes: [] }, share)).toEqual({ target: 33, source: 840 })
    expect(splits({ targets: { position: near.slice(99, 102) }, sources })).toBe(true)
  })

  it('are found across the faces of a box, at edges and corners', () => {
    const lengths = [700, 900, 1100] as const
    const inside = numbersBetween(random(8), 3 * 2000, 5, 695)
    const boundary = periodic(lengths)
    expect(splits({ position: inside }, { boundary })).toBe(false)
    for (const sides of [
      [1, 0, 0],
      [0, 1, 1],
      [1, 1, 1],
      [2, 0, 1],
    ]) {
      const position = inside.slice()
      position.set([0.1, 0.1, 0.1], 3 * 50)
      position.set(
        sides.map((side, axis) => 0.1 + 1e-6 + side * (lengths[axis] as number)),
        3 * 1950,
      )
      expect(splits({ position }), 'without the box').toBe(false)
      expect(splits({ position }, { boundary }), String(sides)).toBe(true)
    }
  })

  it('are found on a line, on a plane, in a lattice and in a cluster', () => {
    const line = cube(3000, 9).map((x, n) => (n % 3 === 1 ? 1000 * Math.sin(n) + x / 1e6 : 0.3))
    const plane = cube(3000, 10).map((x, n) => (n % 3 === 1 ? 0.7 : x))
    const lattice = Float64Array.from({ length: 3 * 4096 }, (_, n) => 0.1 * (Math.floor(n / 3 / 16 ** (n % 3)) % 16))
    // Most points are near 0, where float32 has more digits, and a few far away.
    const cluster = cube(3000, 11).map((x, n) => (Math.floor(n / 3) % 100 === 0 ? x : x / 50))
    for (const [name, position] of Object.entries({ plane, lattice, cluster })) {
      expect(splits({ position }), name).toBe(false)
      expect(splits({ position: beside(position, 2000, 700, 3, name === 'plane' ? 1e-6 : 1e-8) }), name).toBe(true)
    }
    const spread = line.map((x, n) => (n % 3 === 1 ? n / 3 + Math.sin(n) / 4 : x))
    expect(splits({ position: spread })).toBe(false)
    expect(splits({ position: beside(spread, 2000, 700, 3, 0).map((x, n) => (n === 6001 ? x + 1e-6 : x)) })).toBe(true)
  })
})

describe('the search', () => {
  it('finds pairs on both sides of a power of 2, where points reach less far', () => {
    const next = random(21)
    const cloud = numbersBetween(next, 3 * 4000, -1, 1).map((x, n) => x * 2 ** -(Math.floor(n / 3) % 12))
    // The largest coordinate, which decides on the sizes where cells change.
    cloud[0] = 1
    expect(closePair(cloud, cloud, { dimension: 3, boxes: [] }, share)).toBeUndefined()
    for (let octave = 1; octave < 14; octave++)
      for (const axis of [0, 1, 2])
        for (const sign of [-1, 1]) {
          const position = cloud.slice()
          const apart = 2 ** -octave * 1e-9
          for (const [point, side] of [
            [10, -1],
            [3900, 1],
          ] as const)
            for (let along = 0; along < 3; along++)
              position[3 * point + along] = along === axis ? sign * (2 ** -octave + side * apart) : 0.3 * 2 ** -octave
          const found = closePair(position, position, { dimension: 3, boxes: [] }, share)
          expect(found, `${octave}, ${axis}, ${sign}`).toEqual({ target: 10, source: 3900 })
        }
  })

  it('agrees with all pairs for clouds of any closeness', () => {
    const [found, none] = [[], []] as [number[], number[]]
    for (let seed = 0; seed < 60; seed++) {
      const position = cube(400, 100 + seed, 3, 10).map((x, n) => (seed % 3 === 0 && n < 600 ? x / 30 : x))
      position[3] = 10 ** ((seed % 20) / 5)
      const near = beside(position, 17, 311, 3, 10 ** -((seed % 12) / 2))
      const pair = closePair(near, near, { dimension: 3, boxes: [] }, share)
      // A cloud with a point far away may be a flat one. Its closest pair may then lose more.
      const least = seed % 20 < 6 ? share : 8 * share
      if (pair) expect(loses(near, share), `seed ${seed}`).toBe(true)
      else expect(loses(near, least), `seed ${seed}`).toBe(false)
      ;(pair ? found : none).push(seed)
    }
    expect(Math.min(found.length, none.length)).toBeGreaterThan(10)
  })

  it('finds nothing where no distance is lost: exact coordinates, or one place', () => {
    const exact = cube(20_000, 12).map(Math.fround)
    expect(closePair(exact, exact, { dimension: 3, boxes: [] }, share)).toBeUndefined()
    const place = new Float64Array(3 * 20_000).fill(0.1)
    expect(closePair(place, place, { dimension: 3, boxes: [] }, share)).toBeUndefined()
    const none = new Float64Array(0)
    expect(closePair(none, none, { dimension: 3, boxes: [] }, share)).toBeUndefined()
    expect(closePair(none, exact, { dimension: 3, boxes: [] }, share)).toBeUndefined()
  })

  it('gives up where too many points share a few places, rather than visit all pairs', () => {
    const place = Float64Array.from({ length: 3 * 3000 }, (_, n) => (n < 3 * 1500 ? 0.1 : 0.7 + 1e3 * (n % 3)))
    expect(closePair(place, place, { dimension: 3, boxes: [] }, share)).toBe('many')
  })

  it('allows the closest pairs of a large cloud what chance brings', () => {
    for (const [dimension, count] of [
      [2, 30_000],
      [3, 100_000],
    ] as const)
      expect(splits({ position: cube(count, count, dimension), dimension })).toBe(false)
    const disk = cube(30_000, 13).map((x, n) => (n % 3 === 2 ? 0 : x))
    expect(splits({ position: disk })).toBe(false)
  })
})

/** Whether some pair loses more than a share, by all pairs. */
function loses(position: Float64Array, most: number): boolean {
  const lost = position.map((x) => Math.fround(x) - x)
  const difference = (of: Float64Array, a: number, b: number) =>
    [0, 1, 2].map((axis) => (of[3 * b + axis] as number) - (of[3 * a + axis] as number))
  for (let b = 0; b < position.length / 3; b++)
    for (let a = 0; a < b; a++)
      if (Math.max(...difference(lost, a, b).map(Math.abs)) > most * Math.hypot(...difference(position, a, b)))
        return true
  return false
}
