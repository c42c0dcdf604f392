// Random simulations, and random runs that reuse the arrays of earlier ones, on the processor.

import { expect, test } from 'vitest'
import { intoFaults, simulationFaults } from '../../support/random/calls.ts'
import { seeds } from '../../support/random/problem.ts'
import { processorEngines } from '../../support/random/processor.ts'

const engines = await processorEngines()

test.each(seeds(24))('a simulation, seed %i', async (seed) => {
  for (const engine of engines) expect(await simulationFaults(engine, seed)).toEqual([])
})

test.each(seeds(24))('a run into earlier arrays, seed %i', async (seed) => {
  for (const engine of engines) expect(await intoFaults(engine, seed)).toEqual([])
})
