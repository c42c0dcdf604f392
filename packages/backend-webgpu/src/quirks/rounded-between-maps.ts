/**
 * Some drivers compute across the statements of a shader as if numbers were exact (seen: NVIDIA's for Vulkan on an H100 turns
 * `(t + f) - t` into `f`, so that a sum of many short times loses its digits). What one map hands to the next has to be rounded as
 * if it were stored. A number of the run that is always 0 hides it from the compiler.
 *
 * `npm run bench:gpu` shows it on such a card, with the simulation of many short steps. Remove this when no driver does so.
 *
 * @module
 */
import type { Field } from '../wgsl/shader.ts'

export const zeroField: Field = { name: 'zero', type: 'u32', note: 'always 0, which no compiler knows' }

/** WGSL for a value, rounded to float32. */
export const rounded = (value: string): string => `bitcast<f32>(bitcast<u32>(${value}) ^ run.${zeroField.name})`
