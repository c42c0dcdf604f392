// Forces that read velocities: the integrator that is chosen for them, the refused integrators, and the integrators that stay possible.

import { describe, expect, it } from 'vitest'
import { pairForce } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { externalForce, externalPotential } from '../../src/simulation/forces/external-force.ts'
import type { Force } from '../../src/simulation/forces/force.ts'
import * as symplectic from '../../src/simulation/integrators.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import { rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const { leapfrog } = symplectic
const engine = await referenceEngine()
const mass = { inertia: 'mass' }
const lorentz = externalForce(['charge*B*velocity_y', '-charge*B*velocity_x', '0'], {
  ...{ name: 'magnetic field', inertia: 'mass', parameters: { B: 2 } },
})
const particles = {
  position: [0, 0, 0, 1, 0.5, 0],
  velocity: [1, 0, 0, 0, 1, 0.5],
  mass: [1, 2],
  charge: [1, -1],
  drag: [0.5, 0.25],
}
const simulate = (force: Force, integrator?: symplectic.Integrator) =>
  engine.simulate({ forces: [force], particles, dt: 0.02, ...(integrator && { integrator }) })

/** The method of second order that takes the mean of two slopes. */
const heun: symplectic.Integrator = {
  name: 'Heun',
  order: 2,
  scratch: ['startX', 'startV', 'slopeX', 'slopeV'],
  stages: [
    {
      kind: 'map',
      fraction: 1,
      outputs: {
        ...{ startX: 'position', startV: 'velocity', slopeX: 'velocity', slopeV: 'acceleration' },
        ...{ position: 'position + h*velocity', velocity: 'velocity + h*acceleration' },
      },
    },
    { kind: 'force' },
    {
      kind: 'map',
      fraction: 1 / 2,
      outputs: { position: 'startX + h*(slopeX + velocity)', velocity: 'startV + h*(slopeV + acceleration)' },
    },
    { kind: 'force' },
  ],
}
const noisy = langevin({ temperature: 1, friction: 1, seed: 1 })
const leapfrogs = [...Object.values(symplectic).filter((one) => 'stages' in one), noisy]

const turning: Readonly<Record<string, Force>> = {
  'a magnetic field': lorentz(),
  'a field in one half of space': externalForce(
    ['select(1000 < position_x, charge*velocity_y, 0)', 'select(1000 < position_x, -charge*velocity_x, 0)', '0'],
    mass,
  )(),
  'a rotating frame': externalForce(['2*velocity_y + position_x', '-2*velocity_x + position_y', '0'], mass)(),
  'an energy whose gradient has velocities': externalPotential('position_x*velocity_z', mass)(),
  'moving charges': pairForce({ x: 'charge_j*velocity_z_i/r2', y: '0', z: '-charge_j*velocity_x_i/r2' }, mass)(),
  'bonds that turn': { law: pairForce({ x: 'velocity_y_j', y: '-velocity_x_j', z: '0' }, mass)(), bonds: [[0, 1]] },
}

const decaying: Readonly<Record<string, Force>> = {
  drag: externalForce('-drag*velocity', mass)(),
  'drag by the square of the speed': externalForce(
    ['x', 'y', 'z'].map((a) => `-drag*sqrt(velocity_x^2 + velocity_y^2 + velocity_z^2)*velocity_${a}`),
    mass,
  )(),
  'drag along one axis': externalForce(['-drag*velocity_x', '0', '0'], mass)(),
  'a stream that carries points along': externalForce(
    ['drag*(position_y - velocity_x)', '-drag*velocity_y', '-drag*velocity_z'],
    mass,
  )(),
  'a drive to a speed': externalForce('velocity*(1 - velocity_x^2 - velocity_y^2 - velocity_z^2)', mass)(),
  'friction between points': pairForce(
    { x: 'velocity_x_j - velocity_x_i', y: 'velocity_y_j - velocity_y_i', z: 'velocity_z_j - velocity_z_i' },
    mass,
  )(),
  'friction along the line between points': pairForce(
    'along/r2; along = (velocity_x_j - velocity_x_i)*dx + (velocity_y_j - velocity_y_i)*dy + (velocity_z_j - velocity_z_i)*dz',
    mass,
  )(),
}

describe.each(Object.entries(turning))('%s', (_, force) => {
  it('is refused with integrators whose speed would grow', async () => {
    for (const integrator of leapfrogs)
      await expect(simulate(force, integrator)).rejects.toThrow(
        `turns velocities; with ${integrator.name} the speed would grow without end`,
      )
    await expect(simulate(force, leapfrog)).rejects.toThrow('such as rungeKutta4, because "')
  })

  it('takes Runge-Kutta by default, and methods of one moment', async () => {
    const simulation = await simulate(force)
    expect(simulation.integrator).toEqual(rungeKutta4)
    expect((await simulation.snapshot()).integrator.name).toBe(rungeKutta4.name)
    for (const integrator of [rungeKutta4, heun])
      expect((await simulate(force, integrator)).integrator).toEqual(integrator)
  })
})

describe.each(Object.entries(decaying))('%s', (_, force) => {
  it('takes Runge-Kutta by default, and any other', async () => {
    expect((await simulate(force)).integrator.name).toBe(rungeKutta4.name)
    for (const integrator of leapfrogs) {
      const simulation = await simulate(force, integrator)
      await simulation.step(2)
      expect(simulation.integrator.name).toBe(integrator.name)
    }
  })
})

it('forces without velocities take the leapfrog by default', async () => {
  expect((await simulate(gravity())).integrator).toEqual(leapfrog)
  expect((await simulate(externalForce('-position', mass)())).integrator).toEqual(leapfrog)
})

it('a charge keeps its speed in a magnetic field, and drag has its exponential, by default', async () => {
  const charge = await simulate(lorentz())
  await charge.step(5000)
  const [vx = 0, vy = 0, , wx = 0, wy = 0, wz] = await charge.read('velocity')
  // 200 radians, and -100; the method loses (2 dt)^6/144 in a step, and turns too little by (2 dt)^4/120 of the angle.
  expect(Math.hypot(vx - Math.cos(200), vy + Math.sin(200))).toBeLessThan(1e-5)
  expect(Math.hypot(wx + Math.sin(100), wy - Math.cos(100))).toBeLessThan(1e-6)
  expect(wz).toBe(0.5)
  const slowed = await simulate(decaying.drag as Force)
  await slowed.step(100)
  const [v] = await slowed.read('velocity')
  expect(v).toBeCloseTo(Math.exp(-1), 9)
})

it('a snapshot of a leapfrog in a magnetic field is refused in words', async () => {
  const snapshot = await (await simulate(lorentz())).snapshot()
  await expect(engine.resume({ ...snapshot, integrator: leapfrog, checksum: undefined })).rejects.toThrow(
    '"integrator" expected one that evaluates forces with the velocities of their moment, such as rungeKutta4, because "magnetic field" turns velocities',
  )
})
