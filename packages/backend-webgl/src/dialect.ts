/**
 * The two GLSLs. Loops, formulas and folds are written once, in what both languages have; what differs is here: how a
 * texel is read, how a loop of unknown length is put, and the whole numbers that GLSL ES 1.00 lacks operators for.
 *
 * @module
 */
import { asMacro, tidy } from './code-text.ts'

/** A loop whose length is known only when it runs. */
interface Loop {
  /** Declares what is counted. */
  readonly first?: string
  readonly while: string
  readonly next: string
  /** Turns that it can take at most. */
  readonly most: number
  readonly body: string
}

export interface Dialect {
  /** Of WebGL: 2 has GLSL ES 3.00, 1 has GLSL ES 1.00. */
  readonly version: 1 | 2
  /** Mode of gpu.js. */
  readonly mode: 'webgl' | 'webgl2'
  /** The texel of texture `user_<name>` in a column and a row. */
  texel(name: string, column: string, row: string): string
  /** Number n of texture `user_<name>`, a flat sheet. */
  number(name: string, n: string): string
  loop(loop: Loop): string
  /** A block as the body of a macro. */
  macro(block: string): string
  /** Functions that loops may call: see `layout.ts` for what a row, a column and an element are. */
  readonly functions: string
}

const es300: Dialect = {
  version: 2,
  mode: 'webgl2',
  texel: (name, column, row) => `texelFetch(user_${name}, ivec2(${column}, ${row}), 0)`,
  number: (name, n) => `flatNumber(user_${name}, ${n})`,
  loop: ({ first = '', while: condition, next, body }) => `for (${first}; ${condition}; ${next}) ${body}`,
  macro: asMacro,
  functions: `
#define rowOf(n) ((n) >> 8)
#define columnOf(n) ((n) & 255)
#define elementAt(row, column) ((row) << 8 | (column))
#define quotient(a, b) ((a) / (b))
#define remainder(a, b) ((a) % (b))
#define component(v, n) (v)[n]
float flatNumber(highp sampler2D sheet, int n) {
  return texelFetch(sheet, ivec2((n >> 2) & 255, n >> 10), 0)[n & 3];
}
`,
}

/**
 * GLSL ES 1.00 samples where it cannot fetch, so that every texture `t` comes with `user_tScale`, one over its size. Its
 * loops have constant bounds, its vectors constant indices, and its whole numbers may be kept in float32: a quotient is
 * corrected by its remainder. The character that would continue a macro on the next line is none of WebGL1's.
 */
const es100: Dialect = {
  version: 1,
  mode: 'webgl',
  texel: (name, column, row) => `texel(user_${name}, user_${name}Scale, ${column}, ${row})`,
  number: (name, n) => `flatNumber(user_${name}, user_${name}Scale, ${n})`,
  loop: ({ first, while: condition, next, most, body }) => `{
    ${first ? `${first};` : ''}
    for (int turn = 0; turn < ${most}; turn++) {
      if (!(${condition})) break;
      ${body}
      ${next};
    }
  }`,
  macro: (block) => tidy(block).replaceAll(/\s*\n\s*/g, ' '),
  functions: `
int rowOf(int n) { return n / 256; }
int columnOf(int n) { return n - 256 * (n / 256); }
int elementAt(int row, int column) { return 256 * row + column; }
int quotient(int a, int b) {
  int q = int(float(a) / float(b));
  int rest = a - q * b;
  return rest < 0 ? q - 1 : rest >= b ? q + 1 : q;
}
int remainder(int a, int b) { return a - b * quotient(a, b); }
float component(vec4 v, int n) { return n == 0 ? v.x : n == 1 ? v.y : n == 2 ? v.z : v.w; }
float roundEven(float x) {
  float nearest = floor(x + 0.5);
  return nearest - x == 0.5 && fract(0.5 * nearest) != 0.0 ? nearest - 1.0 : nearest;
}
vec4 texel(sampler2D sheet, vec2 scale, int column, int row) {
  return texture2D(sheet, (vec2(column, row) + 0.5) * scale);
}
float flatNumber(sampler2D sheet, vec2 scale, int n) {
  int at = n / 4;
  return component(texel(sheet, scale, columnOf(at), rowOf(at)), n - 4 * at);
}
`,
}

export const dialects: Readonly<Record<1 | 2, Dialect>> = { 1: es100, 2: es300 }
