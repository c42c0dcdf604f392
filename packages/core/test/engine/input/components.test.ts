// Runs take vectors among the attributes, and laws read their components.

import { expect, test } from 'vitest'
import { nearest, neighborsWithin } from '../../../src/index.ts'
import { pairPotential, pairTerm } from '../../../src/problem/interactions/define.ts'
import { energy, forces, sum } from '../../../src/problem/workloads/pair.ts'
import { referenceEngine } from '../../support/reference-engine.ts'

const dipoles = pairPotential(
  `(both - 3*own*other/r2)/r^3; both = mu_x_i*mu_x_j + mu_y_i*mu_y_j + mu_z_i*mu_z_j;
   own = mu_x_i*dx + mu_y_i*dy + mu_z_i*dz; other = mu_x_j*dx + mu_y_j*dy + mu_z_j*dz`,
)()
const position = [0, 0, 0, 1, 0.5, -0.3, -0.7, 1.1, 0.4]
const mu = Float32Array.of(0, 0, 1, 1, 0.25, -0.5, 0.25, -1, 0.125)
const component = (axis: number, width = 3) => mu.filter((_, n) => n % width === axis)
const apart = { position, mu_x: component(0), mu_y: component(1), mu_z: component(2) }

test('a vector gives the numbers that its components give', async () => {
  await using engine = await referenceEngine()
  for (let again = 0; again < 2; again++) {
    expect(await engine.run(forces(dipoles), { position, mu })).toMatchObject({
      force: (await engine.run(forces(dipoles), apart)).force,
    })
    mu[0] = 2 * again
    apart.mu_x = component(0)
  }
  expect((await engine.verify(energy(dipoles), { position, mu })).ok).toBe(true)
  const term = pairTerm('mu_y_j*weight_i')()
  const flat = { position: [0, 0, 1, 0, 0, 1, 1, 1], mu: mu.subarray(0, 8), dimension: 2 } as const
  const two = { targets: { position: [5, 5], weight: [2], dimension: 2 }, sources: flat } as const
  const { value } = await engine.run(sum(term), two)
  expect(value[0]).toBe(
    2 *
      component(1, 2)
        .subarray(0, 4)
        .reduce((a, b) => a + b, 0),
  )
  const { index } = await engine.run(nearest(1, pairTerm('-mu_x_j')()), { position, mu })
  expect(index.length).toBe(3)
})

test('an array with the name of a component takes precedence, and other names are still missed', async () => {
  await using engine = await referenceEngine()
  const term = sum(pairTerm('mu_x_j')())
  const given = { position, mu, mu_x: [1, 1, 1] }
  expect([...(await engine.run(term, given)).value]).toEqual([2, 2, 2])
  await expect(engine.run(term, { position, mu: [1, 2, 3] })).rejects.toThrow('"mu_x" expected')
  await expect(engine.run(sum(pairTerm('mu_j')()), { position, mu })).rejects.toThrow('such as mu_x_i')
  const flat = { position: [0, 0, 1, 0], mu: [1, 2, 3, 4], dimension: 2 } as const
  await expect(engine.run(sum(pairTerm('mu_z_j')()), flat)).rejects.toThrow('"mu_z" expected')
  expect((await engine.run(neighborsWithin(2), { position, mu })).index.length).toBeGreaterThan(0)
})
