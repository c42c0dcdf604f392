// The options of our backends: names and words that none of them knows are refused when the backend is made.

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

test.each([
  [() => cpuWasm({ workers: 'fil' as 'file' }), '"workers" expected "file" or "inline", got "fil"'],
  [
    () => webgpu({ powerPreference: 'fast' as 'low-power' }),
    '"powerPreference" expected "low-power" or "high-performance", got "fast"',
  ],
  [() => webgpu({ dawn: 'backend=vulkan' as never }), '"dawn" expected a list of toggles, got "backend=vulkan"'],
  [() => webgl({ context: {} as never }), '"context" expected a function that gives a WebGL context, got object'],
])('%o', (make, message) => {
  expect(make).toThrow(message)
})
