/**
 * How GLSL reads the sheets of `layout.ts`. Texels are sampled at their centres: GLSL ES 1.00 has no other way, and software
 * rasterisers sample up to 1.5 times as fast as they run `texelFetch`. Graphics cards fetch the sources of a loop over pairs
 * (`compile/glsl/dialect.ts`), which is where reads take time. Every texture `user_<name>` therefore comes with
 * `user_<name>Scale`, one over its size. Even in the largest textures a float32 coordinate is less than a hundredth of a
 * texel off, so it always hits the right texel.
 *
 * @module
 */
import type { DeviceFacts } from './facts.ts'

/** The texel of a texture in a column and a row. */
export const texel = (name: string, column: string, row: string): string =>
  `texel(user_${name}, user_${name}Scale, ${column}, ${row})`

/** Number n of a flat sheet. */
export const number = (name: string, n: string): string => `flatNumber(user_${name}, user_${name}Scale, ${n})`

/**
 * Functions for both versions of GLSL, which define `sampled` differently. GLSL ES 1.00 has neither shifts nor variable indices
 * into vectors, and may keep integers in float32, so `quotient` corrects its result by the remainder.
 */
const bothVersions = `int rowOf(int n) { return n / 256; }
int columnOf(int n) { return n - 256 * (n / 256); }
int elementAt(int row, int column) { return 256 * row + column; }
int quotient(int a, int b) {
  int q = int(float(a) / float(b));
  int rest = a - q * b;
  return rest < 0 ? q - 1 : rest >= b ? q + 1 : q;
}
int remainder(int a, int b) { return a - b * quotient(a, b); }
float component(vec4 v, int n) { return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w; }
float centre(int n, float scale) { return (float(n) + 0.5) * scale; }
vec4 texel(highp sampler2D sheet, vec2 scale, int column, int row) {
  return sampled(sheet, vec2(centre(column, scale.x), centre(row, scale.y)));
}
float flatNumber(highp sampler2D sheet, vec2 scale, int n) {
  int at = n / 4;
  return component(texel(sheet, scale, columnOf(at), rowOf(at)), n - 4 * at);
}
`

/** The functions that every pass may call, for each version of WebGL. */
export const readFunctions: Readonly<Record<DeviceFacts['version'], string>> = {
  1: `
#define sampled texture2D
${bothVersions}`,
  2: `
#define sampled texture
${bothVersions}`,
}
