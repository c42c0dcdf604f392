// Test particles: refused numbers of sources, and messages. Their motion on every backend is among the simulations of the tests.

import { describe, expect, it } from 'vitest'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { externalForce } from '../../src/simulation/forces/external-force.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const engine = await referenceEngine()
const particles = { position: [0, 0, 0, 1, 0, 0, 0, 2, 0], mass: [1, 2, 0] }
const given = { law: gravity(), particles, dt: 0.01 }

describe('sources', () => {
  it.each([
    [{ ...given, sources: 0 }, RangeError, '"sources" expected integer >= 1, got 0'],
    [{ ...given, sources: 1.5 }, RangeError, '"sources" expected integer >= 1, got 1.5'],
    [{ ...given, sources: 4 }, RangeError, '"sources" expected at most 3, the number of points, got 4'],
    [{ ...given, sources: [0] }, TypeError, '"sources" expected integer, got'],
    [
      {
        forces: [externalForce('-position', { inertia: 'mass' })()],
        particles: { ...particles, mass: [1, 1, 1] },
        dt: 0.01,
        sources: 1,
      },
      TypeError,
      '"sources" expected a law between all pairs, got none',
    ],
    [
      { ...given, domain: { method: tree({ tolerance: 1e-3 }) }, sources: 1 },
      TypeError,
      '"sources" expected forces without a method, got one for gravity',
    ],
  ])('refuses %#', async (options, kind, message) => {
    const refused = engine.simulate(options as unknown as SimulationOptions)
    await expect(refused).rejects.toThrow(kind)
    await expect(refused).rejects.toThrow(message)
  })

  it('keeps one point that acts', async () => {
    const simulation = await engine.simulate({ ...given, sources: 2 })
    await expect(simulation.remove([0, 1])).rejects.toThrow('"points" expected one of the first 2 points to stay')
    expect(Array.from(await simulation.remove([0]))).toEqual([-1, 0, 1])
  })

  it('names a pair that has no finite force, and no pair that does not count', async () => {
    const law = pairPotential('sqrt(r - 1)', { inertia: 'mass', name: 'shell' })
    const position = [0, 0, 0, 9, 0, 0, 9, 0.5, 0, 0.5, 0, 0]
    const simulation = await engine.simulate({
      ...{ law: law(), particles: { position, mass: [1, 1, 1, 1] }, dt: 0.01, sources: 1 },
    })
    await expect(simulation.read('acceleration')).rejects.toThrow('no finite value for points 3 and 0')
  })

  it('is a part of a snapshot that is checked', async () => {
    const snapshot = await (await engine.simulate({ ...given, sources: 2 })).snapshot()
    expect(snapshot.sources).toBe(2)
    await expect(engine.resume({ ...snapshot, sources: 1 })).rejects.toThrow('"sources" does not match the checksum')
    const resumed = await engine.resume({ ...snapshot, sources: 1, checksum: undefined })
    const [ax] = await resumed.read('acceleration')
    expect(ax).toBe(0)
  })
})
