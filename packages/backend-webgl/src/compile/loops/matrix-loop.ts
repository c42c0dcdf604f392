/**
 * The loop that keeps every term. Each texel holds the terms of four sources for one target; the rows of the matrix follow
 * one another in a flat sheet. Pairs that do not count stay 0.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { flatSize } from '../../design/layout.ts'
import type { PassSource } from '../../design/pass.ts'
import { tidy } from '../glsl/code-text.ts'
import { exclusionTexts, exclusionTextures } from './pair-loop.ts'
import type { PairTexts } from './pair-texts.ts'

/** Texels in one row of the matrix. */
export const quadsOf = (sources: number): number => Math.ceil(sources / 4)

/** The pass that writes `rows` rows of the matrix, starting at target `user_firstTarget`. */
export function matrixLoop(workload: PairWorkload, texts: PairTexts, sources: number, rows: number): PassSource {
  const quads = quadsOf(sources)
  const { dialect } = texts
  const exclusions = exclusionTexts(workload, dialect, '(firstSource > user_first ? firstSource : user_first)')
  const counts = texts.keep === undefined ? '' : `if (${texts.keep}) `
  const code = `
vec4 matrixLoop() {
  int quad = elementAt(int(gl_FragCoord.y), int(gl_FragCoord.x));
  int target = user_firstTarget + quotient(quad, ${quads});
  int firstSource = 4 * remainder(quad, ${quads});
  if (target >= user_lastTarget) return vec4(0.0);
  ${texts.loadNumbers}
  ${texts.loadTarget}
  ${exclusions.start}
  vec4 terms = vec4(0.0);
  for (int lane = 0; lane < 4; lane++) {
    int j = firstSource + lane;
    if (j < user_first || j >= user_last) continue;
    int row = rowOf(j), column = columnOf(j);
    ${texts.loadRow}
    ${texts.fetchSource('column')}
    ${texts.unpackSource}
    ${exclusions.next}
    ${texts.bindLoop}
    ${counts}terms[lane] = ${texts.terms[0]};
  }
  return terms;
}`
  const glsl = tidy(code)
  return {
    name: 'matrixLoop',
    glsl,
    textures: ['sources', ...texts.targetTextures, ...exclusionTextures(workload)],
    integers: ['firstTarget', 'lastTarget', 'first', 'last'],
    numbers: texts.numbers,
    size: flatSize(4 * quads * rows),
  }
}
