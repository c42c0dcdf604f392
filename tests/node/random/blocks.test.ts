// Random problems by blocks of points, on the processor, in every precision, on one thread and more: problems with a cutoff, and problems
// that keep the nearest sources. Whole numbers, extremes and distances equal those over all pairs to the last bit.

import { expect, test } from 'vitest'
import { blockFaults, seedsByBlocks } from '../../support/random/blocks.ts'
import { randomProblem, seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

test.each(seedsByBlocks(seeds(120)))('seed %i', async (seed) => {
  for (const device of devices)
    expect(await blockFaults(device, randomProblem(seed), { variant: 'blocks' }, { variant: 'simd' })).toEqual([])
})
