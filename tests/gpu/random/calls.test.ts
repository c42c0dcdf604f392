// Random simulations, and random runs that reuse the arrays of earlier ones, on the software GPU.

import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { createEngine } from '@manybody/core'
import { afterAll, expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { intoFaults, simulationFaults } from '../../support/random/calls.ts'
import { seeds } from '../../support/random/problem.ts'

const engines = await Promise.all([
  createEngine({ backends: [webgpu()] }),
  createEngine({ backends: [webgl({ context: await angleContexts(2) })] }),
])
afterAll(() => {
  for (const engine of engines) engine.dispose()
})

test.each(seeds(6))('a simulation, seed %i', async (seed) => {
  for (const engine of engines) expect(await simulationFaults(engine, seed)).toEqual([])
})

test.each(seeds(6))('a run into earlier arrays, seed %i', async (seed) => {
  for (const engine of engines) expect(await intoFaults(engine, seed)).toEqual([])
})
