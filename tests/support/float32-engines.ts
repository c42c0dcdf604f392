// Engines that compute in float32 with the differences of real devices. One is the processor's own. One is a processor that rounds every
// operation. One is a GPU that is as inexact as the table of functions allows.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { type Backend, createEngine, type Engine } from '@manybody/core'
import { float32Backend } from '../../packages/conformance/test/support/float32-backend.ts'
import { exact } from '../../packages/conformance/test/support/rounding-language.ts'

/** Errors including the rounding: inverse roots within 2 units in the last place, quotients within 2.5, functions within their table. */
export const allowed = { root: 1.5, division: 2, exponential: 2.5, functions: true } as const

export const float32Backends: Readonly<Record<string, () => Backend>> = {
  'cpu-wasm': () => cpuWasm({ threadsFrom: 0 }),
  'float32, every operation rounded': () => float32Backend('cpu', exact),
  'float32, as inexact as GPUs may be': () => float32Backend('hardware', allowed),
  'float32, as inexact as GPUs may be, on the same side': () =>
    float32Backend('hardware', { ...allowed, oneSided: true }),
}

export const float32Engines = async (): Promise<readonly (readonly [name: string, engine: Engine])[]> =>
  Promise.all(
    Object.entries(float32Backends).map(
      async ([name, backend]) => [name, await createEngine({ backends: [backend()], threads: 1 })] as const,
    ),
  )
