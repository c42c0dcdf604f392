// Triclinic boxes: their checks, their widths, and runs on the reference compared with sums by hand over images.

import { describe, expect, it } from 'vitest'

import { radialDistribution } from '../../src/engine/measures/radial-distribution.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { inSquare, type Unsheared, unsheared, widthsOf } from '../../src/problem/workloads/cell.ts'
import { domainOf, periodic } from '../../src/problem/workloads/define-domain.ts'
import { copiesIn } from '../../src/problem/workloads/domain.ts'
import { energy, forces, matrix, nearest, reduce, sum, virial } from '../../src/problem/workloads/pair.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const vectors = { a: [4, 0, 0], b: [1.5, 3.5, 0], c: [-1.75, 1.5, 3] }
const boundary = periodic(vectors)
const volume = 4 * 3.5 * 3

const hexagonal = { a: [1, 0, 0], b: [0.5, Math.sqrt(3) / 2, 0], c: [0, 0, 1] }
const octahedral = {
  a: [1, 0, 0],
  b: [1 / 3, (2 * Math.SQRT2) / 3, 0],
  c: [-1 / 3, Math.SQRT2 / 3, Math.sqrt(6) / 3],
}

describe('a triclinic box', () => {
  it('has the distances of opposite faces as widths', () => {
    const { a, b, c } = vectors
    const cross = ([x = 0, y = 0, z = 0]: number[], [u = 0, v = 0, w = 0]: number[]) =>
      Math.hypot(y * w - z * v, z * u - x * w, x * v - y * u)
    const expected = [volume / cross(b, c), volume / cross(a, c), volume / cross(a, b)]
    const widths = widthsOf(boundary as never)
    for (const [n, width] of widths.entries()) expect(width).toBeCloseTo(expected[n] as number, 14)
    expect(widthsOf(periodic(hexagonal) as never)).toEqual(
      [Math.sqrt(3) / 2, Math.sqrt(3) / 2, 1].map((x) => expect.closeTo(x, 14)),
    )
  })

  it.each([vectors, hexagonal, octahedral])('becomes right-angled without a longer distance, %o', (box) => {
    const square = unsheared(periodic(box)) as Unsheared
    const points = numbersBetween(random(9), 300, -0.5, 0.5)
    const sheared = inSquare(square, points)
    const { parameters } = square
    for (let n = 0; n < points.length; n += 3) {
      const size = (array: Float64Array) => Math.hypot(...array.subarray(n, n + 3))
      expect(size(sheared)).toBeLessThanOrEqual(size(points) * (1 + 1e-12))
      const [ux = 0, uy = 0, uz = 0] = sheared.subarray(n)
      const { cellXX = 0, cellXY = 0, cellXZ = 0, cellYY = 0, cellYZ = 0, cellZZ = 0 } = parameters
      const back = [cellXX * ux + cellXY * uy + cellXZ * uz, cellYY * uy + cellYZ * uz, cellZZ * uz]
      for (const [axis, along] of back.entries()) expect(along).toBeCloseTo(points[n + axis] as number, 14)
    }
    // Its vectors are the edges of the right-angled box.
    for (const [n, vector] of Object.values(box).entries())
      expect([...inSquare(square, Float64Array.from(vector))]).toEqual(
        [0, 1, 2].map((axis) => expect.closeTo(axis === n ? (parameters[`box${'XYZ'[n]}`] as number) : 0, 14)),
      )
  })

  it('is the same as a right-angled one without tilts', () => {
    expect(periodic({ a: [2, 0, 0], b: [0, 3, 0], c: [0, 0, 4] })).toEqual(periodic([2, 3, 4]))
    expect(periodic({ a: [2, 0], b: [0, 3] })).toEqual(periodic([2, 3]))
  })

  it('survives storage', () => {
    expect(domainOf({ boundary: JSON.parse(JSON.stringify(boundary)), cutoff: 1 }).boundary).toEqual(boundary)
    const wrong = { ...boundary, tilts: [1, Number.NaN, 0] }
    expect(() => domainOf({ boundary: wrong, cutoff: 1 })).toThrow(
      '"boundary.tilts[1]" expected finite number, got NaN',
    )
    expect(() => domainOf({ boundary: { ...boundary, tilts: [1] } as never, cutoff: 1 })).toThrow(
      '"boundary.tilts" expected 3 numbers, got 1',
    )
  })

  it.each([
    [{ a: [1, 0, 0], b: [0, 1, 0] }, '"a" expected 2 numbers, as there are 2 vectors, got 3'],
    [{ a: [1, 0], b: [0, 1], c: [0, 0, 1] }, '"a" expected 3 numbers, as there are 3 vectors, got 2'],
    [{ a: [1, 0], b: 2 }, '"b" expected a vector of 2 numbers, got 2'],
    [{ a: [1, 0], b: [0, Infinity] }, '"b[1]" expected finite number, got Infinity'],
    [{ a: [1, 0], b: [NaN, 1] }, '"b[0]" expected finite number, got NaN'],
    [{ a: [1, 0], b: [0, 1], d: [1, 1] }, '"d" is not a vector of the box; expected a, b, c'],
    [{ a: [1, 0], b: [2, 0] }, 'expected vectors of a right-handed box with a volume'],
    [{ a: [0, 0], b: [0, 1] }, 'expected vectors of a right-handed box with a volume'],
    [{ a: [1, 0], b: [0, -1] }, 'exchange two vectors of a left-handed one'],
    [{ a: [1, 0, 0], b: [0, 0, 1], c: [0, 1, 0] }, 'exchange two vectors of a left-handed one'],
    [
      { a: [2, 0], b: [1.5, 1] },
      '"periodic" expected tilts of at most half a length, got { a: [2, 0], b: [1.5, 1] }; the same box is { a: [2, 0], b: [-0.5, 1] }',
    ],
    [
      { a: [0, 2, 0], b: [-3, 1.5, 0], c: [0, 2, 4] },
      'expected a along x, and b in the plane of x and y, got { a: [0, 2, 0], b: [-3, 1.5, 0], c: [0, 2, 4] }; the same box is { a: [2, 0, 0], b: [-0.5, 3, 0], c: [0, 0, 4] }, once the positions are turned with it',
    ],
  ])('is refused as %o', (box, message) => {
    expect(() => periodic(box as never)).toThrow(message)
  })

  it('needs a cutoff, and more cells beyond half its least width', async () => {
    const half = Math.min(...widthsOf(boundary as never)) / 2
    expect(copiesIn(domainOf({ boundary, cutoff: half }))).toBeUndefined()
    expect(copiesIn(domainOf({ boundary, cutoff: 1.001 * half }))).toEqual([2, 1, 1])
    expect(() => domainOf({ boundary, cutoff: 2, exclusions: [[0, 1]] })).toThrow(
      `half the shortest distance between opposite faces of the box, ${half}, beside exclusions, got 2`,
    )
    await using engine = await referenceEngine()
    await expect(engine.run(nearest(1, { boundary }), { position: [0, 0, 0, 1, 1, 1] })).rejects.toThrow(
      `"cutoff" expected a number in a triclinic box, such as half the shortest distance between opposite faces of the box, ${half}, got nothing`,
    )
  })
})

const addTo = (counts: Float64Array, bin: number) => {
  counts[bin] = (counts[bin] as number) + 0.5
}

describe.each([
  ['half its least width', 1.2],
  ['more than a width', 3.1],
])('a run in a triclinic box with a cutoff of %s', (_, cutoff) => {
  const count = 7
  // Some points are far outside of the box.
  const position = numbersBetween(random(4), 3 * count, -8, 12)
  const charge = numbersBetween(random(5), count, -0.4, 0.6)
  const points = { position, charge }
  const images = Array.from({ length: count }, (_, i) => {
    const found: { j: number; d: number[]; r: number }[] = []
    const span = [-12, -11, -10, -9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    for (let j = 0; j < count; j++)
      for (const p of span)
        for (const q of span)
          for (const s of span) {
            const d = [0, 1, 2].map((k) => {
              const image = p * (vectors.a[k] as number) + q * (vectors.b[k] as number) + s * (vectors.c[k] as number)
              return (position[3 * j + k] as number) - (position[3 * i + k] as number) + image
            })
            const r = Math.hypot(...d)
            if (r <= cutoff && r > 1e-9) found.push({ j, d, r })
          }
    return found
  })
  const domain = { boundary, cutoff }
  const over = (of: (i: number, image: { j: number; d: number[]; r: number }) => number) =>
    images.map((list, i) => list.reduce((total, image) => total + of(i, image), 0))
  const product = (i: number, j: number) => (charge[i] as number) * (charge[j] as number)

  it('counts each image within the cutoff', async () => {
    await using engine = await referenceEngine()
    const potential = over((i, { j, r }) => product(i, j) / r)
    const total = potential.reduce((a, b) => a + b, 0) / 2
    expect((await engine.run(energy(coulomb(), domain), points)).energy).toBeCloseTo(total, 12)
    expect((await engine.run(virial(coulomb(), domain), points)).virial).toBeCloseTo(total, 12)
    const { force } = await engine.run(forces(coulomb(), domain), points)
    for (let axis = 0; axis < 3; axis++)
      for (const [i, along] of over((i, { j, d, r }) => (-product(i, j) * (d[axis] as number)) / r ** 3).entries())
        expect(force[3 * i + axis]).toBeCloseTo(along, 12)
    const components = pairTerm({ a: 'dx*dy', b: 'dz^2' })()
    const { value } = await engine.run(sum(components, domain), points)
    for (const [i, ab] of over((_, { d: [x = 0, y = 0] }) => x * y).entries()) expect(value[2 * i]).toBeCloseTo(ab, 12)
    const { distance } = await engine.run(nearest(1, domain), points)
    const { index } = await engine.run(reduce('argmin', pairTerm('r')(), domain), points)
    for (const [i, list] of images.entries()) {
      const [first] = list.toSorted((a, b) => a.r - b.r)
      expect(distance[i]).toBeCloseTo(first?.r ?? Infinity, 12)
      expect(index[i]).toBe(first?.j ?? -1)
    }
  })

  // A matrix has one entry for each pair, and so refuses several images.
  if (cutoff < 1.5)
    it('fills a matrix, and counts pairs by their distance', async () => {
      await using engine = await referenceEngine()
      const pairs = await radialDistribution(engine, points, {
        bins: 4,
        farthest: cutoff,
        boundary,
        exclusions: [[0, 1]],
      })
      const expected = new Float64Array(4)
      for (const [i, list] of images.entries())
        for (const { j, r } of list) if (i + j !== 1) addTo(expected, Math.floor((4 * r) / cutoff))
      expect(pairs.count).toEqual(expected)
      const { value } = await engine.run(matrix(pairTerm('r')(), domain), points)
      for (const [i, list] of images.entries())
        for (let j = 0; j < count; j++)
          expect(value[i * count + j]).toBeCloseTo(list.find((image) => image.j === j)?.r ?? 0, 12)
    })
})
