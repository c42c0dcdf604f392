/**
 * Some drivers (seen: SwiftShader of Chromium 147) return infinity for the exponential of NaN.
 *
 * `packages/conformance/src/checks/sums/nan-terms.ts` shows it with log-sum-exp on the software GPU. Remove this when no driver
 * does so.
 *
 * @module
 */

/** WGSL for `value`, which was computed from `x`, or for NaN if `x` is NaN. Both are names. */
export const nanOf = (x: string, value: string): string => `select(${x}, ${value}, ${x} == ${x})`
