// A careless caller of an engine that moves short calls from a graphics device to the processor. The device is slow on purpose, so that
// calls do move; `tests/gpu/random/crossover.test.ts` has real devices.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine } from '@manybody/core'
import { expect, test } from 'vitest'
import { fakeBackend } from '../../../packages/core/test/support/fake-backends.ts'
import { callCarelessly, pause } from '../../support/random/crossover.ts'
import { Dice } from '../../support/random/dice.ts'
import { seeds } from '../../support/random/problem.ts'

const slowGraphics = () =>
  fakeBackend('graphics', {
    kind: 'hardware',
    beforeRun: async () => {
      await pause(8)
    },
  })

test.each(seeds(4))('every call is right or says why not, seed %i', async (seed) => {
  const engine = await createEngine({ backends: [slowGraphics(), cpuWasm({ threadsFrom: 0 })], threads: 2 })
  const answered = await callCarelessly(engine, new Dice(seed), 200)
  expect([...answered].sort()).toEqual(['cpu-wasm', 'graphics'])
})
