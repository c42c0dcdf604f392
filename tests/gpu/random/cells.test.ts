// Random problems with a cutoff in a periodic box by cells, on the software GPU. Whole numbers, extremes and distances equal those over all
// pairs to the last bit.

import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, expect, test } from 'vitest'
import { alikeByCells, blockFaults, cellSizes, seedsByCells } from '../../support/random/blocks.ts'
import { randomProblem, seeds } from '../../support/random/problem.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

test.each(seedsByCells(seeds(400)))('seed %i', async (seed) => {
  const cells = { variant: 'cells', sizes: cellSizes(seed) }
  expect(await blockFaults(device, randomProblem(seed), cells, { variant: 'naive' }, alikeByCells)).toEqual([])
})
