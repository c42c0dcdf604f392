/**
 * The loop over pairs: one texel for each target and page of its state, rows of 256 sources one after the other. The
 * whole of it is one native function, so that gpu.js adds nothing to the inner loop.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { asMacro, lines, tidy } from './code-text.ts'
import type { Fold } from './folds.ts'
import { pagedSize, pagesFor } from './layout.ts'
import { preludeFor } from './operators.ts'
import { type PairTexts, pickPage } from './pair-texts.ts'
import type { PassSource } from './pass.ts'
import { flatNumber } from './sheets.ts'

/** The pass that folds sources `user_first ... user_last - 1` into the state of every target in its range. */
export function pairLoop(workload: PairWorkload, texts: PairTexts, fold: Fold, targets: number): PassSource {
  const glsl = loop(workload, texts, fold)
  return {
    name: 'pairLoop',
    glsl,
    prelude: `${flatNumber}\n${preludeFor(glsl)}`,
    textures: ['sources', 'previous', ...texts.targetTextures, ...exclusionTextures(workload)],
    integers: ['firstTarget', 'lastTarget', 'first', 'last', 'resume'],
    numbers: texts.numbers,
    size: pagedSize(targets, pagesFor(fold.components)),
  }
}

export function exclusionTextures({ domain }: PairWorkload): readonly string[] {
  return domain.exclusions.length ? ['exclusionOffsets', 'exclusions'] : []
}

/** Four pairs a turn are 1.3 times faster on a software rasteriser, which unrolls nothing: so the text is repeated. */
function loop(workload: PairWorkload, texts: PairTexts, fold: Fold): string {
  const excluding = workload.domain.exclusions.length > 0
  const pair = `{
    int j = row << 8 | (column);
    ${texts.loadSource}
    ${excluding ? lines(nextExclusion) : ''}
    ${texts.bindLoop}
    ${texts.keep ? `if (${texts.keep}) {` : '{'}
      ${fold.add}
    }
  }`
  const code = `
#define before(page) (user_resume == 1 ? texelFetch(user_previous, ivec2((page) << 8 | (target & 255), target >> 8), 0) : vec4(0.0))
#define PAIR(column) ${asMacro(pair)}
vec4 pairLoop() {
  int page = int(gl_FragCoord.x) >> 8;
  int target = (int(gl_FragCoord.y) << 8) | (int(gl_FragCoord.x) & 255);
  if (target < user_firstTarget || target >= user_lastTarget) return vec4(0.0);
  ${texts.loadTarget}
  ${fold.start}
  ${excluding ? lines(startExclusions('user_first')) : ''}
  for (int row = user_first >> 8; row << 8 < user_last; row++) {
    int column = max(user_first - (row << 8), 0);
    int to = min(user_last - (row << 8), 256);
    ${fold.openRow}
    for (; column + 4 <= to; column += 4) { PAIR(column) PAIR(column + 1) PAIR(column + 2) PAIR(column + 3) }
    for (; column < to; column++) PAIR(column)
    ${fold.closeRow}
  }
  ${pickPage(fold.state)}
}`
  return tidy(code)
}

/** Goes to the first excluded source that is not before `first`; exclusions of a target are ascending. */
export function startExclusions(first: string): readonly string[] {
  return [
    'int next = int(flatNumber(user_exclusionOffsets, target));',
    'int end = int(flatNumber(user_exclusionOffsets, target + 1));',
    `while (next < end && int(flatNumber(user_exclusions, next)) < ${first}) next++;`,
    'int skip = next < end ? int(flatNumber(user_exclusions, next)) : -1;',
  ]
}

/** Whether `j` is excluded; then on to the next one. */
export const nextExclusion: readonly string[] = [
  'bool excluded = j == skip;',
  'if (excluded) {',
  '  next++;',
  '  skip = next < end ? int(flatNumber(user_exclusions, next)) : -1;',
  '}',
]
