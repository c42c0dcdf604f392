// Random problems with a cutoff by blocks of points, on the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { Dice, randomProblem, seeds } from '../../support/random/problem.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

/** Those of the seeds whose problem has a cutoff, which about every fourth has. */
const within = (all: readonly number[]) =>
  all.filter((seed) => {
    const { workload } = randomProblem(seed)
    return workload.loop === 'pair' && workload.reduction !== 'none' && workload.domain.cutoff !== undefined
  })

const sizes = [{}, { workgroup: 32, targets: 8 }, { targets: 16, unroll: 4 }, { workgroup: 64, targets: 64 }]

test.each(within(seeds(60)))('seed %i', async (seed) => {
  const plan = { variant: 'blocks', sizes: new Dice(seed).pick(sizes) }
  expect(await faultsOf(device, randomProblem(seed), { plan })).toEqual([])
})
