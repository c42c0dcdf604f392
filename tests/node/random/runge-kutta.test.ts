// A user's integrator that stores extra vectors has the right order, on the processor.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { type Backend, createEngine, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { errorAfter } from '../../support/random/runge-kutta.ts'

test.each<[string, () => Backend]>([
  ['reference', reference],
  ['cpu-wasm', cpuWasm],
])('halving dt divides the error of Runge-Kutta by 2^4 on %s', async (_, backend) => {
  await using engine = await createEngine({ backends: [backend()], precision: 'f64' })
  for (const dimension of [2, 3] as const) {
    const [coarse, fine] = [await errorAfter(engine, dimension, 200, 4), await errorAfter(engine, dimension, 400, 4)]
    expect(Math.abs(Math.log2(coarse / fine) - 4)).toBeLessThan(0.15)
    expect(fine).toBeLessThan(1e-8)
  }
})

test('Runge-Kutta stays on its orbit in float32 on cpu-wasm', async () => {
  await using engine = await createEngine({ backends: [cpuWasm()] })
  expect(await errorAfter(engine, 3, 100, 4)).toBeLessThan(2e-5)
})
