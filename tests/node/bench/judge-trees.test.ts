// Verdicts on trees reach every law in every set of points where a tree has a meaning.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { expect, test } from 'vitest'
import { judgeTrees } from '../../hardware/judge-trees.ts'

test('no law in any set of points ends the verdicts on trees', async () => {
  // There are fewer laws in sets of points than this. Faults are not compared: among so few points, Gaussians may vanish in float32.
  const runs = { runs: 90, points: 16, seeds: 0 }
  expect(await judgeTrees(cpuWasm(), runs, new AbortController().signal)).toMatchObject({ sums: 90 })
})
