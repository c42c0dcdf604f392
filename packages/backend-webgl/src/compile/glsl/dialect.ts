/**
 * The two versions of GLSL. Loops, formulas and folds are written once, in the language that both versions share. This file
 * holds the differences: loops of unknown length, macros, reads of sources, and functions that GLSL ES 1.00 lacks.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'
import type { TileRule } from '../../design/counts.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { asMacro, tidy } from './code-text.ts'

/** A loop with a length that is known only at run time. */
interface Loop {
  /** Declares the counter. */
  readonly first?: string
  readonly while: string
  readonly next: string
  /** An upper bound on the number of iterations: a number, or a macro. */
  readonly most: number | string
  readonly body: string
}

export interface Dialect extends TileRule {
  /** Version of WebGL: 2 has GLSL ES 3.00, 1 has GLSL ES 1.00. */
  readonly version: 1 | 2
  loop(loop: Loop): string
  /** A block as the body of a macro. */
  macro(block: string): string
  /** The first lines of a fragment shader, before its outputs. */
  readonly header: string
  /** The variable that takes its result. */
  readonly output: string
  /** How many sources a loop over pairs fetches at a time. With several targets it fetches fewer, but at least four. */
  readonly sources: number
  /** The texel of the sources in a column of the row `row`, in loops over pairs. */
  source(column: string): string
  /** Code that prepares such reads for one row. */
  readonly sourceRow: readonly string[]
  /** Functions that the language lacks, besides those in `operators.ts`. */
  readonly functions: string
}

/** Sources are sampled at the centres of their texels, as all other textures are. */
const sampledSource = {
  source: (column: string) => `sampled(user_sources, vec2(centre(${column}, scale.x), rowCentre))`,
  sourceRow: ['vec2 scale = user_sourcesScale;', 'float rowCentre = centre(row, scale.y);'],
}

const es300: Dialect = {
  ...sampledSource,
  version: 2,
  header: '#version 300 es\nprecision highp float;\nprecision highp int;',
  output: 'result',
  // Every device has four; `run/host/adapter.ts` finds those that cannot draw into four float textures.
  outputs: 4,
  targets: 4,
  tileRows: 8,
  sources: 4,
  loop: ({ first = '', while: condition, next, body }) => `for (${first}; ${condition}; ${next}) ${body}`,
  macro: asMacro,
  functions: '',
}

/** Loops need constant bounds. A macro must fit on one line, because WebGL1 rejects the backslash. */
const es100: Dialect = {
  ...sampledSource,
  version: 1,
  header: 'precision highp float;\nprecision highp int;',
  output: 'gl_FragData[0]',
  outputs: 1,
  targets: 1,
  tileRows: 1,
  sources: 4,
  loop({ first, while: condition, next, most, body }) {
    const declaration = first === undefined ? '' : `${first};`
    return `{
    ${declaration}
    for (int turn = 0; turn < ${most}; turn++) {
      if (!(${condition})) break;
      ${body}
      ${next};
    }
  }`
  },
  macro: (block) => tidy(block).replaceAll(/\s*\n\s*/g, ' '),
  functions: `
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

/**
 * Graphics cards read a texel by its number twice as fast as they sample it. They need more calls at the same time than
 * software rasterisers, so they fold several targets at a time only where there are many. A third target at a time gains
 * nothing.
 */
const fetching: Dialect = {
  ...es300,
  targets: 2,
  tileRows: 32,
  sources: 8,
  source: (column) => `texelFetch(user_sources, ivec2(${column}, row), 0)`,
  sourceRow: [],
}

/** The dialect that suits a device. Software rasterisers sample faster. */
export function dialectFor(version: 1 | 2, kind: DeviceKind): Dialect {
  return version === 2 && kind === 'hardware' ? fetching : dialects[version]
}

/** The dialect for the known facts about a device. */
export const dialectOf = ({ version, kind, outputs }: DeviceFacts): Dialect => ({
  ...dialectFor(version, kind),
  outputs,
})
