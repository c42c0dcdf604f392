// What TypeScript takes as points: interfaces too, and what it refuses. `npm run types` is the test of the types; here
// runs what it takes, and is refused what it refuses.

import { expect, it } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { gravity } from '../../src/interactions/gravity.ts'
import { gradient } from '../../src/workloads/grid.ts'
import { accelerations, matrix } from '../../src/workloads/pair.ts'
import { cellIndex, map } from '../../src/workloads/particle.ts'
import type { Particles } from '../../src/workloads/particles.ts'
import { referenceEngine } from '../support/reference-engine.ts'

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
  position: Float32Array
  mass: number[]
}

const bodies: Bodies = { position: Float32Array.of(0, 0, 0, 1, 2, 2), mass: Float32Array.of(1, 2) }
const planar: Planar = { position: Float32Array.of(0, 0, 1, 2), mass: bodies.mass, dimension: 2 }
const moving: MovingBodies = { ...bodies, velocity: new Float32Array(6) }
const listed: Listed = { position: bodies.position, mass: [1, 2] }
const { position, mass } = bodies
const anyPoints: Particles = { position, mass }
const pull = accelerations(gravity())
const double = map({ double: '2*mass' })

it.each<[name: string, run: (engine: Engine) => Promise<unknown>]>([
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
  ['a map without positions', (engine) => engine.run(double, { mass })],
  ['a map of an interface', (engine) => engine.verify(double, moving)],
])('takes %s', async (_, run) => {
  await using engine = await referenceEngine()
  await expect(run(engine)).resolves.not.toThrow()
})

it.each<[name: string, run: (engine: Engine) => Promise<unknown>]>([
  // @ts-expect-error a list is no array of floats
  ['a list in an interface', (engine) => engine.run(pull, listed)],
  // @ts-expect-error the same, in place
  ['a list', (engine) => engine.run(pull, { position, mass: [1, 2] })],
  // @ts-expect-error the same, in one of two sets
  ['a list in a set', (engine) => engine.run(pull, { targets: bodies, sources: { position, mass: [1, 2] } })],
  // @ts-expect-error pairs have positions
  ['pairs without positions', (engine) => engine.run(pull, { mass })],
  // @ts-expect-error so have points in cells
  ['cells without positions', (engine) => engine.run(cellIndex({ cells: [2, 2, 2], spacing: 1 }), { mass })],
  // @ts-expect-error space has 2 dimensions, or 3
  ['four dimensions', (engine) => engine.run(pull, { position, mass, dimension: 4 })],
  // @ts-expect-error one of two sets
  ['targets alone', (engine) => engine.run(pull, { targets: bodies })],
  // @ts-expect-error a field is an array
  ['a list as field', (engine) => engine.run(gradient({ cells: [1, 2], spacing: 1 }), { field: [1, 2] })],
  // @ts-expect-error points that move have a velocity
  ['a simulation without velocity', (engine) => engine.simulate({ law: gravity(), particles: bodies, dt: 1 })],
  // @ts-expect-error a list is no array of floats, for a map neither
  ['a map of a list', (engine) => engine.run(double, { mass: [1, 2] })],
])('refuses %s', async (_, run) => {
  await using engine = await referenceEngine()
  await expect(run(engine)).rejects.toThrow(/expected/)
})
