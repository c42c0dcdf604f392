// Forces that read velocities: the integrator that is chosen for them, the refused integrators, and the integrators that stay possible.

import { describe, expect, it } from 'vitest'
import { pairForce } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { boris, boris4 } from '../../src/simulation/boris.ts'
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
  'a speed between points, as a vector': pairForce('-norm(velocity_i - velocity_j)', mass)(),
  'a speed between points by axis, as a vector': pairForce('-sum(g*(velocity_i - velocity_j)^2)', {
    ...mass,
    parameters: { g: [1, 2, 3] },
  })(),
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
  'friction by the speed between points, as a vector': pairForce(
    Object.fromEntries(
      ['x', 'y', 'z'].map((a) => [a, `sqdist(velocity_i, velocity_j)*(velocity_${a}_j - velocity_${a}_i)`]),
    ) as { x: string; y: string; z: string },
    mass,
  )(),
  'friction along the line between points': pairForce(
    'along/r2; along = (velocity_x_j - velocity_x_i)*dx + (velocity_y_j - velocity_y_i)*dy + (velocity_z_j - velocity_z_i)*dz',
    mass,
  )(),
}

/** They surely read velocities for nothing else. Trials do not meet the field in one half of space. */
const onlyTurning = ['a magnetic field', 'a rotating frame']

describe.each(Object.entries(turning))('%s', (name, force) => {
  it('is refused with integrators whose speed would grow', async () => {
    for (const integrator of leapfrogs)
      await expect(simulate(force, integrator)).rejects.toThrow(
        `turns velocities; with ${integrator.name} the speed would grow without end`,
      )
    const external = 'kind' in force && force.kind.startsWith('external')
    await expect(simulate(force, leapfrog)).rejects.toThrow(
      `such as ${external ? 'boris4 or ' : ''}rungeKutta4, because "`,
    )
    if (!external) await expect(simulate(force, boris)).rejects.toThrow('such as rungeKutta4, because "')
  })

  it('takes Boris by default if it only turns, otherwise Runge-Kutta, and methods of one moment', async () => {
    const simulation = await simulate(force)
    const expected = onlyTurning.includes(name) ? boris4 : rungeKutta4
    expect(simulation.integrator).toEqual(expected)
    expect((await simulation.snapshot()).integrator.name).toBe(expected.name)
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
  await charge.step(1000)
  const [vx = 0, vy = 0, , wx = 0, wy = 0, wz] = await charge.read('velocity')
  // 40 radians, and -20, up to rounding.
  expect(Math.hypot(vx - Math.cos(40), vy + Math.sin(40))).toBeLessThan(1e-11)
  expect(Math.hypot(wx + Math.sin(20), wy - Math.cos(20))).toBeLessThan(1e-11)
  expect(wz).toBe(0.5)
  const slowed = await simulate(decaying.drag as Force)
  await slowed.step(100)
  const [v] = await slowed.read('velocity')
  expect(v).toBeCloseTo(Math.exp(-1), 9)
})

it('a snapshot of a leapfrog in a magnetic field is refused in words', async () => {
  const snapshot = await (await simulate(lorentz())).snapshot()
  await expect(engine.resume({ ...snapshot, integrator: leapfrog, checksum: undefined })).rejects.toThrow(
    '"integrator" expected one that evaluates forces with the velocities of their moment, such as boris4 or rungeKutta4, because "magnetic field" turns velocities',
  )
})

describe('Boris', () => {
  const speedOf = async (simulation: Awaited<ReturnType<typeof simulate>>) =>
    Math.hypot(...(await simulation.read('velocity')).subarray(0, 3))

  it.each([boris, boris4])(
    'keeps the speed of a charge for hundreds of steps, also where a step turns it by radians',
    async (integrator) => {
      for (const dt of [0.05, 1.5, -1]) {
        const simulation = await engine.simulate({ forces: [lorentz()], particles, integrator, dt })
        await simulation.step(500)
        expect(Math.abs((await speedOf(simulation)) - 1)).toBeLessThan(1e-11)
      }
    },
  )

  it('drifts in crossed fields, as the theory of guiding centres says', async () => {
    const crossed = externalForce(['charge*B*velocity_y', 'charge*E - charge*B*velocity_x', '0'], {
      ...{ inertia: 'mass', parameters: { B: 2, E: 0.5 } },
    })
    const one = { position: [0, 0, 0], velocity: [0.25, 0, 0], mass: [1], charge: [1] }
    const simulation = await engine.simulate({ forces: [crossed()], particles: one, dt: 0.05 })
    await simulation.step(400)
    const [x = 0, y = 0] = await simulation.read('position')
    // It moves straight on with the speed E/B.
    expect(Math.hypot(x - 0.25 * 20, y)).toBeLessThan(1e-5)
  })

  it.each([boris, boris4])(
    'has its order where fields change with place and time, beside drag-free forces between points',
    async (integrator) => {
      const field = externalForce(
        [
          'charge*rate*velocity_y + position_y/4',
          '-charge*rate*velocity_x + charge*tilt*velocity_z',
          '-charge*tilt*velocity_y + sin(time)/4',
        ].map((text) => `${text}; rate = 1 + cos(time)/2 + position_x/8; tilt = sin(position_z)`),
        { inertia: 'mass' },
      )
      const placesAfter = async (steps: number, method: symplectic.Integrator) => {
        const simulation = await engine.simulate({
          ...{ forces: [field(), gravity({ softening: 1 })], particles, integrator: method, dt: 2 / steps },
        })
        await simulation.step(steps)
        return simulation.read('position')
      }
      const exact = await placesAfter(800, rungeKutta4)
      const [coarse = 0, fine = 0] = await Promise.all(
        [40, 80].map(async (steps) => {
          const places = await placesAfter(steps, integrator)
          return Math.max(...places.map((x, n) => Math.abs(x - (exact[n] as number))))
        }),
      )
      expect(Math.log2(coarse / fine)).toBeCloseTo(integrator.order, 0)
      expect(fine).toBeLessThan(0.01)
    },
  )

  it('takes drag beside a field, in a plane, with numbers that change, and goes on from a snapshot', async () => {
    const swirl = externalForce(['charge*B*velocity_y - k*velocity_x', '-charge*B*velocity_x - k*velocity_y'], {
      ...{ inertia: 'mass', parameters: { B: 2, k: 0 } },
    })
    const flat = { position: [0, 0], velocity: [1, 0], mass: [2], charge: [1], dimension: 2 }
    await using simulation = await engine.simulate({ forces: [swirl()], particles: flat, integrator: boris, dt: 0.01 })
    await simulation.step(100)
    await simulation.set({ parameters: { B: 4 } })
    await simulation.step(50)
    const [vx = 0, vy = 0] = await simulation.read('velocity')
    expect(Math.hypot(vx - Math.cos(2), vy + Math.sin(2))).toBeLessThan(1e-12)
    await simulation.set({ parameters: { B: 0, k: 1 } })
    await simulation.step(100)
    expect(Math.hypot(...(await simulation.read('velocity')))).toBeCloseTo(Math.exp(-0.5), 2)
    await simulation.set({ parameters: { B: 2 } })
    await using again = await engine.resume(structuredClone(await simulation.snapshot()))
    for (const one of [simulation, again]) await one.step(5)
    expect(await again.read('velocity')).toEqual(await simulation.read('velocity'))
  })

  it('turns nothing in first-order motion', async () => {
    const stages = [{ kind: 'turn', fraction: 1 }] as const
    const integrator = { name: 'turns', order: 1, motion: 'first-order', stages } as const
    const still = { position: [0, 0, 0], mass: [1] }
    await expect(
      engine.simulate({ forces: [externalForce('-position')()], particles: still, integrator, dt: 1 }),
    ).rejects.toThrow(
      '"integrator.stages[0].kind" expected map or force, as first-order motion has no velocities to turn',
    )
  })
})
