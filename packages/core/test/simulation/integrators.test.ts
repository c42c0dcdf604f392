// Each integrator on a Kepler orbit: the order of its error, time reversal, and the conserved quantities of a closed system.

import { describe, expect, it } from 'vitest'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import * as all from '../../src/simulation/integrators.ts'
import { rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { apart, keplerOrbit, keplerPosition } from '../support/kepler.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const { leapfrog, semiImplicitEuler, velocityVerlet } = all
const integrators = Object.values(all).map((integrator) => [integrator.name, integrator] as const)

async function errorAfter(integrator: all.Integrator, steps: number, time: number): Promise<number> {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({ ...keplerOrbit(), integrator, dt: time / steps })
  await simulation.step(steps)
  expect(simulation.time).toBeCloseTo(time, 12)
  return apart(await simulation.read('position'), keplerPosition(time))
}

it('the reference orbit starts with the simulation and is closed', () => {
  const { particles } = keplerOrbit()
  expect(apart(keplerPosition(0), particles.position)).toBeLessThan(1e-14)
  expect(apart(keplerPosition(2 * Math.PI), particles.position)).toBeLessThan(1e-13)
  const h = 1e-6
  const velocity = keplerPosition(h).map((x, n) => (x - (keplerPosition(-h)[n] as number)) / (2 * h))
  expect(apart(velocity, particles.velocity)).toBeLessThan(1e-9)
})

describe.each(integrators)('%s', (_, integrator) => {
  it('has its stated order: halving dt divides the error by 2^order', async () => {
    const [coarse, fine] = [await errorAfter(integrator, 400, 4), await errorAfter(integrator, 800, 4)]
    const order = Math.log2(coarse / fine)
    expect(Math.abs(order - integrator.order)).toBeLessThan(0.15)
    expect(fine).toBeLessThan(0.02)
  })

  it('conserves momentum and angular momentum, and lets the energy oscillate but not drift', async () => {
    await using engine = await referenceEngine()
    const steps = 200
    const simulation = await engine.simulate({ ...keplerOrbit(), integrator, dt: (2 * Math.PI) / steps })
    const start = { energy: await simulation.energy(), turn: await simulation.angularMomentum() }
    // E = -G m M / 2a = -0.75 * 0.25 / 2; L = mu sqrt(a (1 - e^2)), across the orbit's plane.
    expect(start.energy.total).toBeCloseTo(-0.09375, 14)
    expect(start.energy.kinetic + start.energy.potential).toBe(start.energy.total)
    expect(Math.hypot(...start.turn)).toBeCloseTo(0.1875 * Math.sqrt(1 - 0.09), 14)
    await simulation.step(5 * steps)
    expect(apart(await simulation.momentum(), [0, 0, 0])).toBeLessThan(1e-14)
    expect(apart(await simulation.angularMomentum(), start.turn)).toBeLessThan(1e-13)
    const { total } = await simulation.energy()
    const allowed: Record<number, number> = { 1: 0.05, 2: 1e-3, 4: 1e-5 }
    expect(Math.abs(total / start.energy.total - 1)).toBeLessThan(allowed[integrator.order] ?? 0)
  })

  it('returns to its start when dt is reversed', async () => {
    await using engine = await referenceEngine()
    const orbit = keplerOrbit()
    const forth = await engine.simulate({ ...orbit, integrator, dt: 0.05 })
    await forth.step(100)
    const particles = {
      ...orbit.particles,
      position: await forth.read('position'),
      velocity: await forth.read('velocity'),
    }
    const back = await engine.simulate({ law: orbit.law, particles, integrator, dt: -0.05 })
    await back.step(100)
    const error = apart(await back.read('position'), orbit.particles.position)
    // Euler's kick comes before its drift, also on the way back; the others are symmetric.
    if (integrator === semiImplicitEuler) expect(error).toBeGreaterThan(1e-3)
    else expect(error).toBeLessThan(1e-12)
  })
})

it('leapfrog and velocity Verlet are one scheme in two forms', async () => {
  await using engine = await referenceEngine()
  const runs = [leapfrog, velocityVerlet].map(async (integrator) => {
    const simulation = await engine.simulate({ ...keplerOrbit(), integrator, dt: 0.1 })
    await simulation.step(50)
    return simulation.read('position')
  })
  const [a = [], b = []] = await Promise.all(runs)
  expect(apart(a, b)).toBeLessThan(1e-12)
})

it('kicks and drifts of every integrator add up to one step', () => {
  for (const [, { stages }] of integrators) {
    const fractions = (name: string) =>
      stages.reduce((total, s) => total + (s.kind === 'map' && name in s.outputs ? s.fraction : 0), 0)
    expect(fractions('position')).toBeCloseTo(1, 14)
    expect(fractions('velocity')).toBeCloseTo(1, 14)
  }
})

describe('steps that adapt', () => {
  /** The error at the time reached, with a rule of a quarter the accuracy for each halving of the steps. */
  async function errorOf(integrator: all.Integrator, accuracy: number): Promise<{ error: number; steps: number }> {
    await using engine = await referenceEngine()
    const dt = { accuracy, length: 1, shortest: 1e-6, longest: 1 }
    const simulation = await engine.simulate({ ...keplerOrbit(), integrator, dt })
    while (simulation.time < 5) await simulation.step(10)
    return { error: apart(await simulation.read('position'), keplerPosition(simulation.time)), steps: simulation.steps }
  }

  it.each([
    ['leapfrog', leapfrog, 2e-4],
    ['Yoshida', all.yoshida4, 4e-4],
    ['Runge-Kutta', rungeKutta4, 5e-4],
  ] as const)(
    'have the order of the integrator: %s at a quarter of the accuracy takes half the steps',
    async (_, integrator, accuracy) => {
      const [coarse, fine] = [await errorOf(integrator, accuracy), await errorOf(integrator, accuracy / 4)]
      expect(Math.abs(fine.steps / coarse.steps - 2)).toBeLessThan(0.1)
      expect(Math.abs(Math.log2(coarse.error / fine.error) - integrator.order)).toBeLessThan(0.4)
    },
  )

  it('resolve a close passage that steps of one length, as many of them, do not', async () => {
    await using engine = await referenceEngine()
    const e = 0.95
    const orbit = {
      law: gravity(),
      particles: {
        position: Float64Array.of(0, 0, 0, 1 + e, 0, 0),
        velocity: Float64Array.of(0, 0, 0, 0, Math.sqrt((1 - e) / (1 + e)), 0),
        mass: Float64Array.of(1, 1e-12),
      },
      integrator: rungeKutta4,
    }
    const energyError = async (dt: SimulationOptions['dt'], steps: number) => {
      const simulation = await engine.simulate({ ...orbit, dt })
      const { total } = await simulation.energy()
      await simulation.step(steps)
      return { error: Math.abs((await simulation.energy()).total / total - 1), time: simulation.time }
    }
    const steps = 400
    const adaptive = await energyError({ accuracy: 3e-4, length: 1, shortest: 1e-6, longest: 1 }, steps)
    expect(adaptive.time).toBeGreaterThan(Math.PI)
    const fixed = await energyError(adaptive.time / steps, steps)
    expect(adaptive.error).toBeLessThan(1e-4)
    expect(fixed.error).toBeGreaterThan(100 * adaptive.error)
  })
})
