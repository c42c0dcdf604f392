// Simulations that leave the finite numbers: readers get an error, and earlier snapshots stay good.

import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { DivergedError } from '../../src/ground/errors.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { type Integrator, leapfrog, semiImplicitEuler } from '../../src/simulation/integrators.ts'
import type { Simulation } from '../../src/simulation/simulation.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const particles = {
  position: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0),
  velocity: new Float64Array(9),
  mass: Float64Array.of(1, 2, 3),
}

/** Good after step 1, but so fast that float32 ends within the next 20. */
async function diverged(engine: Engine, integrator: Integrator = leapfrog): Promise<Simulation> {
  const simulation = await engine.simulate({ law: gravity(), particles, integrator, dt: 8e18 })
  await simulation.step(1)
  await simulation.read('position')
  await simulation.step(20)
  return simulation
}

/** The last step with finite numbers only, found by reading after each step. */
async function lastFinite(engine: Engine): Promise<number> {
  const simulation = await engine.simulate({ law: gravity(), particles, dt: 8e18 })
  for (;;) {
    await simulation.step()
    const failed = await simulation.snapshot().then(
      () => false,
      () => true,
    )
    if (failed) return simulation.steps - 1
  }
}

const single = () => createEngine({ backends: [reference()] })

describe('a simulation whose numbers are no longer finite', () => {
  it.each([
    ['position', (s: Simulation) => s.read('position')],
    ['velocity', (s: Simulation) => s.read('velocity')],
    ['energy', (s: Simulation) => s.energy()],
    ['momentum', (s: Simulation) => s.momentum()],
    ['angular momentum', (s: Simulation) => s.angularMomentum()],
    ['snapshot', (s: Simulation) => s.snapshot()],
  ])('refuses to return its %s, and reports since when', async (_, read) => {
    await using engine = await single()
    const error = await read(await diverged(engine)).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DivergedError)
    const finiteSteps = await lastFinite(engine)
    expect(finiteSteps).toBeGreaterThan(1)
    expect(error).toMatchObject({ steps: 21, finiteSteps })
    expect(String(error)).toMatch(
      /"(position|velocity|acceleration)" is (NaN|-?Infinity) at index \d after step 21, and step \d+ left the finite numbers; use a smaller dt/,
    )
    expect(String(error)).toContain(`step ${finiteSteps + 1} left`)
  })

  it('says so if the forces at the start are not finite', async () => {
    await using engine = await single()
    const near = { ...particles, position: Float64Array.of(0, 0, 0, 1e-3, 0, 0, 0, 2, 0) }
    const strong = { ...near, mass: Float64Array.of(1e38, 1e38, 1) }
    const simulation = await engine.simulate({ law: gravity({ softening: 1e-3 }), particles: strong, dt: 1 })
    await simulation.step(3)
    const error = await simulation.read('position').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ steps: 3, finiteSteps: -1 })
    expect(String(error)).toContain('after step 3, and numbers were not finite at the start')
  })

  it('returns no energy for points that are infinitely far with a finite velocity', async () => {
    await using engine = await single()
    const far = { ...particles, velocity: Float64Array.of(0, 0, 0, 1e30, 0, 0, 0, 0, 0) }
    const stages = [{ kind: 'map', outputs: { position: 'position + h*velocity' }, fraction: 1 }] as const
    const integrator = { name: 'drift', order: 1, stages }
    const simulation = await engine.simulate({ law: gravity(), particles: far, integrator, dt: 1e10 })
    await simulation.step()
    expect([...(await simulation.read('velocity'))].every(Number.isFinite)).toBe(true)
    await expect(simulation.energy()).rejects.toThrow('"position" is Infinity at index 3 after step 1')
  })

  it('can be resumed from an earlier snapshot with a smaller step', async () => {
    await using engine = await single()
    const start = await engine.simulate({ law: gravity(), particles, integrator: semiImplicitEuler, dt: 8e18 })
    const snapshot = await start.snapshot()
    await start.step(20)
    await expect(start.read('position')).rejects.toThrow(DivergedError)
    const resumed = await engine.resume({ ...snapshot, dt: 0.01, checksum: undefined })
    await resumed.step(20)
    expect([...(await resumed.read('position'))].every(Number.isFinite)).toBe(true)
  })

  it('is not reported for coincident points, whose pairs contribute nothing', async () => {
    await using engine = await referenceEngine()
    const together = { ...particles, position: new Float64Array(9) }
    const simulation = await engine.simulate({ law: gravity(), particles: together, dt: 0.01 })
    await simulation.step(10)
    expect(await simulation.read('position')).toEqual(new Float64Array(9))
  })
})
