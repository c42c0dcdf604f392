/**
 * How GLSL reads the sheets of `layout.ts`. Every texture `user_<name>` comes with `user_<name>Scale`, one over its size:
 * texels are sampled at their centres, which GLSL ES 1.00 knows no other way than, and which software rasterisers do up to
 * 1.5 times as fast as `texelFetch`. A centre is half a texel from its neighbours; a coordinate in float32 is less than a
 * hundredth off, in the largest textures that there are.
 *
 * @module
 */

/** The texel of a texture in a column and a row. */
export const texel = (name: string, column: string, row: string): string =>
  `texel(user_${name}, user_${name}Scale, ${column}, ${row})`

/** Number n of a flat sheet. */
export const number = (name: string, n: string): string => `flatNumber(user_${name}, user_${name}Scale, ${n})`

/**
 * Of both languages, once `sampled` is defined. GLSL ES 1.00 has neither shifts nor vectors with variable indices, and may
 * keep whole numbers in float32: a quotient is corrected by its remainder.
 */
export const readFunctions = `int rowOf(int n) { return n / 256; }
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
