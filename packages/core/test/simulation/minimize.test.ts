// Minimization: refused options and forces, and what stays as it was. Minima on every backend are among the simulations of the tests.

import { describe, expect, it } from 'vitest'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { externalForce } from '../../src/simulation/forces/external-force.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const engine = await referenceEngine()
const spring = pairPotential('(r - 1)^2', { inertia: 'mass' })
const particles = { position: [0, 0, 0, 1.5, 0, 0], mass: [1, 2] }
const simulation = await engine.simulate({ law: spring(), particles, dt: 0.05 })

describe('minimize', () => {
  it.each([
    [{}, TypeError, '"force" expected number, got undefined'],
    [{ force: -1 }, RangeError, '"force" expected finite number >= 0, got -1'],
    [{ force: Number.NaN }, RangeError, '"force" expected finite number >= 0, got NaN'],
    [{ force: 1e-3, steps: 0 }, RangeError, '"steps" expected integer >= 1, got 0'],
    [{ force: 1e-3, steps: 2 ** 24 }, RangeError, '"steps" expected at most 16777215'],
    [{ force: 1e-3, reach: 0 }, RangeError, '"reach" expected finite number > 0, got 0'],
    [{ force: 1e-3, dt: -1 }, RangeError, '"dt" expected finite number > 0, got -1'],
    [{ force: 1e-3, tolerance: 1 }, TypeError, '"tolerance" is not an option of minimize'],
  ])('refuses %o', async (options, kind, message) => {
    const refused = simulation.minimize(options as { force: number })
    await expect(refused).rejects.toThrow(kind)
    await expect(refused).rejects.toThrow(message)
  })

  it('refuses forces of velocities', async () => {
    const drag = externalForce('-velocity', { inertia: 'mass', name: 'drag' })
    const slowed = await engine.simulate({ forces: [spring(), drag()], particles, dt: 0.05 })
    await expect(slowed.minimize({ force: 1e-3 })).rejects.toThrow('got drag, which reads velocities')
  })

  it.each([
    [0.5, /"acceleration" is NaN .* in shell, .*points 0 and 1/],
    [1.5, /force on point 0 is not finite after step \d+ of the descent; move points apart/],
  ])('names the force that is not finite, from a distance of %f on', async (x, message) => {
    const law = pairPotential('sqrt(r - 1)', { inertia: 'mass', name: 'shell' })
    const position = [0, 0, 0, x, 0, 0]
    const near = await engine.simulate({ law: law(), particles: { position, mass: [1, 1] }, dt: 0.05 })
    await expect(near.minimize({ force: 1e-3 })).rejects.toThrow(message)
    expect(Array.from(await near.read('position'))).toEqual(position)
  })

  it('takes its turn among other calls, and no signal ends it halfway', async () => {
    const one = await engine.simulate({ law: spring(), particles, dt: 0.05 })
    const stopped = new AbortController()
    const descent = one.minimize({ force: 0, signal: stopped.signal })
    stopped.abort()
    await expect(descent).rejects.toThrow('aborted')
    expect(Array.from(await one.read('position'))).toEqual(particles.position)
    const [minimum] = await Promise.all([one.minimize({ force: 1e-9 }), one.step(3)])
    expect(minimum.converged).toBe(true)
    expect(one.steps).toBe(3)
    const [a = 0, , , b = 0] = await one.read('position')
    expect(b - a).toBeCloseTo(1, 8)
  })

  it('keeps the centre of mass, whatever the masses are', async () => {
    const one = await engine.simulate({ law: spring(), particles, dt: 0.05 })
    await one.minimize({ force: 1e-9 })
    const [a = 0, , , b = 0] = await one.read('position')
    expect((a + 2 * b) / 3).toBeCloseTo(1, 12)
  })

  it('has nothing to do without points', async () => {
    const none = await engine.simulate({ law: spring(), particles: { position: [], mass: [] }, dt: 0.05 })
    expect(await none.minimize({ force: 1e-3 })).toEqual({ steps: 0, force: 0, converged: true })
  })

  it('continues from a minimum as from any other state', async () => {
    const one = await engine.simulate({ law: spring(), particles, dt: 0.05 })
    await one.minimize({ force: 1e-3 })
    const other = await engine.resume(await one.snapshot())
    await one.step(5)
    await other.step(5)
    expect(await other.read('position')).toEqual(await one.read('position'))
  })
})
