// Random problems over random ranges of sources, on the processor, in every precision, on one thread and more. Whole numbers are
// those of the reference, which loops over the ranges.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { bind } from '@manybody/core/backend'
import { afterAll, expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { Dice, randomProblem, randomRanges, seeds } from '../../support/random/problem.ts'

const backend = cpuWasm({ threadsFrom: 0 })
const devices = await Promise.all([
  backend.open({ precision: 'f64', threads: 1 }),
  backend.open({ precision: 'f32', threads: 1 }),
  backend.open({ precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const device of devices) device.dispose()
})

const overPairs = (all: readonly number[]) => all.filter((seed) => randomProblem(seed).workload.loop === 'pair')

test.each(overPairs(seeds(24)))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { shape } = bind(problem.workload, problem.particles)
  const ranges = randomRanges(new Dice(seed), shape)
  for (const device of devices)
    for (const plan of [undefined, { variant: 'scalar' }])
      expect(await faultsOf(device, problem, { plan, ranges })).toEqual([])
})
