// Physics that simulations must get right, on the reference and on the processor. `npm run deep` takes each case as far as theory holds;
// `npm test` does less. Periods of bonds and angles are in simulations.test.ts.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, reference } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { patience } from '../support/simulations/physics/effort.ts'
import { manyPoints } from '../support/simulations/physics/many-points.ts'
import { exactOrbits, orbits } from '../support/simulations/physics/orbits.ts'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends: [reference()], precision: 'f64' }),
  createEngine({ backends, precision: 'f64', threads: 1 }),
  createEngine({ backends, precision: 'f32', threads: 1 }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

describe.each(
  engines.map((engine) => [`${engine.device.info.backend} ${engine.device.info.precision}`, engine] as const),
)('%s', (_, engine) => {
  const exact = engine.device.info.precision === 'f64' ? exactOrbits : []
  test.each([...orbits, ...exact, ...manyPoints])('%s', (_, run) => run(engine), patience)
})
