// The loop that meets each pair once compiles for subgroups of every size that devices have. Dawn's null backend checks
// the WGSL without a GPU; whether it computes rightly, tests/gpu tells.

import {
  accelerations,
  buckingham,
  coulomb,
  forces,
  gaussian,
  gravity,
  inversePower,
  lennardJones,
  morse,
  periodic,
  type Shape,
  yukawa,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { findAdapter } from '../src/adapter.ts'
import { openHost } from '../src/gpu-host.ts'
import { newtonRecipe } from '../src/newton-recipe.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
const shape: Shape = { dimension: 3, targets: 1000, sources: 1000, sameSet: true, vectors: ['position'] }
const plain = () => Promise.reject(new Error('the plain loop is not asked for here'))

const laws = [gravity(), coulomb(), lennardJones(), yukawa(), morse(), gaussian(), inversePower(), buckingham()]
const workloads = laws.flatMap((law) => [
  [`accelerations of ${law.name}`, accelerations(law)] as const,
  [`forces of ${law.name} in a box`, forces(law, { cutoff: 2, boundary: periodic([9, 9, 9]) })] as const,
])

test.each(workloads)('%s', async (_, workload) => {
  for (const subgroup of [4, 16, 32, 64]) {
    const recipe = await newtonRecipe(host, workload, shape, { subgroup, targets: 2, unroll: 4, offsets: 3 }, plain)
    expect(recipe.variant).toContain(`subgroup ${subgroup}`)
  }
})

test('in 2-D', async () => {
  const flat = { ...shape, dimension: 2 as const }
  await newtonRecipe(host, accelerations(gravity()), flat, { subgroup: 32, targets: 4, unroll: 2, offsets: 1 }, plain)
})
