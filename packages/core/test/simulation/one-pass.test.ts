// Laws over the same pairs take one pass, with the motion, the energies and the numbers of several passes.

import { describe, expect, it, test } from 'vitest'
import { pairForce, pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { checkedForces, type Force, partsOf } from '../../src/simulation/forces/force.ts'
import { referenceEngine } from '../support/reference-engine.ts'

/** Its parameter has the name of one of gravity. */
const charged = pairPotential('G*charge_i*charge_j/sqrt(r2 + softening^2)', {
  ...{ name: 'charged', inertia: 'mass', parameters: { G: 1, softening: 0.25 } },
})()
const spring = pairPotential('k*(r - rest)^2/2', { name: 'spring', parameters: { k: 1, rest: 2 }, inertia: 'mass' })
const drift = pairForce('k*charge_i*charge_j', { name: 'drift', parameters: { k: 1 }, inertia: 'mass' })
const wind = pairForce({ x: 'k*dy', y: '-k*dx', z: '0' }, { name: 'wind', parameters: { k: 1 }, inertia: 'mass' })
const box = periodic([8, 8, 8])
const kinds = pairPotential('a[kind_i, kind_j]*r2', { name: 'kinds', tables: { a: [[1]] }, inertia: 'mass' })
const apartBy = pairPotential('exp(-norm(charge_i - charge_j))*r2', { inertia: 'mass' })()
const long = pairPotential(Array.from({ length: 99 }, (_, n) => `cos(${n}*r)`).join(' + '), { inertia: 'mass' })()
const near = { law: gravity(), boundary: box, cutoff: 2 }

describe('the number of passes', () => {
  it.each<[laws: string, passes: number, forces: readonly Force[]]>([
    ['potentials', 1, [gravity(), charged, spring()]],
    ['potentials with the same box and cutoff', 1, [near, { ...near, law: charged }]],
    [
      'potentials with the same scale',
      1,
      [
        { law: gravity(), scale: 2 },
        { law: charged, scale: 2 },
      ],
    ],
    ['potentials, and radial forces', 2, [gravity(), drift(), charged, drift({ k: 2 })]],
    ['radial forces, and forces by components', 2, [drift(), wind()]],
    ['another cutoff', 2, [near, { ...near, law: charged, cutoff: 1 }]],
    ['another scale', 2, [gravity(), { law: charged, scale: 2 }]],
    ['exclusions', 2, [gravity(), { law: charged, exclusions: [[0, 1]] }]],
    ['tables', 2, [gravity(), kinds()]],
    ['a number, and a vector of the same name', 2, [charged, apartBy, gravity()]],
    ['very long laws', 2, [gravity(), long]],
  ])('%s: %i', (_, passes, forces) => {
    expect(partsOf(checkedForces({ forces }), 'second-order').pairs.length).toBe(passes)
  })
})

const particles = {
  position: [0, 0, 0, 1, 0.5, 0, -1, 1, 0.25, 0.5, -1, 1],
  velocity: [0, 0.5, 0, 0, 0, 0.25, -0.5, 0, 0, 0, 0, 0],
  mass: [1, 2, 0.5, 1],
  charge: [1, -1, 0.5, -0.5],
}
const soft = gravity({ softening: 0.5 })
/** A scale of its own keeps a law in its own pass. */
const apart = (law: Interaction): Force => ({ law, scale: 1 + Number.EPSILON })

async function simulated(forces: readonly Force[]) {
  const engine = await referenceEngine()
  return engine.simulate({ forces, particles, dt: 0.01 })
}

/** All that may differ between one pass and several. */
async function outcome(simulation: Awaited<ReturnType<typeof simulated>>) {
  await simulation.step(50)
  const [position, { potential }, pressure] = [
    await simulation.read('position'),
    await simulation.energy(),
    await simulation.pressure({ volume: 1 }),
  ]
  return [...position, potential, pressure]
}

function expectClose(some: readonly number[], others: readonly number[]): void {
  expect(some.length).toBe(others.length)
  for (const [n, value] of some.entries()) expect(value).toBeCloseTo(others[n] as number, 11)
}

test('one pass moves points as several do', async () => {
  const [together, separate] = await Promise.all([simulated([soft, charged]), simulated([soft, apart(charged)])])
  expectClose(await outcome(together), await outcome(separate))
})

test('a law may read a number as a vector beside laws that read it as a number', async () => {
  const [together, separate] = await Promise.all([
    simulated([soft, charged, apartBy]),
    simulated([apartBy, soft, apart(charged)]),
  ])
  expectClose(await outcome(together), await outcome(separate))
})

test('a number belongs to its own force, also where two laws have one name for it', async () => {
  const [together, separate] = await Promise.all([simulated([soft, charged]), simulated([soft, apart(charged)])])
  for (const simulation of [together, separate])
    await simulation.set({ parameters: { 'forces[1].softening': 1, 'forces[0].G': 3 } })
  expectClose(await outcome(together), await outcome(separate))
  const { forces = [] } = await together.snapshot()
  expect(forces.map((force) => Object(force).law.parameters.softening)).toEqual([0.5, 1])
})

test('no force is lost when the exclusions of one end with a removed point', async () => {
  const excluding = { law: charged, exclusions: [[0, 3]] as const }
  const engine = await referenceEngine()
  await using simulation = await engine.simulate({ forces: [soft, excluding], particles, capacity: 4, dt: 0.01 })
  await simulation.remove([3])
  await using others = await simulated([soft, charged])
  await others.remove([3])
  expectClose(await outcome(simulation), await outcome(others))
})
