/**
 * Keeps results of WebGL1 in float32. GLSL ES 1.00 declares `gl_FragData` mediump. If a result comes from branches, Mesa's
 * OpenGL ES drivers (seen: llvmpipe 22.3) round it to half precision inside the branches, and it keeps 11 bits. A product of
 * highp numbers between the branches and the output prevents that. The factor is 1, but as a uniform, so that no compiler
 * can remove it.
 *
 * In GLSL ES 3.00 shaders declare their outputs, as highp. `proof.ts` rejects a device that rounds nevertheless. The tests
 * have no such driver: `packages/backend-webgl/test/browser/driver.browser.ts` checks that WebGL1 gets the product. Remove this with
 * WebGL1.
 *
 * @source The OpenGL ES Shading Language 1.00, section 7.2
 * @module
 */

/** The value of the uniform `user_one` in every run of such a pass. */
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
