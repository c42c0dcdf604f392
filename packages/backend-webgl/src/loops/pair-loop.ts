/**
 * The loop over pairs. Each texel folds all sources, row after row of 256, into one page of one target's state. The loop is
 * one native function, so that gpu.js adds nothing to it.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { Fold } from '../folds/fold.ts'
import { lines, tidy } from '../glsl/code-text.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { pagedSize, pagesFor, rowLength } from '../glsl/layout.ts'
import type { PassSource } from '../glsl/pass-source.ts'
import { number, texel } from '../glsl/reads.ts'
import { type PairTexts, pickPage } from './pair-texts.ts'

/** The pass that folds sources `user_first ... user_last - 1` into the state of every target in its range. */
export function pairLoop(
  workload: PairWorkload,
  texts: PairTexts,
  fold: Fold,
  { targets, sources }: Pick<Shape, 'targets' | 'sources'>,
): PassSource {
  const glsl = loop(workload, texts, fold, sources)
  return {
    name: 'pairLoop',
    glsl,
    textures: ['sources', 'previous', ...texts.targetTextures, ...exclusionTextures(workload)],
    integers: ['firstTarget', 'lastTarget', 'first', 'last', 'resume'],
    numbers: texts.numbers,
    size: pagedSize(targets, pagesFor(fold.components)),
  }
}

export function exclusionTextures({ domain }: PairWorkload): readonly string[] {
  return domain.exclusions.length ? ['exclusionOffsets', 'exclusions'] : []
}

/**
 * The loop is unrolled to four pairs per iteration, which is 1.3 times as fast on a software rasteriser: it unrolls nothing
 * itself. Fetching all four sources before using the first makes it another 1.2 times as fast.
 */
function loop(workload: PairWorkload, texts: PairTexts, fold: Fold, sources: number): string {
  const { dialect } = texts
  const exclusions = exclusionTexts(workload, dialect, 'user_first')
  const counts = texts.keep === undefined ? '' : `if (${texts.keep}) `
  const pair = `{
    int j = elementAt(row, column);
    ${texts.unpackSource}
    ${exclusions.next}
    ${texts.bindLoop}
    ${counts}{
      ${fold.add}
    }
  }`
  const code = `
#define before(page) (user_resume == 1 ? ${texel('previous', 'elementAt(page, columnOf(target))', 'rowOf(target)')} : vec4(0.0))
#define PAIR(${['column', ...texts.pages].join(', ')}) ${dialect.macro(pair)}
vec4 pairLoop() {
  int page = rowOf(int(gl_FragCoord.x));
  int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  int until = target >= user_firstTarget && target < user_lastTarget ? user_last : user_first;
  ${texts.loadTarget}
  ${fold.start}
  ${exclusions.start}
  ${dialect.loop({
    first: 'int row = rowOf(user_first)',
    while: 'elementAt(row, 0) < until',
    next: 'row++',
    most: Math.ceil(sources / rowLength),
    body: `{
    int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
    int to = row == rowOf(until) ? columnOf(until) : 256;
    ${texts.loadRow}
    ${fold.openRow}
    ${dialect.loop({
      while: 'column + 4 <= to',
      next: 'column += 4',
      most: rowLength / 4,
      body: turnOf(texts, [0, 1, 2, 3]),
    })}
    ${dialect.loop({ while: 'column < to', next: 'column++', most: 3, body: turnOf(texts, [0]) })}
    ${fold.closeRow}
  }`,
  })}
  ${pickPage(fold.state)}
}`
  return tidy(code)
}

/** Fetches the sources in these columns, counted from `column`, then folds them. */
function turnOf({ pages, fetchSource }: PairTexts, columns: readonly number[]): string {
  const place = (n: number) => (n === 0 ? 'column' : `column + ${n}`)
  return `{
    ${lines(columns.map((n) => fetchSource(place(n), `At${n}`)))}
    ${lines(columns.map((n) => `PAIR(${[place(n), ...pages.map((page) => `${page}At${n}`)].join(', ')})`))}
  }`
}

/** How a loop leaves out the excluded sources of a target, which are ascending. Nothing if the workload excludes no pairs. */
interface ExclusionTexts {
  /** Code before the loop: finds the first excluded source that is not before the first source of the loop. */
  readonly start: string
  /** Code for each source `j`: tests whether it is excluded; if so, moves on to the next excluded source. */
  readonly next: string
}

/** @param first the first source of the loop */
export function exclusionTexts({ domain }: PairWorkload, dialect: Dialect, first: string): ExclusionTexts {
  const most = domain.exclusions.length
  if (most === 0) return { start: '', next: '' }
  const excluded = number('exclusions', 'next')
  return {
    start: lines([
      `int next = int(${number('exclusionOffsets', 'target')});`,
      `int end = int(${number('exclusionOffsets', 'target + 1')});`,
      dialect.loop({ while: `next < end && int(${excluded}) < ${first}`, next: 'next++', most, body: '{}' }),
      `int skip = next < end ? int(${excluded}) : -1;`,
    ]),
    next: `bool excluded = j == skip;
if (excluded) {
  next++;
  skip = next < end ? int(${excluded}) : -1;
}`,
  }
}
