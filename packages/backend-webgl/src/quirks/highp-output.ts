/**
 * Float32 out of WebGL1. GLSL ES 1.00 declares `gl_FragData` mediump, and Mesa's OpenGL ES drivers (seen: llvmpipe 22.3)
 * take it at its word where a result comes out of branches: they move the rounding to half precision up into these, where
 * nothing undoes it, and results have 11 bits. A product of highp numbers between the branches and the output stops that.
 * That the factor, a uniform, is 1, no compiler knows.
 *
 * GLSL ES 3.00 declares its outputs itself. A device that rounds all the same is refused by `proof.ts`. No test here has
 * such a driver: `packages/backend-webgl/test/driver.browser.ts` holds that WebGL1 gets the product. Goes with WebGL1.
 *
 * @source The OpenGL ES Shading Language 1.00, section 7.2
 * @module
 */

/** What every run of such a pass gives the uniform `user_one`. */
export const one = { one: 1 } as const

/** A pass with the same results, in float32. */
export function withHighpOutput<
  T extends { readonly name: string; readonly glsl: string; readonly numbers?: readonly string[] },
>(source: T): T {
  return {
    ...source,
    name: 'highpOutput',
    glsl: `${source.glsl}\nvec4 highpOutput() { return user_one * ${source.name}(); }`,
    numbers: [...(source.numbers ?? []), ...Object.keys(one)],
  }
}
