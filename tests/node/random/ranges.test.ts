// Random problems over random ranges of sources, on the processor, in every precision, on one thread and more. Whole numbers equal the
// reference's, which loops over the ranges.

import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { Dice } from '../../support/random/dice.ts'
import { faultsOf } from '../../support/random/laws.ts'
import { randomProblem, randomRanges, seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

const overPairs = (all: readonly number[]) => all.filter((seed) => randomProblem(seed).workload.loop === 'pair')

test.each(overPairs(seeds(24)))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { shape } = bind(problem.workload, problem.particles)
  const ranges = randomRanges(new Dice(seed), shape)
  for (const device of devices)
    for (const plan of [undefined, { variant: 'simd', sizes: { registers: 4 } }])
      expect(await faultsOf(device, problem, { plan, ranges })).toEqual([])
})
