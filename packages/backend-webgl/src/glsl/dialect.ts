/**
 * The two GLSLs. Loops, formulas and folds are written once, in what both languages have; what differs is here: how a
 * loop of unknown length is put, how a macro is, and what GLSL ES 1.00 lacks.
 *
 * @module
 */
import { asMacro, tidy } from './code-text.ts'
import { readFunctions } from './reads.ts'

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
  loop(loop: Loop): string
  /** A block as the body of a macro. */
  macro(block: string): string
  /** What a fragment shader begins with, and where its result goes. */
  readonly header: string
  readonly output: string
  /** Functions that every pass may call: those of `reads.ts` and the ones that the language lacks. */
  readonly functions: string
}

const es300: Dialect = {
  version: 2,
  mode: 'webgl2',
  header: '#version 300 es\nprecision highp float;\nprecision highp int;\nout vec4 result;',
  output: 'result',
  loop: ({ first = '', while: condition, next, body }) => `for (${first}; ${condition}; ${next}) ${body}`,
  macro: asMacro,
  functions: `
#define sampled texture
${readFunctions}`,
}

/** Loops have constant bounds. WebGL1 lacks the character that continues a macro on the next line. */
const es100: Dialect = {
  version: 1,
  mode: 'webgl',
  header: 'precision highp float;\nprecision highp int;',
  output: 'gl_FragData[0]',
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
#define sampled texture2D
${readFunctions}
float roundEven(float x) {
  float below = floor(x);
  float rest = x - below;
  float odd = fract(0.5 * below) != 0.0 ? 1.0 : 0.0;
  float tie = rest == 0.5 ? odd : 0.0;
  float up = rest > 0.5 ? 1.0 : tie;
  return below + up;
}
`,
}

export const dialects: Readonly<Record<1 | 2, Dialect>> = { 1: es100, 2: es300 }
