// Random problems by blocks of points, on the software GPU: those with a cutoff, and those that keep the nearest sources. Whole
// numbers, extremes and distances are those of all pairs to the last bit.

import { webgpu } from '@manybody/backend-webgpu'
import type { Plan } from '@manybody/core'
import { bind, deviceNumbers } from '@manybody/core/backend'
import { afterAll, expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { Dice, type RandomProblem, randomProblem, seeds } from '../../support/random/problem.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

/** Those of the seeds whose problem can be computed by blocks: about every third. */
const byBlocks = (all: readonly number[]) =>
  all.filter((seed) => {
    const { workload } = randomProblem(seed)
    if (workload.loop !== 'pair' || workload.reduction === 'none') return false
    return workload.domain.cutoff !== undefined || workload.reduction === 'smallest'
  })

const sizes = [{}, { workgroup: 32, targets: 8 }, { targets: 16, unroll: 4 }, { workgroup: 64, targets: 64 }]

test.each(byBlocks(seeds(60)))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { workload } = problem
  const plan = { variant: 'blocks', sizes: new Dice(seed).pick(sizes) }
  expect(await faultsOf(device, problem, { plan })).toEqual([])
  if (workload.loop !== 'pair' || ['sum', 'logsumexp', 'list'].includes(workload.reduction)) return
  expect(await resultsOf(problem, plan)).toEqual(await resultsOf(problem, { variant: 'naive' }))
})

async function resultsOf({ workload, particles }: RandomProblem, plan: Plan) {
  const { shape, bindings } = deviceNumbers(bind(workload, particles), 'f32')
  const program = await device.prepare(workload, shape, plan)
  const results = await program.run(bindings)
  program.dispose()
  return results
}
