// Random simulations, and random runs that reuse the arrays of earlier ones, on the processor.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine } from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { intoFaults, simulationFaults } from '../../support/random/calls.ts'
import { seeds } from '../../support/random/problem.ts'

const backends = [cpuWasm({ threadsFrom: 0 })]
const engines = await Promise.all([
  createEngine({ backends, precision: 'f64', threads: 1 }),
  createEngine({ backends, precision: 'f32', threads: 2 }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

test.each(seeds(24))('a simulation, seed %i', async (seed) => {
  for (const engine of engines) expect(await simulationFaults(engine, seed)).toEqual([])
})

test.each(seeds(24))('a run into earlier arrays, seed %i', async (seed) => {
  for (const engine of engines) expect(await intoFaults(engine, seed)).toEqual([])
})
