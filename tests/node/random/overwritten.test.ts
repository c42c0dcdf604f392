// Once a call has returned its promise, overwriting its arrays does not change the answer.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { type Backend, createEngine, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { disturbed } from '../../support/random/overwritten.ts'

test.each<[string, Backend, number]>([
  ['reference', reference(), 1],
  ['cpu-wasm on one thread', cpuWasm(), 1],
  ['cpu-wasm on two threads', cpuWasm({ threadsFrom: 0 }), 2],
])('changing arrays during a call does not change the results of %s', async (_, backend, threads) => {
  await using engine = await createEngine({ backends: [backend], threads })
  expect(await disturbed(engine)).toEqual([])
})
