// The numbers that a device of float32 gets: coordinates from a centre that makes none of them worse, and only numbers that it holds.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import type { FloatArray } from '../../src/ground/checks.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { centreOf } from '../../src/problem/workloads/numbers/centre.ts'
import { deviceNumbers } from '../../src/problem/workloads/numbers/device-numbers.ts'
import { accelerations, nearest, sum } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { numbersBetween, random } from '../support/random.ts'

const pull = accelerations(gravity())
const numbersOf = (workload: Workload, particles: object) =>
  deviceNumbers(bind(workload, particles as never), 'f32').bindings

describe('a centre', () => {
  const next = random(41)
  const clouds = Array.from({ length: 200 }, () => {
    const [from, extent] = [numbersBetween(next, 3, -8, 8), numbersBetween(next, 3, -8, 8)]
    return Float64Array.from(numbersBetween(next, 30, 0, 1), (x, n) => {
      const k = n % 3
      return Math.sign(from[k] as number) * 10 ** (from[k] as number) + x * 10 ** (extent[k] as number)
    })
  })

  it('does not increase the rounding of any coordinate, whatever the cloud', () => {
    let [moved, better] = [0, 0]
    for (const position of clouds) {
      const centre = centreOf([position], 3)
      for (const [n, x] of position.entries()) {
        const c = centre[n % 3] as number
        const [before, after] = [Math.abs(Math.fround(x) - x), Math.abs(Math.fround(x - c) - (x - c))]
        expect(after).toBeLessThanOrEqual(before)
        if (c !== 0) moved++
        if (after < before / 4) better++
      }
    }
    expect(moved).toBeGreaterThan(1000)
    expect(better).toBeGreaterThan(500)
  })

  it('leaves numbers exact that float32 represents exactly', () => {
    for (const position of clouds.map((cloud) => Float64Array.from(Float32Array.from(cloud)))) {
      const centre = centreOf([position], 3)
      for (const [n, x] of position.entries()) {
        const c = centre[n % 3] as number
        expect(Math.fround(x - c)).toBe(x - c)
      }
    }
  })

  it('is 0 for points on both sides, for one at 0, and for none', () => {
    expect(centreOf([Float64Array.of(-1e-9, 0, 7, 1e9, 5, 8)], 3)).toEqual([0, 0, 7.5])
    expect(centreOf([new Float64Array(0)], 2)).toEqual([0, 0])
  })
})

describe('the numbers of a device', () => {
  const mass = Float64Array.of(1, 2)
  const far = Float64Array.of(1e7, -1e7, 0, 1e7 + 0.25, -1e7 - 0.5, 1)

  it('keep the displacements of points far away, of one set and of two', () => {
    const { targets, sources } = numbersOf(pull, { position: far, mass })
    const { position } = targets.arrays as { position: FloatArray }
    expect(position).toBeInstanceOf(Float32Array)
    expect([3, 4, 5].map((n) => (position[n] as number) - (position[n - 3] as number))).toEqual([0.25, -0.5, 1])
    expect(sources).toBe(targets)
    const two = {
      targets: { position: far.slice(0, 3) },
      sources: { position: Float32Array.of(1e7 + 2, -1e7, 0), mass: mass.slice(1) },
    }
    const apart = numbersOf(pull, two)
    const [here, there] = [apart.targets, apart.sources].map(({ arrays }) => arrays.position as FloatArray)
    expect([...(there as FloatArray)].map((x, n) => x - (here?.[n] as number))).toEqual([2, 0, 0])
  })

  it('are unchanged positions in maps, and unchanged Float32Arrays everywhere', () => {
    const { arrays } = numbersOf(map({ same: 'position' }), { position: far }).targets
    expect([...(arrays.position as FloatArray)]).toEqual([...Float32Array.from(far)])
    const position = Float32Array.from(far)
    expect(numbersOf(pull, { position, mass }).targets.arrays.position).toEqual(position)
  })

  it("are the caller's in float64", () => {
    const bound = bind(pull, { position: far, mass })
    expect(deviceNumbers(bound, 'f64').bindings).toBe(bound.bindings)
  })

  it('are refused if a whole array becomes 0 in float32', () => {
    expect(() => numbersOf(pull, { position: far, mass: Float64Array.of(1e-40, 0) })).toThrow(
      '"mass" expected numbers that float32 holds, from 1.2e-38, got at most 1e-40; use smaller units or precision "f64"',
    )
    expect(() => numbersOf(pull, { position: far, mass: Float64Array.of(1e-40, 1) })).not.toThrow()
  })
})

it('near points keep their distance if another point is far away, as verify confirms', async () => {
  await using engine = await createEngine({ backends: [reference()] })
  const position = Float64Array.of(1000, 0, 0, 1e-5, 0, 0, 3e-5, 0, 0, 0, 2, 0)
  const { distance } = await engine.run(nearest(1), { position })
  expect(distance[1]).toBeCloseTo(2e-5, 10)
  const cloud = Float64Array.from({ length: 192 }, (_, n) => 1e5 + Math.sin(12.9898 * (n + 1)))
  const verification = await engine.verify(accelerations(gravity({ softening: 0.1 })), {
    position: cloud,
    mass: new Float64Array(64).fill(1),
  })
  expect(verification).toMatchObject({ ok: true })
})

describe('two clusters on both sides of 0', () => {
  const cluster = (at: number) => (_: unknown, n: number) => at + Math.sin(12.9898 * (n + 1))
  const position = Float64Array.from({ length: 192 }, (_, n) => cluster(Math.floor(n / 3) % 2 ? 1e6 : -1e6)(_, n))
  const particles = { position, mass: new Float64Array(64).fill(1) }
  const workload = accelerations(gravity({ softening: 0.1 }))

  it('become two floats per coordinate, which add up to the input', () => {
    const { shape, bindings } = deviceNumbers(bind(workload, particles), 'f32')
    expect(shape.split).toBe(true)
    const { arrays } = bindings.targets
    const low = ['X', 'Y', 'Z'].map((axis) => arrays[`positionLow${axis}`] as FloatArray)
    for (const [n, x] of position.entries()) {
      const sum = ((arrays.position as FloatArray)[n] as number) + (low[n % 3]?.[Math.floor(n / 3)] as number)
      expect(Math.abs(sum - x)).toBeLessThan(1e6 * 2 ** -45)
    }
  })

  it('are computed as in float64, prepared or not, as verify confirms', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
    const { acceleration } = await engine.run(workload, particles)
    const truth = (await exact.run(workload, particles)).acceleration
    for (const [n, a] of truth.entries()) expect(acceleration[n]).toBeCloseTo(a, 4)
    const program = await engine.prepare(workload, { count: 64 })
    expect((await program.run(particles)).acceleration).toEqual(acceleration)
    expect(await engine.verify(workload, particles)).toMatchObject({ ok: true })
  })

  it('need one float in an ordinary cloud, and if float32 represents them exactly', () => {
    const near = position.map((x) => x - Math.sign(x) * 1e6)
    expect(deviceNumbers(bind(workload, { ...particles, position: near }), 'f32').shape.split).toBeUndefined()
    const held = Float64Array.from(Float32Array.from(position))
    expect(deviceNumbers(bind(workload, { ...particles, position: held }), 'f32').shape.split).toBeUndefined()
  })
})

it('only points so far or near that r^3 leaves float32 get another unit of length', () => {
  const unitOf = (scale: number) => {
    const position = Float32Array.from({ length: 30 }, (_, n) => scale * (1.5 + Math.sin(12.9898 * (n + 1))))
    const { shape, bindings } = deviceNumbers(bind(pull, { position, mass: new Float32Array(10).fill(1) }), 'f32')
    expect(bindings.parameters.lengthUnit !== undefined).toBe(shape.scaled === true)
    return bindings.parameters.lengthUnit
  }
  expect([1e-3, 1, 1e9].map(unitOf)).toEqual([undefined, undefined, undefined])
  expect(unitOf(1e13)).toBe(2 ** 37)
  expect(unitOf(1e-18)).toBe(2 ** -60)
})

describe('a point that is far from all others', () => {
  const cloud = Float32Array.from({ length: 300 }, (_, n) => Math.sin(12.9898 * (n + 1) ** 2))
  const unitOf = (scale: number, far: number, workload: Workload = pull) => {
    const position = cloud.map((x, n) => (n === 150 ? far : scale * x))
    const ones = new Float32Array(100).fill(1)
    return deviceNumbers(bind(workload, { position, mass: ones }), 'f32').bindings.parameters.lengthUnit
  }

  it('gets a unit in which the cubes of its distances and of all others are numbers of float32', () => {
    const unit = unitOf(1, 1e18) as number
    expect((1e18 / unit) ** 3).toBeLessThan(2 ** 126)
    expect((2 ** -11 / unit) ** 3).toBeGreaterThan(2 ** -126)
    expect(unitOf(1e13, 1e18)).toBe(unitOf(1e13, -1e18))
  })

  it('leaves the unit of the others if no unit suits both, or the law', () => {
    expect(unitOf(1, 1e30)).toBe(1)
    expect(unitOf(1e-6, -3e38)).toBe(2 ** -20)
    expect(unitOf(1, 1e18, accelerations(gravity({ G: 1e-30 })))).toBe(1)
    expect(unitOf(1e-12, 1e18)).toBeLessThan(2 ** -35)
  })
})

describe('points near 0', () => {
  const unitOf = (position: Float32Array | Float64Array, boundary?: ReturnType<typeof periodic>) =>
    deviceNumbers(bind(sum(pairTerm('1/r')(), boundary ? { boundary } : {}), { position }), 'f32').bindings.parameters
      .lengthUnit
  const cloud = Float32Array.from({ length: 3000 }, (_, n) => Math.sin(12.9898 * (n + 1) ** 2))

  it("keep the caller's unit if no two are close", () => {
    const position = cloud.map((x, n) => (n % 100 ? x : 1e-7 * x))
    expect(unitOf(position)).toBeUndefined()
    expect(unitOf(position.map((x, n) => (n % 3 === 2 ? 0 : x)))).toBeUndefined()
    // Points in one place are left out, or singular in any unit.
    expect(unitOf(Float32Array.of(1e-9, 0, 0, 1e-9, 0, 0, 1, 1, 1))).toBeUndefined()
  })

  it('get another unit if two are so close that the cube of their distance leaves float32', () => {
    expect(unitOf(Float32Array.of(...cloud, 1e-15, 0, 0, 3e-15, 0, 0))).toBe(2 ** -30)
    expect(unitOf(Float64Array.of(...cloud, 1e-15, 0, 0, 3e-15, 0, 0))).toBe(2 ** -30)
    expect(unitOf(Float32Array.of(...cloud, 0.5, 1e-15, 0, 0.5, 0, 0))).toBe(2 ** -30)
    // Neighbouring floats.
    expect(unitOf(Float32Array.of(2 ** -18, 0, 0, 2 ** -18 + 2 ** -41, 0, 0, 1, 1, 1))).toBeUndefined()
    expect(unitOf(Float32Array.of(2 ** -18, 0, 0, 2 ** -18 - 2 ** -42, 0, 0, 1, 1, 1))).toBe(2 ** -30)
  })

  it('get another unit also if two are close across the faces of a box', () => {
    const position = Float32Array.of(1e-15, 0.5, 0, 4, 0.5, 8, 1, 1, 1)
    expect(unitOf(position)).toBeUndefined()
    expect(unitOf(position, periodic([4, 4, 4]))).toBe(2 ** -30)
  })
})

it('the unit suits the law, so that a constant as small as G in SI keeps its digits among galaxies', () => {
  const workload = accelerations(gravity({ G: 6.674e-11 }))
  const { bindings } = deviceNumbers(
    bind(workload, { position: Float32Array.of(0, 0, 0, 2.5e20, 0, 0), mass: Float32Array.of(2e36, 6e34) }),
    'f32',
  )
  expect(bindings.parameters.lengthUnit).toBeLessThan(2 ** 48)
  const far = { position: Float32Array.of(0, 0, 0, 2.5e20, 0, 0), mass: Float32Array.of(1, 1) }
  expect(() => deviceNumbers(bind(accelerations(gravity({ G: 1e-37 })), far), 'f32')).toThrow(
    /lengthUnit.* where lengthUnit is .* to suit the positions; use other units or precision "f64"/,
  )
})
