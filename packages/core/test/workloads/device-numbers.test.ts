// What a device of float32 is given: coordinates from a centre that makes none of them worse, and nothing that it cannot hold.

import { describe, expect, it } from 'vitest'
import type { FloatArray } from '../../src/checks.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { gravity } from '../../src/interactions/gravity.ts'
import { reference } from '../../src/reference/backend.ts'
import { bind } from '../../src/workloads/bind.ts'
import { centreOf } from '../../src/workloads/centre.ts'
import { deviceNumbers } from '../../src/workloads/device-numbers.ts'
import { accelerations, nearest } from '../../src/workloads/pair.ts'
import { map } from '../../src/workloads/particle.ts'
import type { Workload } from '../../src/workloads/workload.ts'
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

  it('makes the rounding of no coordinate worse, whatever the cloud', () => {
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

  it('keeps exactly what float32 holds exactly', () => {
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

  it('are positions as they are in maps, and Float32Arrays as they are everywhere', () => {
    const { arrays } = numbersOf(map({ same: 'position' }), { position: far }).targets
    expect([...(arrays.position as FloatArray)]).toEqual([...Float32Array.from(far)])
    const position = Float32Array.from(far)
    expect(numbersOf(pull, { position, mass }).targets.arrays.position).toEqual(position)
  })

  it("are the caller's in float64", () => {
    const bound = bind(pull, { position: far, mass })
    expect(deviceNumbers(bound, 'f64').bindings).toBe(bound.bindings)
  })

  it('are refused where all of an array is 0 in float32', () => {
    expect(() => numbersOf(pull, { position: far, mass: Float64Array.of(1e-40, 0) })).toThrow(
      '"mass" expected numbers that float32 holds, from 1.2e-38, got at most 1e-40; use smaller units or precision "f64"',
    )
    expect(() => numbersOf(pull, { position: far, mass: Float64Array.of(1e-40, 1) })).not.toThrow()
  })
})

it('near points beside one far away have their distance, and verify says so', async () => {
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
