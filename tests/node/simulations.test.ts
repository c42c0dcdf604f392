// Simulations of several forces: each on the processor, in one of the precisions, and a quarter on the reference.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, reference } from '@manybody/core'
import { afterAll, describe, test } from 'vitest'
import { inShare } from '../support/share.ts'
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

/** The share of each engine, and the number of shares. */
const shares: readonly (readonly [share: number, count: number])[] = [
  [0, 4],
  [0, 2],
  [1, 2],
]

describe.each(
  engines.map((engine, n) => [`${engine.device.info.backend} ${engine.device.info.precision}`, engine, n] as const),
)('%s', (_, engine, n) => {
  const [share, count] = shares[n] as (typeof shares)[number]
  test.each(shortSimulations.filter(([name]) => inShare(name, share, count)))('%s', (_, run) => run(engine))
})
