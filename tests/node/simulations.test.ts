// Simulations of several forces on the reference and on the processor.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, reference } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { adaptiveSimulations } from '../support/simulations/adaptive.ts'
import { angleSimulations } from '../support/simulations/angles.ts'
import { approximatedSimulations } from '../support/simulations/approximated.ts'
import { coincidentSimulations } from '../support/simulations/coincident.ts'
import { masslessSimulations } from '../support/simulations/massless.ts'
import { measures } from '../support/simulations/measures.ts'
import { notFinite } from '../support/simulations/not-finite.ts'
import { timeSimulations } from '../support/simulations/time.ts'
import { simulations } from '../support/simulations.ts'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends: [reference()], precision: 'f64' }),
  createEngine({ backends, precision: 'f64', threads: 1 }),
  createEngine({ backends, precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

describe.each(
  engines.map((engine) => [`${engine.device.info.backend} ${engine.device.info.precision}`, engine] as const),
)('%s', (_, engine) => {
  test.each([
    ...simulations,
    ...measures,
    ...notFinite,
    ...angleSimulations,
    ...adaptiveSimulations,
    ...masslessSimulations,
    ...timeSimulations,
    ...approximatedSimulations,
    ...coincidentSimulations,
  ])('%s', (_, run) => run(engine))
})
