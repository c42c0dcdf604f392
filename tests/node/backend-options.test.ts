// The options of our backends: a name that none of them knows is refused when the backend is made.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { expect, test } from 'vitest'

test.each([
  [webgpu, '"defaultLimit" is no option of webgpu; expected powerPreference, dawn, defaultLimits'],
  [webgl, '"defaultLimit" is no option of webgl; expected context'],
  [cpuWasm, '"defaultLimit" is no option of cpuWasm; expected threadsFrom, workers, widen'],
])('%o', (make, message) => {
  expect(() => make({ defaultLimit: true } as object)).toThrow(message)
})
