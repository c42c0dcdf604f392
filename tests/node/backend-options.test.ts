// The options of our backends: unknown names and values are rejected when the backend is made.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { expect, test } from 'vitest'

test.each([
  [webgpu, '"defaultLimit" is not an option of webgpu; expected powerPreference, dawn, defaultLimits'],
  [webgl, '"defaultLimit" is not an option of webgl; expected context'],
  [cpuWasm, '"defaultLimit" is not an option of cpuWasm; expected threadsFrom, workers, learned'],
])('%o', (make, message) => {
  expect(() => make({ defaultLimit: true } as object)).toThrow(message)
})

test.each([
  [() => cpuWasm({ workers: 'fil' as 'file' }), '"workers" expected "file" or "inline", got "fil"'],
  [
    () => webgpu({ powerPreference: 'fast' as 'low-power' }),
    '"powerPreference" expected "low-power" or "high-performance", got "fast"',
  ],
  [() => cpuWasm({ threadsFrom: '5' as never }), '"threadsFrom" expected number, got "5"'],
  [() => cpuWasm({ threadsFrom: -1 }), '"threadsFrom" expected finite number >= 0, got -1'],
  [
    () => cpuWasm({ widen: true } as object),
    '"widen" is not an option of cpuWasm; it was removed, because this experiment of V8 compiles some loops wrongly',
  ],
  [() => webgpu({ defaultLimits: 1 as never }), '"defaultLimits" expected true or false, got 1'],
  [() => webgl(new Map() as object), '"options of webgl" expected an object with context, got Map'],
  [() => webgpu({ dawn: 'backend=vulkan' as never }), '"dawn" expected a list of toggles, got "backend=vulkan"'],
  [() => webgl({ context: {} as never }), '"context" expected a function that returns a WebGL context, got object'],
])('%o', (make, message) => {
  expect(make).toThrow(message)
})

test.each<[string, unknown, string]>([
  ['no object', 'x', '"learned" expected an object, as learnedPlans(device) gives it, got "x"'],
  ['null', null, '"learned" expected an object, as learnedPlans(device) gives it, got null'],
  ['not a plan', { key: 5 }, '"learned["key"]" expected an object, as learnedPlans(device) gives it, got 5'],
  ['no variant', { key: {} }, '"learned["key"].variant" expected text, got undefined'],
  [
    'NaN as JSON has it',
    { key: { variant: 'simd', sizes: { tile: null } } },
    '"learned["key"].sizes.tile" expected integer, got null',
  ],
  [
    'half a register',
    { key: { variant: 'simd', sizes: { registers: 0.5 } } },
    '"learned["key"].sizes.registers" expected integer >= 0, got 0.5',
  ],
  [
    'another field',
    { key: { variant: 'simd', extra: 1 } },
    '"extra" is not a name of a plan, in learned["key"]; expected variant, sizes',
  ],
])('learned plans are checked: %s', (_, learned, message) => {
  for (const make of [cpuWasm, webgpu]) expect(() => make({ learned: learned as never })).toThrow(message)
})
