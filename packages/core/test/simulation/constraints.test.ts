// Constraints: what is refused, and messages. Their motion on every backend is among the simulations of the tests.

import { describe, expect, it } from 'vitest'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { boris } from '../../src/simulation/boris.ts'
import { clustersOf } from '../../src/simulation/constraints/clusters.ts'
import { externalForce } from '../../src/simulation/forces/external-force.ts'
import { ias15 } from '../../src/simulation/gauss-radau/ias15.ts'
import type { Integrator } from '../../src/simulation/integrators.ts'
import { firstOrderRungeKutta4, rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const engine = await referenceEngine()
const particles = {
  position: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1],
  mass: [1, 1, 1, 1, 1],
}
const law = gravity({ softening: 1 })
const held = (...distances: readonly unknown[]) => ({ law, particles, dt: 0.01, constraints: { distances } })
const wrongDrift: Integrator = {
  name: 'slip',
  order: 1,
  stages: [{ kind: 'map', outputs: { position: 'position + h*velocity/2' }, fraction: 1 }, { kind: 'force' }],
}

describe('constraints', () => {
  it.each([
    [{ ...held(), constraints: [[0, 1, 1]] }, '"constraints" expected { distances: [[a, b, length], ...] }, got'],
    [{ ...held(), constraints: { distances: 3 } }, '"constraints.distances" expected a list of [a, b, length], got 3'],
    [
      { ...held(), constraints: { distances: [], lengths: [] } },
      '"lengths" is not a part of constraints; expected distances, boundary',
    ],
    [held([0, 1]), '"constraints.distances[0]" expected two points and a length, [a, b, length], got'],
    [held([0, 1.5, 1]), '"constraints.distances[0][1]" expected integer >= 0, got 1.5'],
    [held([0, -1, 1]), '"constraints.distances[0][1]" expected integer >= 0, got -1'],
    [held([0, 5, 1]), '"constraints.distances[0]" expected indices of the 5 points, got 5'],
    [held([2, 2, 1]), '"constraints.distances[0]" expected two points, got point 2 twice'],
    [held([0, 1, 0]), '"constraints.distances[0][2]" expected finite number > 0, got 0'],
    [held([0, 1, -1]), '"constraints.distances[0][2]" expected finite number > 0, got -1'],
    [held([0, 1, Number.NaN]), '"constraints.distances[0][2]" expected'],
    [held([0, 1, Number.POSITIVE_INFINITY]), '"constraints.distances[0][2]" expected'],
    [held([0, 1, 1], [1, 0, 1]), 'expected each pair once, got points 1 and 0 again, as in distances[0]'],
    [
      held([0, 1, 1], [1, 2, 1], [2, 3, 1], [3, 0, 1]),
      'expected at most 3 constraints that share points, got 4 between points 0, 1, 2 and 3; hold the others by stiff bonds',
    ],
    [
      held([0, 1, 1], [1, 2, Math.SQRT2], [2, 0, 2.5]),
      'expected sides of a triangle for points 0, 1 and 2, got 1, 1.4142135623730951 and 2.5, which do not close',
    ],
    [held([0, 1, 1], [1, 2, 1], [2, 0, 2]), 'which do not close'],
    [held([0, 1, 1.25]), '"position" expected points 0 and 1 at the distance of their constraint, 1.25'],
    [{ ...held([0, 1, 1]), fixed: [3, 1] }, '"fixed" expected points without constraints, got point 1'],
    [
      { ...held([0, 1, 1]), particles: { ...particles, mass: [1, 0, 1, 1, 1] } },
      '"mass" expected numbers > 0 for points with constraints, got 0 at index 1',
    ],
    [
      { ...held([0, 1, 1]), domain: { boundary: periodic([2, 9, 9]) } },
      'expected less than half of the box, 1, as the nearest image counts, got 1',
    ],
    [
      { ...held([0, 1, 1]), constraints: { distances: [[0, 1, 1]], boundary: periodic([4, 4]) } },
      '"boundary" expected 3 lengths, as points are in 3-D, got 2',
    ],
    [{ ...held([0, 1, 1]), integrator: rungeKutta4 }, 'beside constraints, such as leapfrog, velocityVerlet, yoshida4'],
    [{ ...held([0, 1, 1]), integrator: boris }, 'langevin, got Boris'],
    [{ ...held([0, 1, 1]), integrator: ias15 }, 'langevin, got IAS15'],
    [
      { ...held([0, 1, 1]), law: undefined, forces: [externalForce('-position')()], integrator: firstOrderRungeKutta4 },
      'langevin, got first-order Runge-Kutta 4th order',
    ],
    [{ ...held([0, 1, 1]), integrator: wrongDrift }, 'langevin, got slip'],
    [
      { ...held([0, 1, 1]), events: [{ pairs: 'r < 0.5', resolve: 'bounce' }] },
      `"events[0].resolve" expected nothing or 'remove' beside constraints, got 'bounce'`,
    ],
  ])('refuses %#', async (options, message) => {
    await expect(engine.simulate(options as unknown as SimulationOptions)).rejects.toThrow(message)
  })

  it('takes an empty list as no constraints', async () => {
    await using simulation = await engine.simulate(held() as SimulationOptions)
    expect((await simulation.snapshot()).constraints).toBeUndefined()
  })

  it('finds the shape of each cluster, whatever the order of its constraints', () => {
    const chain = [[7, 8, 3], [6, 7, 2], [6, 5, 1]] as const // biome-ignore format: a list
    const star = [[2, 1, 5], [1, 3, 6], [4, 1, 7]] as const // biome-ignore format: a list
    const sides = [[11, 12, 1], [10, 11, 1.5], [12, 10, 2]] as const // biome-ignore format: a list
    const found = clustersOf([...chain, ...star, ...sides, [20, 21, 4]])
    expect(found.map(({ shape, members, lengths }) => [shape.name, members, lengths])).toEqual([
      ['chain', [[8, 7, 6, 5]], [[3, 2, 1]]],
      ['star', [[1, 2, 3, 4]], [[5, 6, 7]]],
      ['triangle', [[11, 12, 10]], [[1, 2, 1.5]]],
      ['pair', [[20, 21]], [[4]]],
    ])
  })

  it('names the constraint that a step was too long for', async () => {
    const fast = { ...particles, velocity: [0, 0, 0, 0, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }
    await using simulation = await engine.simulate({ ...held([0, 1, 1]), particles: fast } as SimulationOptions)
    await simulation.step(2)
    await expect(simulation.read('position')).rejects.toThrow(
      'the distance of points 0 and 1 could not be restored to 1 after they had moved so far; use a smaller dt',
    )
  })

  it('is refused by minimize', async () => {
    await using simulation = await engine.simulate(held([0, 1, 1]) as SimulationOptions)
    await expect(simulation.minimize({ force: 1e-3 })).rejects.toThrow(
      '"minimize" expected a simulation without constraints',
    )
  })

  it('is another one in a snapshot that is changed, or none', async () => {
    await using simulation = await engine.simulate(held([0, 1, 1]) as SimulationOptions)
    const snapshot = await simulation.snapshot()
    const constraints = { distances: [[1, 2, 1] as const] }
    await expect(engine.resume({ ...snapshot, constraints })).rejects.toThrow(
      '"constraints" does not match the checksum',
    )
    await using other = await engine.resume({ ...snapshot, constraints, checksum: undefined })
    await other.step(10)
    const [, , , ax = 0, ay = 0, az = 0, bx = 0, by = 0, bz = 0] = await other.read('position')
    expect(Math.hypot(ax - bx, ay - by, az - bz)).toBeCloseTo(1, 12)
    await using free = await engine.resume({ ...snapshot, constraints: undefined, checksum: undefined })
    expect(await free.temperature()).toBe(0)
    expect((await free.snapshot()).constraints).toBeUndefined()
  })

  it('follows points that move up when others are removed, and rescales their temperature', async () => {
    const shove = pairPotential('exp(-r2)', { inertia: 'mass' })
    await using simulation = await engine.simulate({
      ...held([1, 2, 1], [2, 3, 1]),
      ...{ law: shove(), particles: { ...particles, velocity: Array.from({ length: 15 }, (_, n) => Math.sin(n)) } },
    } as SimulationOptions)
    await simulation.remove([0])
    expect((await simulation.snapshot()).constraints?.distances).toEqual([[0, 1, 1], [1, 2, 1]]) // biome-ignore format: a list
    await simulation.rescale(2)
    // Twelve coordinates less two constraints.
    const { kinetic } = await simulation.energy()
    expect((2 * kinetic) / 10).toBeCloseTo(2, 12)
    expect(await simulation.temperature({ degrees: 7 })).toBeCloseTo((2 * 10) / 7, 12)
  })
})
