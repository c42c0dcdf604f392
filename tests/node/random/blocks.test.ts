// Random problems by blocks of points, on the processor, in every precision, on one thread and more: those with a cutoff, and
// those that keep what is nearest. Whole numbers, extremes and distances are those of all pairs to the last bit.

import type { Device } from '@manybody/core'
import { bind } from '@manybody/core/backend'
import { expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { type RandomProblem, randomProblem, seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

/** Those of the seeds whose problem can be computed by blocks: about every third. */
const byBlocks = (all: readonly number[]) =>
  all.filter((seed) => {
    const { workload } = randomProblem(seed)
    if (workload.loop !== 'pair' || workload.reduction === 'none') return false
    return workload.domain.cutoff !== undefined || workload.reduction === 'smallest'
  })

test.each(byBlocks(seeds(120)))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { workload } = problem
  const exact = workload.loop === 'pair' && !['sum', 'logsumexp'].includes(workload.reduction)
  for (const device of devices) {
    expect(await faultsOf(device, problem, { plan: { variant: 'blocks' } })).toEqual([])
    if (exact) expect(await resultsOf(device, problem, 'blocks')).toEqual(await resultsOf(device, problem, 'simd'))
  }
})

async function resultsOf(device: Device, { workload, particles }: RandomProblem, variant: string) {
  const { shape, bindings } = bind(workload, particles)
  const program = await device.prepare(workload, shape, { variant })
  const results = await program.run(bindings)
  program.dispose()
  return results
}
