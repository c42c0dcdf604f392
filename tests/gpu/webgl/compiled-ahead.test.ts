// Workloads that were compiled ahead run on WebGL like typed ones.

import { webgl } from '@manybody/backend-webgl'
import { accelerations, createEngine, gravity } from '@manybody/core'
import { compile } from 'manybody/compile'
import { describe, expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { testCompiled } from '../../support/compiled-ahead.ts'

describe.each([1, 2] as const)('WebGL%d', async (version) => {
  const context = await angleContexts(version)
  await testCompiled('webgl', () => createEngine({ backends: [webgl({ context })] }))

  test('a plan of another loop than the file holds is refused', async () => {
    await using engine = await createEngine({ backends: [webgl({ context })] })
    const compiled = compile(accelerations(gravity()), { backends: ['webgl'] })
    const points = { position: [0, 0, 0, 1, 2, 2], mass: [1, 2] }
    await expect(engine.run(compiled, points, { plan: { variant: 'naive' } })).rejects.toThrow(
      '"plan" expected none, or texture-loop without sizes, which the file holds, got {"variant":"naive"}',
    )
    const { report } = await engine.run(compiled, points, { plan: { variant: 'texture-loop' } })
    expect(report.variant).toBe('texture-loop')
  })
})
