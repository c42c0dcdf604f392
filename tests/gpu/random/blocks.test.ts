// Random problems by blocks of points, on the software GPU: problems with a cutoff, and problems that keep the nearest sources. Whole
// numbers, extremes and distances equal those over all pairs to the last bit.

import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, expect, test } from 'vitest'
import { blockFaults, blockSizes, seedsByBlocks } from '../../support/random/blocks.ts'
import { isOnLine, randomProblem, seeds } from '../../support/random/problem.ts'

const device = await webgpu().open()
afterAll(() => device.dispose())

test.each(seedsByBlocks(seeds(60)).filter((seed) => !isOnLine(seed)))('seed %i', async (seed) => {
  const blocks = { variant: 'blocks', sizes: blockSizes(seed) }
  expect(await blockFaults(device, randomProblem(seed), blocks, { variant: 'naive' })).toEqual([])
})
