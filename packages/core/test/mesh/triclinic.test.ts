// Sums over all images of a triclinic box: crystals in their primitive cells, Ewald's sum in a right-angled box of several cells, and the
// forces that another program found.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  coulomb,
  type Engine,
  energy,
  forces,
  lennardJones,
  mesh,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  sum,
  virial,
} from '../../src/index.ts'
import { ewald } from '../support/ewald.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(31)
const exact = mesh({ tolerance: 1e-10 })

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

type Vectors = Readonly<Record<'a' | 'b' | 'c', readonly number[]>>

/** The point at shares of the vectors of a box. */
const placeIn = ({ a, b, c }: Vectors, shares: readonly number[]): number[] =>
  [0, 1, 2].map((axis) => [a, b, c].reduce((all, v, n) => all + (v[axis] as number) * (shares[n] as number), 0))

describe('primitive cells', () => {
  const edge = Math.SQRT2
  /** A face-centred cube with the edge 2 has four such cells. */
  const faceCentred: Vectors = {
    a: [edge, 0, 0],
    b: [edge / 2, (edge * Math.sqrt(3)) / 2, 0],
    c: [edge / 2, edge / (2 * Math.sqrt(3)), edge * Math.sqrt(2 / 3)],
  }
  it.each([
    ['rock salt', 0.5, 1, 1.747564594633182],
    ['zinc blende', 0.25, Math.sqrt(3) / 2, 1.6380550533887894],
  ] as const)('of %s', async (_, share, near, constant) => {
    const position = Float64Array.from([0, 0, 0, ...placeIn(faceCentred, [share, share, share])])
    const salt = energy(coulomb(), { boundary: periodic(faceCentred), method: exact })
    const { energy: found, report } = await engine.run(salt, { position, charge: [1, -1] })
    expect(-found * near).toBeCloseTo(constant, 9)
    expect(report.error).toMatchObject({ ok: true, tolerance: 1e-10 })
  })
  it('of a Wigner crystal, with its background', async () => {
    const wigner = energy(coulomb(), { boundary: periodic(faceCentred), method: exact })
    const { energy: found, report } = await engine.run(wigner, { position: [3, -7, 0.5], charge: [1] })
    // In units of the radius of a sphere with the volume of the cell, 2.
    expect(found * Math.cbrt(6 / (4 * Math.PI))).toBeCloseTo(-0.895873615195, 9)
    expect(report.mean?.name).toBe('neutralising background')
    expect(report.mean?.density.charge_j).toBeCloseTo(-0.5, 12)
  })
})

describe('a box, of which eight make one with right angles', () => {
  const box: Vectors = { a: [1.2, 0, 0], b: [0.6, 0.9, 0], c: [0.6, 0.45, 0.7] }
  // 2b - a and 4c - 2b - a are along axes.
  const edges = [1.2, 1.8, 2.8]
  const cells = [0, 1].flatMap((b) => [0, 1, 2, 3].map((c) => placeIn(box, [0, b, c])))
  const count = 6
  // Also outside the box, by many lengths.
  const position = numbersBetween(next, 3 * count, -9, 9)
  const charge = Float64Array.of(1, -2, 1.5, -1, 2, -1)
  const options = { boundary: periodic(box), method: exact }
  const eight = {
    position: Float64Array.from(cells.flatMap((at) => [...position].map((x, n) => x + (at[n % 3] as number)))),
    charge: Float64Array.from(cells.flatMap(() => [...charge])),
  }

  it('has the forces, potentials and virial of that one', async () => {
    const expected = ewald(eight.position, eight.charge, edges)
    const points = { position, charge }
    const { force } = await engine.run(forces(coulomb(), options), points)
    const { potential } = await engine.run(potentials(coulomb(), options), points)
    const { energy: total } = await engine.run(energy(coulomb(), options), points)
    const { virial: pressure } = await engine.run(virial(coulomb(), options), points)
    const largest = (of: Float64Array) => Math.max(...of.map(Math.abs))
    for (const [found, truth] of [
      [force, expected.force],
      [potential, expected.potential],
    ] as const)
      for (const [n, x] of found.entries())
        expect(Math.abs(x - (truth[n] as number)) / largest(truth)).toBeLessThan(1e-9)
    expect(total).toBeCloseTo(potential.reduce((a, b) => a + b, 0) / 2, 8)
    expect(pressure).toBeCloseTo(total, 8)
  })

  it('has the sums of fast laws, pair by pair', async () => {
    const law = pairPotential('charge_i*charge_j*exp(-5*r)')()
    const { potential } = await engine.run(potentials(law, options), { position, charge })
    const images = Array.from({ length: 17 ** 3 }, (_, n) =>
      placeIn(box, [(n % 17) - 8, (Math.floor(n / 17) % 17) - 8, Math.floor(n / 17 ** 2) - 8]),
    )
    const inside = (i: number) => {
      // The last vector first, because it has parts along all axes.
      const x = [...position.subarray(3 * i, 3 * i + 3)]
      for (const [axis, v] of [
        [2, box.c],
        [1, box.b],
        [0, box.a],
      ] as const) {
        const times = Math.round((x[axis] as number) / (v[axis] as number))
        for (let n = 0; n < 3; n++) x[n] = (x[n] as number) - times * (v[n] as number)
      }
      return x
    }
    const places = Array.from({ length: count }, (_, i) => inside(i))
    for (const [i, here] of places.entries()) {
      let expected = 0
      for (const [j, there] of places.entries())
        for (const image of images) {
          const r = Math.hypot(...there.map((x, axis) => x + (image[axis] as number) - (here[axis] as number)))
          if (r > 0) expected += (charge[i] as number) * (charge[j] as number) * Math.exp(-5 * r)
        }
      expect(potential[i]).toBeCloseTo(expected, 9)
    }
  })

  it('takes targets of their own, and pairs that do not count', async () => {
    const law = pairTerm('charge_j/r')()
    const targets = { position: numbersBetween(next, 9, -2, 2) }
    const { value } = await engine.run(sum(law, options), { targets, sources: { position, charge } })
    const all = {
      position: Float64Array.from([...position, ...targets.position]),
      charge: Float64Array.from([...charge, 0, 0, 0]),
    }
    const one = await engine.run(sum(law, options), all)
    for (let n = 0; n < 3; n++) expect(value[n]).toBeCloseTo(one.value[count + n] as number, 9)
    // Two points beside each other across a face.
    const near = [0.02, 0.03, 0.01]
    const across = placeIn(box, [1, -1, 1]).map((x, axis) => x - (near[axis] as number))
    const pair = { position: Float64Array.from([0, 0, 0, ...across]), charge: [1, -1] }
    const whole = await engine.run(forces(coulomb(), options), pair)
    const less = await engine.run(forces(coulomb(), { ...options, exclusions: [[0, 1]] }), pair)
    const r = Math.hypot(...near)
    for (const [axis, x] of near.entries())
      expect(less.force[axis]).toBeCloseTo((whole.force[axis] as number) + x / r ** 3, 5)
  })

  it('leaves out the image of an excluded pair that the maps of devices leave out', async () => {
    const tilted = { boundary: periodic({ a: [1, 0, 0], b: [0.3, 1, 0], c: [0, 0, 1] }), method: exact }
    // By shares of the vectors, the other image along x would be the nearest one.
    const pair = { position: Float64Array.of(0, 0, 0, 0.585, 0.45, 0), charge: [1, 1] }
    const { potential } = await engine.run(potentials(coulomb(), tilted), pair)
    const { potential: less } = await engine.run(potentials(coulomb(), { ...tilted, exclusions: [[0, 1]] }), pair)
    expect((potential[0] as number) - (less[0] as number)).toBeCloseTo(1 / Math.hypot(0.415, 0.45), 8)
  })
})

it('has the forces that GROMACS finds for eight ions', async () => {
  // Lengths in nanometres, energies in kJ/mol. OpenMM's tests quote the ions and the results.
  const boundary = periodic({ a: [2.5, 0, 0], b: [0.5, 3, 0], c: [0.7, 0.9, 3.5] })
  const position = Float64Array.of(
    ...[1.744, 2.788, 3.162, 1.048, 0.762, 2.34, 2.489, 1.57, 2.817, 1.027, 1.893, 3.271],
    ...[0.937, 0.825, 0.009, 2.29, 1.887, 3.352, 1.266, 1.111, 2.894, 0.933, 1.862, 3.49],
  )
  const expected = [
    [4.25253e1, -1.23503e2, 1.22139e2],
    [9.74752e1, 1.68213e2, 1.93169e2],
    [-1.50348e2, 1.29165e2, 3.70435e2],
    [9.18644e2, -3.52571, -1.34772e3],
    [-1.61193e2, 9.01528e1, -7.12904e1],
    [2.8263e2, 2.78029e1, -3.72864e2],
    [-1.47454e2, -2.14448e2, -3.55789e2],
    [-8.82195e2, -7.39132e1, 1.46202e3],
  ].flat()
  const ofIons = (chloride: number, sodium: number) =>
    Float64Array.from(position.subarray(0, 8), (_, n) => (n < 4 ? chloride : sodium))
  const { force } = await engine.run(forces(coulomb({ k: 138.935456 }), { boundary, method: exact }), {
    position,
    charge: ofIons(-1, 1),
  })
  const { force: near } = await engine.run(forces(lennardJones(), { boundary, cutoff: 1 }), {
    position,
    epsilon: ofIons(0.4184, 0.0115897),
    sigma: ofIons(0.440104, 0.33284),
  })
  for (let ion = 0; ion < 8; ion++) {
    const want = expected.slice(3 * ion, 3 * ion + 3)
    const off = want.map((x, axis) => (force[3 * ion + axis] as number) + (near[3 * ion + axis] as number) - x)
    // The grid and the float32 of the other program tell; the largest force is 1709.
    expect(Math.hypot(...off)).toBeLessThan(1e-4 * 1709)
  }
})
