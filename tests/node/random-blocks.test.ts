// Random problems with a cutoff by blocks of points, on the processor: in every precision, on one thread and more, from a fresh
// order, a stale one and one of other points.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { afterAll, expect, test } from 'vitest'
import { faultsOf } from '../support/random-laws.ts'
import { randomProblem, seeds } from '../support/random-problem.ts'

const backend = cpuWasm({ threadsFrom: 0 })
const devices = await Promise.all([
  backend.open({ precision: 'f64', threads: 1 }),
  backend.open({ precision: 'f32', threads: 1 }),
  backend.open({ precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const device of devices) device.dispose()
})

/** Those of the seeds whose problem has a cutoff, which about every fourth has. */
const within = (all: readonly number[]) =>
  all.filter((seed) => {
    const { workload } = randomProblem(seed)
    return workload.loop === 'pair' && workload.reduction !== 'none' && workload.domain.cutoff !== undefined
  })

test.each(within(seeds(120)))('seed %i', async (seed) => {
  for (const device of devices)
    expect(await faultsOf(device, randomProblem(seed), { plan: { variant: 'blocks' } })).toEqual([])
})
