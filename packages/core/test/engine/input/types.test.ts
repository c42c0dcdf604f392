// The types of points that TypeScript accepts, interfaces too, the types that it refuses, and the types of results. `npm run types`
// tests the types. Here accepted points run, and refused ones are refused.

import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import type { Precision } from '../../../src/ground/precision.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { gradient } from '../../../src/problem/workloads/grid.ts'
import { accelerations, matrix, nearest } from '../../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../../src/problem/workloads/particle.ts'
import type { Particles } from '../../../src/problem/workloads/particles.ts'
import { reference } from '../../../src/truth/reference/backend.ts'
import { referenceEngine } from '../../support/reference-engine.ts'

interface Bodies {
  position: Float32Array
  mass: Float32Array
}

interface Planar extends Bodies {
  dimension: 2
}

interface MovingBodies extends Bodies {
  velocity: Float32Array
}

interface Listed {
  position: readonly number[]
  mass: number[]
}

interface Texts {
  position: Float32Array
  mass: string[]
}

const bodies: Bodies = { position: Float32Array.of(0, 0, 0, 1, 2, 2), mass: Float32Array.of(1, 2) }
const planar: Planar = { position: Float32Array.of(0, 0, 1, 2), mass: bodies.mass, dimension: 2 }
const moving: MovingBodies = { ...bodies, velocity: new Float32Array(6) }
const listed: Listed = { position: [0, 0, 0, 1, 2, 2], mass: [1, 2] }
const texts: Texts = { position: bodies.position, mass: ['1', '2'] }
const { position, mass } = bodies
const anyPoints: Particles = { position, mass }
const pull = accelerations(gravity())
const double = map({ double: '2*mass' })

it.each<[name: string, run: (engine: Engine<'f64'>) => Promise<unknown>]>([
  ['an interface', (engine) => engine.run(pull, bodies)],
  ['an interface in 2-D', (engine) => engine.run(pull, planar)],
  ['two sets of interfaces', (engine) => engine.run(pull, { targets: bodies, sources: moving })],
  ['what is typed as any points', (engine) => engine.run(pull, anyPoints)],
  ['a result named by hand', (engine) => engine.run<'acceleration'>(pull, anyPoints)],
  ['an object in place', (engine) => engine.run(pull, { position, mass, dimension: 3 })],
  [
    'an interface that moves',
    async (engine) => (await engine.simulate({ law: gravity(), particles: moving, dt: 1 })).step(),
  ],
  ['an interface to verify', (engine) => engine.verify(pull, bodies)],
  ['an interface to stream', (engine) => engine.stream(matrix(gravity()), bodies).next()],
  ['an interface for a prepared program', async (engine) => (await engine.prepare(pull, { count: 2 })).run(bodies)],
  ['lists of numbers', (engine) => engine.run(pull, { position: [0, 0, 0, 1, 2, 2], mass: [1, 2] })],
  ['lists in an interface', (engine) => engine.run(pull, listed)],
  ['lists in two sets', (engine) => engine.run(pull, { targets: listed, sources: { position, mass: [1, 2] } })],
  ['a list as field', (engine) => engine.run(gradient({ cells: [1, 2], spacing: 1 }), { field: [1, 2] })],
  ['a map of a list', (engine) => engine.run(double, { mass: [1, 2] })],
  [
    'lists that move',
    async (engine) => {
      const particles = { ...listed, velocity: [0, 0, 0, 0, 0, 0] }
      return (await engine.simulate({ law: gravity(), particles, dt: 1 })).step()
    },
  ],
  [
    'a dimension that an object keeps',
    (engine) => {
      const flat = { position: [0, 0, 1, 2], mass: [1, 2], dimension: 2 }
      return engine.run(pull, flat)
    },
  ],
  ['a map without positions', (engine) => engine.run(double, { mass })],
  [
    'a prepared map without positions',
    async (engine) => (await engine.prepare(double, { count: 2, vectors: [] })).run({ mass }),
  ],
  ['a map of an interface', (engine) => engine.verify(double, moving)],
])('run takes %s', async (_, run) => {
  await using engine = await referenceEngine()
  await expect(run(engine)).resolves.not.toThrow()
})

it.each<[name: string, run: (engine: Engine<'f64'>) => Promise<unknown>]>([
  // @ts-expect-error text is not a number
  ['texts in an interface', (engine) => engine.run(pull, texts)],
  // @ts-expect-error the same, in place
  ['texts', (engine) => engine.run(pull, { position, mass: ['1', '2'] })],
  // @ts-expect-error the same, in one of two sets
  ['texts in a set', (engine) => engine.run(pull, { targets: bodies, sources: { position, mass: ['1', '2'] } })],
  // @ts-expect-error points are not nested lists
  ['a list of points', (engine) => engine.run(pull, { position: [[0, 0, 0]], mass: [1] })],
  // @ts-expect-error whole numbers
  ['whole numbers', (engine) => engine.run(pull, { position: new Int32Array(3), mass: [1] })],
  // @ts-expect-error pairs have positions
  ['pairs without positions', (engine) => engine.run(pull, { mass })],
  // @ts-expect-error so have points in cells
  ['cells without positions', (engine) => engine.run(cellIndex({ cells: [2, 2, 2], spacing: 1 }), { mass })],
  // The type is a number, so that a dimension in an object that was kept compiles.
  ['four dimensions', (engine) => engine.run(pull, { position, mass, dimension: 4 })],
  // @ts-expect-error one of two sets
  ['targets alone', (engine) => engine.run(pull, { targets: bodies })],
  // @ts-expect-error a field has numbers
  ['texts as field', (engine) => engine.run(gradient({ cells: [1, 2], spacing: 1 }), { field: ['1', '2'] })],
  // @ts-expect-error prepared pairs have positions, too
  ['prepared pairs without positions', async (engine) => (await engine.prepare(pull, { count: 2 })).run({ mass })],
  // @ts-expect-error text is not a number, for a map neither
  ['a map of texts', (engine) => engine.run(double, { mass: ['1', '2'] })],
])('run refuses %s', async (_, run) => {
  await using engine = await referenceEngine()
  await expect(run(engine)).rejects.toThrow(/expected/)
})

const backends = [reference()]

describe('the type of results', () => {
  it('is Float32Array by default, so that all its methods can be called', async () => {
    await using engine = await createEngine({ backends })
    const { acceleration } = await engine.run(pull, bodies)
    const floats: Float32Array = acceleration
    expect(floats).toBeInstanceOf(Float32Array)
    expect(acceleration.map((a) => 81 * a * a).reduce((sum, a) => sum + a)).toBeCloseTo(5, 5)
    const { distance, index } = await engine.run(nearest(1), bodies)
    expect(distance.reduce((sum, r) => sum + r) + index.reduce((sum, n) => sum + n)).toBe(7)
  })

  it('is Float64Array in f64, also from prepared programs, simulations and streams', async () => {
    await using engine = await createEngine({ backends, precision: 'f64' })
    const program = await engine.prepare(pull, { count: 2 })
    const simulation = await engine.simulate({ law: gravity(), particles: moving, dt: 1 })
    const { value: rows } = await engine.stream(matrix(gravity()), bodies).next()
    const results: (Float64Array | undefined)[] = [
      (await engine.run(pull, bodies)).acceleration,
      (await program.run(bodies)).acceleration,
      await simulation.read('position'),
      rows?.value,
    ]
    for (const result of results) expect(result).toBeInstanceOf(Float64Array)
  })

  it('is a union if the precision is known only at run time', async () => {
    const precision = 'f64' as Precision
    await using engine: Engine<Precision> = await createEngine({ backends, precision })
    const { acceleration } = await engine.run(pull, bodies)
    const floats: Float32Array | Float64Array = acceleration
    // @ts-expect-error it may be the other
    const single: Float32Array = acceleration
    expect(single).toBe(floats)
  })
})
