// Simulations of several forces on the software GPU.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { createEngine } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { adaptiveSimulations } from '../support/simulations/adaptive.ts'
import { angleSimulations } from '../support/simulations/angles.ts'
import { approximatedSimulations } from '../support/simulations/approximated.ts'
import { measures } from '../support/simulations/measures.ts'
import { simulations } from '../support/simulations.ts'

const engines = await Promise.all([
  createEngine({ backends: [webgpu()] }),
  createEngine({ backends: [webgl({ context: await angleContexts(2) })] }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

describe.each(engines.map((engine) => [engine.device.info.backend, engine] as const))('%s', (_, engine) => {
  test.each([...simulations, ...measures, ...angleSimulations, ...adaptiveSimulations, ...approximatedSimulations])(
    '%s',
    (_, run) => run(engine),
  )
})
