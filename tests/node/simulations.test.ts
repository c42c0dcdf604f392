// Simulations of several forces on the reference and on the processor.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, reference } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { shortSimulations } from '../support/simulations/every.ts'

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
  test.each(shortSimulations)('%s', (_, run) => run(engine))
})
