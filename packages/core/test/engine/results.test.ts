// The results of a run: arrays by the names of the workload, in the engine's precision, totals against closed forms, and a
// report of the run.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { inversePower } from '../../src/problem/interactions/inverse-power.ts'
import {
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  potentials,
  reduce,
  virial,
} from '../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(4)
const count = 20
const set = (n: number) => ({
  position: numbersBetween(next, 3 * n, -1, 1),
  mass: numbersBetween(next, n, 0.5, 2),
  charge: numbersBetween(next, n, -1, 1),
  weight: numbersBetween(next, n, -1, 1),
  p: numbersBetween(next, n, -1, 1),
})
const particles = set(count)

describe('result arrays', () => {
  it.each([
    ['f32', Float32Array],
    ['f64', Float64Array],
  ] as const)('have the requested precision %s', async (precision, Floats) => {
    await using engine = await createEngine({ backends: [reference()], precision })
    expect((await engine.run(forces(gravity()), particles)).force).toBeInstanceOf(Floats)
    expect((await engine.run(potentials(gravity()), particles)).potential).toHaveLength(count)
    expect((await engine.run(countWithin(1), particles)).count).toBeInstanceOf(Uint32Array)
    const { index, distance } = await engine.run(nearest(3), particles)
    expect(index).toBeInstanceOf(Int32Array)
    expect(distance).toBeInstanceOf(Floats)
    expect([index.length, distance.length]).toEqual([3 * count, 3 * count])
    const { index: at, value } = await engine.run(reduce('argmin', attributeSum()), particles)
    expect([at.length, value.length]).toEqual([count, count])
    expect((await engine.run(cellIndex({ cells: [2, 2, 2], spacing: 1 }), particles)).index).toBeInstanceOf(Int32Array)
    expect((await engine.run(map({ twice: '2*mass' }), particles)).twice).toBeInstanceOf(Floats)
    expect(typeof (await engine.run(energy(gravity()), particles)).energy).toBe('number')
  })

  it('are the same for the same numbers in float32 and float64', async () => {
    await using engine = await referenceEngine()
    const rounded = { position: Float32Array.from(particles.position), mass: Float32Array.from(particles.mass) }
    const widened = { position: Float64Array.from(rounded.position), mass: Float64Array.from(rounded.mass) }
    const [a, b] = [await engine.run(forces(gravity()), rounded), await engine.run(forces(gravity()), widened)]
    expect(a.force).toEqual(b.force)
  })

  it('do not change the particles', async () => {
    await using engine = await referenceEngine()
    const before = structuredClone(particles)
    await engine.run(map({ position: '2*position' }), particles)
    await engine.run(forces(gravity()), particles)
    expect(particles).toEqual(before)
  })
})

describe('totals', () => {
  const pairs = (n: number) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: i }, (_, j) => [i, j] as const)).flat()
  const distance = (i: number, j: number) =>
    Math.hypot(
      ...[0, 1, 2].map((k) => (particles.position[3 * i + k] as number) - (particles.position[3 * j + k] as number)),
    )

  it('take the number of points of a map without positions from the components that it reads', async () => {
    await using engine = await referenceEngine()
    const velocity = Float32Array.of(3, 4, 0, 0, 0, 2)
    const speed = map({ speed: 'sqrt(velocity_x^2 + velocity_y^2 + velocity_z^2)' })
    expect((await engine.run(speed, { velocity })).speed).toEqual(Float64Array.of(5, 2))
    const planar = map({ speed: 'sqrt(velocity_x^2 + velocity_y^2)' })
    expect((await engine.run(planar, { velocity, dimension: 2 })).speed).toEqual(Float64Array.of(5, 0, 2))
    // A separate attribute is not a component of another.
    const own = map({ sum: 'p + p_x' })
    const [p, p_x] = [Float32Array.of(1, 2), Float32Array.of(3, 4)]
    expect((await engine.run(own, { p, p_x })).sum).toEqual(Float64Array.of(4, 6))
  })

  it('of one set count each pair once', async () => {
    await using engine = await referenceEngine()
    const expected = pairs(count).reduce(
      (total, [i, j]) => total - ((particles.mass[i] as number) * (particles.mass[j] as number)) / distance(i, j),
      0,
    )
    const { energy: got } = await engine.run(energy(gravity()), particles)
    expect(Math.abs(got / expected - 1)).toBeLessThan(1e-13)
  })

  it('of two sets count every pair', async () => {
    await using engine = await referenceEngine()
    const other = set(7)
    const { energy: got } = await engine.run(energy(coulomb()), { targets: particles, sources: other })
    const { potential } = await engine.run(potentials(coulomb()), { targets: particles, sources: other })
    expect(got).toBeCloseTo(
      [...potential].reduce((total, u) => total + u, 0),
      12,
    )
  })

  it.each([
    ['gravity', gravity(), 1],
    ['coulomb', coulomb(), 1],
    ['r^-3', inversePower({ exponent: 3 }), 3],
    ['r^-6', inversePower({ exponent: 6 }), 6],
  ] as const)('obey the virial theorem of a homogeneous law: %s', async (_, law, degree) => {
    await using engine = await referenceEngine()
    const { energy: u } = await engine.run(energy(law), particles)
    const { virial: w } = await engine.run(virial(law), particles)
    expect(Math.abs(w / (degree * u) - 1)).toBeLessThan(1e-12)
  })

  it('of equal masses at the corners of a tetrahedron are six times that of one pair', async () => {
    await using engine = await referenceEngine()
    const position = Float64Array.of(1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1)
    const { energy: u } = await engine.run(energy(gravity({ G: 2 })), { position, mass: new Float64Array(4).fill(3) })
    expect(u).toBeCloseTo((-6 * 2 * 9) / Math.sqrt(8), 13)
  })
})

describe('a matrix', () => {
  it('in blocks of rows equals the whole matrix', async () => {
    await using engine = await referenceEngine()
    const workload = matrix(attributeSum())
    const { value } = await engine.run(workload, particles)
    expect(value).toHaveLength(count * count)
    for (const rows of [1, 3, 7, 20, 1000]) {
      const whole = new Float64Array(count * count)
      let [blocks, expectedFirst] = [0, 0]
      for await (const { first, last, value: part } of engine.stream(workload, particles, { rows })) {
        expect([first, part.length]).toEqual([expectedFirst, (last - first) * count])
        expect(last - first).toBeLessThanOrEqual(rows)
        whole.set(part, first * count)
        ;[blocks, expectedFirst] = [blocks + 1, last]
      }
      expect([blocks, expectedFirst]).toEqual([Math.ceil(count / rows), count])
      expect(whole).toEqual(value)
    }
  })

  it('streams no blocks without targets', async () => {
    await using engine = await referenceEngine()
    const empty = { targets: set(0), sources: set(2) }
    for await (const _ of engine.stream(matrix(attributeSum()), empty)) expect.fail('a block of nothing')
  })
})

describe('the report', () => {
  it('names what ran', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    const { report } = await engine.run(forces(gravity()), { targets: set(5), sources: set(7) })
    expect(report).toMatchObject({
      ...{ backend: 'reference', device: 'float64 reference, one thread', kind: 'cpu', variant: 'plain' },
      ...{ precision: 'f32', accumulation: 'f64', interactions: 35, recoveries: [] },
    })
    expect((await engine.run(map({ a: 'mass' }), set(5))).report.interactions).toBe(5)
  })
})
