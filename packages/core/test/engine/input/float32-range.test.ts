// Numbers that float32 cannot hold, and other numbers that runs must accept.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/engine/engine.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { accelerations, forces, matrix, potentials } from '../../../src/problem/workloads/pair.ts'
import { reference } from '../../../src/truth/reference/backend.ts'
import { fakeBackend } from '../../support/fake-backends.ts'

const position = new Float32Array(6)
const mass = new Float32Array(2).fill(1)
const law = forces(gravity())

describe('numbers that float32 cannot hold', () => {
  const [far, heavy] = [new Float64Array(position).with(4, -4e38), new Float64Array(2).fill(2e41)]
  const message = (name: string, value: string) =>
    `"${name}" expected numbers that float32 holds, up to 3.4e38, got ${value}; use larger units or precision "f64"`

  it('are refused by runs, streams and simulations of a float32 device', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    const points = { position, mass: heavy }
    await expect(engine.run(law, points)).rejects.toThrow(new RangeError(message('mass', '2e+41 at index 0')))
    const rows = engine.stream(matrix(gravity()), { position: far, mass })
    await expect(rows.next()).rejects.toThrow(message('position', '-4e+38 at index 4'))
    const simulation = await engine.simulate({ law: gravity(), particles: { ...points, velocity: position }, dt: 1 })
    await expect(simulation.step()).rejects.toThrow(message('mass', '2e+41 at index 0'))
  })

  it('are accepted in float64, and the largest float32 is accepted in float32', async () => {
    await using double = await createEngine({ backends: [reference()], precision: 'f64' })
    const { acceleration } = await double.run(accelerations(gravity()), {
      position: Float64Array.of(0, 0, 0, 1e20, 0, 0),
      mass: heavy,
    })
    expect(acceleration[0]).toBeCloseTo(20, 10)
    await using single = await createEngine({ backends: [reference()] })
    const largest = new Float64Array(2).fill((2 - 2 ** -23) * 2 ** 127)
    await expect(single.run(law, { position, mass: largest })).resolves.toHaveProperty('force')
  })
})

describe('allowed input', () => {
  it('includes zero and negative weights, unused attributes, and vectors beside positions', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('fake')] })
    const particles = { position: position.with(3, 1), mass: Float32Array.of(0, -2), velocity: position, other: mass }
    const { potential } = await engine.run(potentials(gravity()), particles)
    expect([...potential].map(Math.abs)).toEqual([0, 0])
    const { acceleration } = await engine.run(accelerations(gravity()), particles)
    expect([...acceleration].map((x) => x + 0)).toEqual([-2, 0, 0, 0, 0, 0])
  })
})
