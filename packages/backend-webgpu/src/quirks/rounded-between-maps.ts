/**
 * Some drivers compute across the statements of a shader as if numbers were exact (seen: NVIDIA's for Vulkan on an H100 turns
 * `(t + f) - t` into `f`, so that a sum of many short times loses its digits). A number that one map hands to the next has to
 * be rounded as if it were stored. A number of the run that is always 0 hides it from the compiler.
 *
 * `tests/support/simulations/adaptive.ts` shows it, with many short steps, when `npm run bench:gpu` runs it on such a card.
 * Remove this when no driver does so.
 *
 * @module
 */

export const zeroField = { name: 'zero', type: 'u32', note: 'always 0, which no compiler knows' } as const

/** WGSL for a value, rounded to float32. */
export const rounded = (value: string): string => `bitcast<f32>(bitcast<u32>(${value}) ^ run.${zeroField.name})`
