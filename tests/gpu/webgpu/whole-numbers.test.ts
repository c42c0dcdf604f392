// Sequences store whole numbers as numbers of the device: signed indices, counts, cells. They reject numbers that are too large.

import { webgpu } from '@manybody/backend-webgpu'
import {
  cellIndex,
  countWithin,
  nearest,
  pairTerm,
  reduce,
  UnsupportedWorkloadError,
  type Workload,
} from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { expect, test } from 'vitest'
import { numbers } from '../../support/numbers.ts'

const device = await webgpu().open()
const points = { position: numbers(210, 1) }
const cell = { spacing: 0.2, edges: 'clamp' } as const

async function kept(workload: Workload): Promise<{ got: number[]; expected: number[] }> {
  const { shape, bindings } = bind(workload, points)
  const program = await device.prepare(workload, shape)
  const results = await program.run(bindings)
  const outputs = Object.fromEntries(
    await Promise.all(
      Object.entries(results).map(async ([name, array]) => [name, await device.buffer(array.length)] as const),
    ),
  )
  const sequence = await device.sequence([{ program, bindings, outputs }])
  await sequence.run(2)
  const [name = ''] = workload.results
  return { got: [...((await outputs[name]?.read()) ?? [])], expected: [...(results[name] ?? [])] }
}

test.each<[string, Workload]>([
  ['neighbours', nearest(3)],
  ['arguments, -1 where no source counts', reduce('argmin', pairTerm('r2')(), { cutoff: 0.15 })],
  ['counts', countWithin(0.3)],
  ['cells', cellIndex({ cells: [5, 7, 3], ...cell })],
])('a sequence converts the integers of %s to floats', async (_, workload) => {
  const { got, expected } = await kept(workload)
  expect(got).toEqual(expected)
  expect(Math.max(...got)).toBeGreaterThan(1)
})

test('cells beyond 2^24 are refused', async () => {
  await expect(kept(cellIndex({ cells: [4096, 4096, 2], ...cell }))).rejects.toThrow(UnsupportedWorkloadError)
})
