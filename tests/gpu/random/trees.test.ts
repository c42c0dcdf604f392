// Random sums with a tolerance on the software GPU: its trees are as exact as the processor's at the same setting. An engine would seldom
// choose them, because a software GPU computes all pairs faster.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgpu } from '@manybody/backend-webgpu'
import { afterAll, expect, test } from 'vitest'
import { seeds } from '../../support/random/problem.ts'
import { comparedTrees } from '../../support/random/trees.ts'

const [gpu, processor] = [await webgpu().open(), await cpuWasm().open({ precision: 'f64', threads: 1 })]
afterAll(() => {
  for (const device of [gpu, processor]) device.dispose()
})

const all = seeds(4)
let approximated = 0

test.each(all)('seed %i', async (seed) => {
  const { fault, share } = await comparedTrees(gpu, processor, seed)
  expect(fault).toBeUndefined()
  if (share < 0.9) approximated++
})

test('many of the sums were approximated', () => {
  expect(approximated).toBeGreaterThan(all.length / 3)
})
