// Workloads that were compiled ahead run on WebGL like typed ones.

import { webgl } from '@manybody/backend-webgl'
import { createEngine } from '@manybody/core'
import { describe } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { testCompiled } from '../../support/compiled-ahead.ts'

describe.each([1, 2] as const)('WebGL%d', async (version) => {
  const context = await angleContexts(version)
  await testCompiled('webgl', () => createEngine({ backends: [webgl({ context })] }))
})
