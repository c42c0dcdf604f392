/**
 * The loop that keeps every term. Each texel holds the terms of four sources for one target; the rows of the matrix follow
 * one another in a flat sheet. Pairs that do not count stay 0.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { counted, type PassCounts, quadsMacro } from '../../design/counts.ts'
import type { PassSource } from '../../design/pass.ts'
import { tidy } from '../glsl/code-text.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { exclusionTexts, exclusionTextures } from './pair-loop.ts'

/** The pass that writes some rows of the matrix, starting at target `user_firstTarget`. */
export function matrixLoop(workload: PairWorkload, texts: PairTexts, counts: PassCounts): PassSource {
  const { dialect } = texts
  const exclusions = exclusionTexts(workload, dialect, '(firstSource > user_first ? firstSource : user_first)')
  const when = texts.keep === undefined ? '' : `if (${texts.keep}) `
  const code = `
vec4 matrixLoop() {
  int quad = elementAt(int(gl_FragCoord.y), int(gl_FragCoord.x));
  int target = user_firstTarget + quotient(quad, ${quadsMacro});
  int firstSource = 4 * remainder(quad, ${quadsMacro});
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
    ${when}terms[lane] = ${texts.terms[0]};
  }
  return terms;
}`
  const glsl = tidy(code)
  const pass = {
    name: 'matrixLoop',
    glsl,
    textures: ['sources', ...texts.pointTextures, ...texts.tableTextures, ...exclusionTextures(workload)],
    integers: ['firstTarget', 'lastTarget', 'first', 'last'],
    numbers: texts.numbers,
  }
  return counted(pass, counts)
}
