// Simulations of several forces, and physics that they must get right, on the software GPU.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { createEngine } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { everySimulation } from '../support/simulations/every.ts'
import { patience } from '../support/simulations/physics/effort.ts'

const engines = await Promise.all([
  createEngine({ backends: [webgpu()] }),
  createEngine({ backends: [webgl({ context: await angleContexts(2) })] }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

describe.each(engines.map((engine) => [engine.device.info.backend, engine] as const))('%s', (_, engine) => {
  test.each(everySimulation)('%s', (_, run) => run(engine), patience)
})
