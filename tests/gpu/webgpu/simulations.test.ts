// Simulations of several forces, and physics that they must get right, in WebGPU on the software GPU.

import { webgpu } from '@manybody/backend-webgpu'
import { createEngine } from '@manybody/core'
import { afterAll, test } from 'vitest'
import { everySimulation } from '../../support/simulations/every.ts'
import { patience } from '../../support/simulations/physics/effort.ts'

const engine = await createEngine({ backends: [webgpu()] })
afterAll(() => engine.dispose())

test.each(everySimulation)('%s', (_, run) => run(engine), patience)
