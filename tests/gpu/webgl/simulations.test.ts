// Simulations of several forces, and physics that they must get right, in WebGL on the software GPU. WebGPU has a file of its own, so
// that both run side by side.

import { webgl } from '@manybody/backend-webgl'
import { createEngine } from '@manybody/core'
import { afterAll, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { everySimulation } from '../../support/simulations/every.ts'
import { patience } from '../../support/simulations/physics/effort.ts'

const engine = await createEngine({ backends: [webgl({ context: await angleContexts(2) })] })
afterAll(() => engine.dispose())

test.each(everySimulation)('%s', (_, run) => run(engine), patience)
