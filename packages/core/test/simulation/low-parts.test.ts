// Which arrays have low parts, how maps add to both, and what becomes of low parts where another engine resumes them.

import { expect, it } from 'vitest'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { boris4 } from '../../src/simulation/boris.ts'
import { boundSimulation } from '../../src/simulation/bound-simulation.ts'
import {
  type Integrator,
  leapfrog,
  semiImplicitEuler,
  velocityVerlet,
  yoshida4,
} from '../../src/simulation/integrators.ts'
import { addingLow, inPrecision, inTwoFloats, lowPartOf } from '../../src/simulation/low-parts.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import { firstOrderRungeKutta4, rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import { restored, stored } from '../../src/simulation/snapshot.ts'

const shape = { vectors: ['position', 'velocity', 'acceleration', 'previous'], dimension: 2 } as const
const both = ['position', 'velocity']
const euler: Integrator = {
  ...{ name: 'Euler', order: 1 },
  stages: [{ kind: 'map', outputs: { position: 'position + h*velocity' }, fraction: 1 }, { kind: 'force' }],
}
const stage = (outputs: Readonly<Record<string, string>>): Integrator => ({
  ...euler,
  stages: [{ kind: 'map', outputs, fraction: 1 }, ...euler.stages],
})

it.each<[string, Integrator, readonly string[]]>([
  ['kicks and drifts', leapfrog, both],
  ['semi-implicit', semiImplicitEuler, both],
  ['velocity Verlet', velocityVerlet, both],
  ['Yoshida', yoshida4, both],
  ['a thermostat', langevin({ temperature: 1, friction: 1, seed: 1, dimension: 2 }), ['position']],
  ['turns of velocities', boris4, ['position']],
  ['Runge-Kutta', rungeKutta4, both],
  ['first order', firstOrderRungeKutta4, ['position']],
  ['positions alone', euler, ['position']],
  ['a subtraction', stage({ position: '-h*velocity + position' }), ['position']],
  ['another factor', stage({ position: '0.5*position + h*velocity' }), []],
  ['another array', stage({ position: 'previous + h*velocity' }), []],
  ['many arrays', stage({ position: 'position + a*b*c*d*h*velocity' }), []],
])('%s', (_, integrator, expected) => {
  expect(inTwoFloats(integrator, shape)).toEqual(expected)
})

it('adds to both floats in an order that no compiler can change', () => {
  const { position = [], positionLow = [] } = addingLow({ position: 'position + h*velocity' }, ['position'], shape)
  const further = 'simulationOne*(positionLow_x + (h * velocity_x))'
  expect(position[0]).toBe(`simulationOne*(position_x + ${further})`)
  expect(positionLow[0]).toBe(`${further} - simulationOne*(${position[0]} - position_x)`)
})

it('goes on in float64 with all digits, and from there in float32', () => {
  const particles = {
    position: Float64Array.of(20_000.1, 0.3),
    velocity: Float64Array.of(0.1, 0),
    mass: [1],
    dimension: 2,
  }
  const options = { law: gravity(), particles, dt: 0.1 }
  const single = inPrecision(boundSimulation({ ...options, particles }), 'f32')
  expect(single.state.arrays.positionLow).toEqual(lowPartOf(particles.position))
  const stays = { ...single.state.arrays, position: Float32Array.from(particles.position) }
  const snapshot = stored({ ...single.state, arrays: stays })
  expect(inPrecision(restored(snapshot), 'f32').state.arrays.positionLow).toEqual(single.state.arrays.positionLow)
  const double = inPrecision(restored(snapshot), 'f64').state.arrays
  expect(Object.keys(double).filter((name) => name.endsWith('Low'))).toEqual([])
  expect(double.position[0]).toBeCloseTo(20_000.1, 9)
  // Numbers in the place of a snapshot's have their own digits.
  const moved = { ...snapshot, arrays: { ...snapshot.arrays, position: Float64Array.of(7.3, 5) }, checksum: undefined }
  const { positionLow = [] } = inPrecision(restored(moved), 'f32').state.arrays
  expect(Array.from(positionLow)).toEqual([lowPartOf(Float64Array.of(7.3))[0], snapshot.arrays.positionLow?.[1]])
})
