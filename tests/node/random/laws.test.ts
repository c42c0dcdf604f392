// Random laws in random workloads, on the processor: every precision, variant and number of threads.

import type { Plan } from '@manybody/core'
import { expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { Dice, randomProblem, seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

const plans: readonly (Plan | undefined)[] = [
  undefined,
  ...['scalar', 'simd'].flatMap((variant) =>
    [1, 2, 4].map((registers): Plan => ({ variant, sizes: { registers, tile: 64 } })),
  ),
]

test.each(seeds(160))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { loop } = problem.workload
  for (const device of devices) {
    const plan = loop === 'pair' && problem.workload.reduction !== 'none' ? new Dice(seed).pick(plans) : undefined
    expect(await faultsOf(device, problem, { plan: plan })).toEqual([])
  }
})
