// Runs on graphics cards whose points change in number.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { changingWorkloads, preparedFor } from '../support/changing-counts.ts'

const workloads = Object.entries(changingWorkloads)

describe.each([
  ['webgpu', async () => webgpu()],
  ['webgl', async () => webgl({ context: await angleContexts(2) })],
] as const)('%s', (kind, backend) => {
  test.each(workloads)('%s', async (name, workload) => {
    // WebGL writes no lists.
    if (kind === 'webgl' && name === 'lists') return
    const prepared = await preparedFor(await backend(), workload)
    if (name === 'sums over all pairs') expect(prepared).toBe(5)
  })
})
