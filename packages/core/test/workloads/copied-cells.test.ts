// Cells smaller than two cutoffs: all images count, compared with sums by hand over the images.

import { describe, expect, it } from 'vitest'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { domainOf, periodic } from '../../src/problem/workloads/define-domain.ts'
import {
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  reduce,
  sum,
  virial,
} from '../../src/problem/workloads/pair.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const lengths = [1.5, 2.25, Infinity]
const boundary = periodic(lengths)
const cutoff = 2.6
const position = [0.1, 0.2, 0.3, 0.9, 1.9, -0.4, 5.3, 0.7, 0.9, -2, 1.1, 0.1]
const charge = [1, -2, 0.5, 1.5]
const count = charge.length

/** All images of all points within the cutoff of a point, but not the point itself. */
function imagesOf(i: number) {
  const found: { j: number; d: number[]; r: number }[] = []
  for (let j = 0; j < count; j++)
    for (let x = -8; x <= 8; x++)
      for (let y = -8; y <= 8; y++) {
        const d = [0, 1, 2].map((axis) => {
          const image = [1.5 * x, 2.25 * y, 0][axis] as number
          return (position[3 * j + axis] as number) - (position[3 * i + axis] as number) + image
        })
        const r = Math.hypot(...d)
        if (r <= cutoff && r > 0) found.push({ j, d, r })
      }
  return found.sort((a, b) => a.j - b.j || a.r - b.r)
}
const images = Array.from({ length: count }, (_, i) => imagesOf(i))
const potential = (i: number) =>
  (images[i] ?? []).reduce((total, { j, r }) => total + ((charge[i] as number) * (charge[j] as number)) / r, 0)

describe('a cell smaller than two cutoffs', () => {
  const domain = { boundary, cutoff }

  it('has the energy, the virial and the forces of all images, also of those of a point itself', async () => {
    await using engine = await referenceEngine()
    const points = { position, charge }
    const expected = images.reduce((total, _, i) => total + potential(i) / 2, 0)
    const found = await engine.run(energy(coulomb(), domain), points)
    expect(found.energy).toBeCloseTo(expected, 12)
    expect((await engine.run(virial(coulomb(), domain), points)).virial).toBeCloseTo(expected, 12)
    const { force } = await engine.run(forces(coulomb(), domain), points)
    for (let n = 0; n < 3 * count; n++) {
      const i = Math.floor(n / 3)
      const along = (images[i] ?? []).reduce(
        (total, { j, d, r }) => total - ((charge[i] as number) * (charge[j] as number) * (d[n % 3] as number)) / r ** 3,
        0,
      )
      expect(force[n], `${n}`).toBeCloseTo(along, 12)
    }
    const verified = await engine.verify(forces(coulomb(), domain), points)
    expect([verified.ok, verified.sampled]).toEqual([true, count])
  })

  it('has the neighbours of all images, by the number of their point', async () => {
    await using engine = await referenceEngine()
    const found = await engine.run(countWithin(cutoff, { boundary }), { position })
    expect([...found.count]).toEqual(images.map((list) => list.length))
    const lists = await engine.run(neighborsWithin(cutoff, { boundary }), { position })
    expect([...lists.index]).toEqual(images.flatMap((list) => list.map(({ j }) => j)))
    const near = await engine.run(nearest(5, domain), { position })
    const sorted = images.map((list) => list.toSorted((a, b) => a.r - b.r).slice(0, 5))
    expect([...near.distance].map((r) => r.toFixed(9))).toEqual(
      sorted.flatMap((list) => list.map(({ r }) => r.toFixed(9))),
    )
    const least = await engine.run(reduce('argmin', pairTerm('r')(), domain), { position })
    expect(sorted.map(([first]) => first?.r.toFixed(9))).toEqual([...least.value].map((r) => r.toFixed(9)))
    for (const [i, j] of least.index.entries())
      expect(images[i]?.some((one) => one.j === j && Math.abs(one.r - (least.value[i] as number)) < 1e-12)).toBe(true)
  })

  it('has images of sources between two sets, in prepared programs and in arrays of the caller', async () => {
    await using engine = await referenceEngine()
    const program = await engine.prepare(countWithin(cutoff, { boundary }), { targets: 1, sources: count })
    const given = { targets: { position: [0.1, 0.2, 0.3] }, sources: { position } }
    const into = { count: new Uint32Array(1) }
    const found = await program.run(given, { into })
    // The first source is at the target.
    expect([found.count === into.count, ...into.count]).toEqual([true, 1 + (images[0]?.length ?? 0)])
    program.dispose()
  })

  it('counts both of two images at the cutoff itself', async () => {
    await using engine = await referenceEngine()
    const one = { position: [0.5, 0.5, 0.5] }
    const shells = async (radius: number) =>
      (await engine.run(countWithin(radius, { boundary: periodic([1, 1, 1]) }), one)).count[0]
    expect([await shells(1), await shells(2), await shells(0.99)]).toEqual([6, 32, 0])
    const self = sum(pairTerm('1')(), { boundary: periodic([1, 1]), cutoff: 1, self: 'include' })
    expect([...(await engine.run(self, { position: [0, 0], dimension: 2 })).value]).toEqual([5])
  })

  it('is refused where it cannot be told which image is meant, or where there are too many', async () => {
    const exclusions = [[0, 1]] as const
    const wide = '"cutoff" expected at most half the shortest box length, 0.75, '
    expect(() => domainOf({ ...domain, exclusions })).toThrow(`${wide}beside exclusions, got 2.6`)
    expect(() => matrix(pairTerm('r')(), domain)).toThrow('a matrix has one number for each pair')
    expect(() => domainOf({ boundary: periodic([1, 1, 1]), cutoff: 4.1 })).toThrow(
      '"cutoff" expected one that reaches at most 512 cells, got 4.1, which needs 9 x 9 x 9 of them; give a larger cell or a shorter one',
    )
    await using engine = await referenceEngine()
    await expect(
      engine.run(countWithin(2.6, { boundary }), { position }, {
        ranges: { targets: [0, 4], offsets: [0, 1], sources: [0, 4] },
      } as never),
    ).rejects.toThrow('"ranges" expected nothing with a cutoff beyond half the box')
    const particles = { position, velocity: new Float64Array(12), mass: charge.map(Math.abs), charge }
    const law = { law: lennardJones({ epsilon: 1, sigma: 1 }), ...domain }
    await expect(engine.simulate({ forces: [law], particles, dt: 0.1, sources: 2 } as never)).rejects.toThrow(
      '"sources" expected cutoffs of at most half the box, got 2.6',
    )
  })
})
