// A quarter of the simulations of several forces, and of the physics that they must get right, in WebGL on the software GPU. WebGPU runs all.

import { webgl } from '@manybody/backend-webgl'
import { createEngine } from '@manybody/core'
import { afterAll, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { inShare } from '../../support/share.ts'
import { everySimulation } from '../../support/simulations/every.ts'
import { patience } from '../../support/simulations/physics/effort.ts'

const engine = await createEngine({ backends: [webgl({ context: await angleContexts(2) })] })
afterAll(() => engine.dispose())

const mine = everySimulation.filter(([name]) => inShare(name, 3, 4))
test.each(mine)('%s', (_, run) => run(engine), patience)
