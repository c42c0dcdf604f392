// The garbage of repeated calls. Garbage that outlives collections of young objects makes each call ten times as slow.
//
// The calls are in a process of their own, because V8 learns. If earlier tests of this process keep their jobs, as simulations do, V8
// allocates the jobs of later runs as old objects from the start, 1.4 KB a call, though nothing keeps them.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** The most bytes that a call may leave. A hidden class for each call, the least that was seen, takes 220. */
const most = { simd: 50, blocks: 50, 'pairs-once': 50, 'engine.run': 500 }

it('leaves no old objects behind after calls in a row', () => {
  const script = fileURLToPath(new URL('support/old-bytes.ts', import.meta.url))
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], {
    timeout: 120_000,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const left = JSON.parse(stdout) as typeof most
  expect(Object.keys(left)).toEqual(Object.keys(most))
  expect(Object.entries(left).filter(([name, bytes]) => !(bytes < most[name as keyof typeof most]))).toEqual([])
})
