/**
 * Some drivers (seen: SwiftShader of Chromium 147) take the exponential of NaN for infinite.
 *
 * `packages/conformance/src/checks/nan-terms.ts` shows it, by log-sum-exp on the software GPU. Goes when no driver does.
 *
 * @module
 */

/** As GLSL: `value`, which was computed from `x`; NaN if that is. Both are names. */
export const nanOf = (x: string, value: string): string => `${x} == ${x} ? ${value} : ${x}`
