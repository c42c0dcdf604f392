// Runs on processors whose points change in number.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { expect, test } from 'vitest'
import { changingWorkloads, preparedFor } from '../support/changing-counts.ts'

test.each(
  Object.entries(changingWorkloads).flatMap(([name, workload]) =>
    (['f32', 'f64'] as const).map((precision) => [name, precision, workload] as const),
  ),
)('%s in %s take few programs for many numbers of points', async (name, precision, workload) => {
  const prepared = await preparedFor(cpuWasm(), workload, precision)
  // Programs of their own for three numbers, and one for each class. Lists have no room for fewer.
  if (name === 'lists') expect(prepared).toBeGreaterThan(12)
  else expect(prepared).toBe(5)
})
