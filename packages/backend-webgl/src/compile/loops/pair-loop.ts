/**
 * The loop over pairs. Each call folds all sources, row after row of 256, into the state of a target, or of several targets
 * (`targets-at-once.ts`). The loop is one native function, so that gpu.js adds nothing to it.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { counted, loopCounts, sourceRowsMacro, tilesOf } from '../../design/counts.ts'
import { pagesFor, rowLength, type SheetTiles, wholeSheet } from '../../design/layout.ts'
import type { PassSource } from '../../design/pass.ts'
import { number, texel } from '../../design/reads.ts'
import type { Fold } from '../folds/fold.ts'
import { lines, tidy } from '../glsl/code-text.ts'
import type { Dialect } from '../glsl/dialect.ts'
import { type PairTexts, pagesOf, pickPage } from '../parts/pair-texts.ts'
import { targetsAtOnce } from '../parts/targets-at-once.ts'

/** The pass that folds sources `user_first ... user_last - 1` into the state of every target in its range. */
export function pairLoop(
  workload: PairWorkload,
  texts: PairTexts,
  fold: Fold,
  { targets, sources }: Pick<Shape, 'targets' | 'sources'>,
): PassSource {
  const pages = pagesFor(fold.state.components)
  const tiles = tilesOf(texts.dialect, pages, targets)
  const pass = {
    name: 'pairLoop',
    glsl: loop(workload, texts, fold, tiles),
    textures: ['sources', 'previous', ...texts.pointTextures, ...texts.tableTextures, ...exclusionTextures(workload)],
    integers: ['firstTarget', 'lastTarget', 'first', 'last', 'resume'],
    numbers: texts.numbers,
  }
  return counted(pass, loopCounts(pages, tiles, targets, sources))
}

export function exclusionTextures({ domain }: PairWorkload): readonly string[] {
  return domain.exclusions.length ? ['exclusionOffsets', 'exclusions'] : []
}

/**
 * The loop is unrolled to four sources or more per iteration, which is 1.3 times as fast on a software rasteriser: it unrolls
 * nothing itself. Fetching all of them before using the first makes it another 1.2 times as fast.
 */
function loop(workload: PairWorkload, texts: PairTexts, fold: Fold, tiles: SheetTiles): string {
  const { dialect } = texts
  const exclusions = exclusionTexts(workload, dialect, 'user_first')
  const kept = [texts.loadTarget, fold.start, fold.openRow, exclusions.start]
  const { each, scoped, declared } = targetsAtOnce(tiles.down, kept)
  const turn = Math.max(4, Math.floor(dialect.sources / tiles.down))
  const counts = texts.keep === undefined ? '' : `if (${texts.keep}) `
  const pair = `{
    int j = elementAt(row, column);
    ${texts.unpackSource}
    ${scoped(`${exclusions.next}
    ${texts.bindLoop}
    ${counts}{
      ${fold.add}
    }`)}
  }`
  const [page, result] =
    tiles === wholeSheet
      ? ['int page = rowOf(int(gl_FragCoord.x));', pickPage(fold.numbers)]
      : ['', returnTiles(pagesOf(fold.numbers).flatMap(each))]
  const before = `#define before(page) (user_resume == 1 ? ${texel('previous', 'elementAt(page, columnOf(target))', 'rowOf(target)')} : vec4(0.0))`
  const inRange = each('target >= user_firstTarget && target < user_lastTarget').join(' || ')
  const code = `
${lines(each(before))}
#define PAIR(${['column', ...texts.pages].join(', ')}) ${dialect.macro(pair)}
vec4 pairLoop() {
  ${page}
  int target = elementAt(int(gl_FragCoord.y), columnOf(int(gl_FragCoord.x)));
  ${declared}
  int until = ${inRange} ? user_last : user_first;
  ${texts.loadNumbers}
  ${lines(each(texts.loadTarget))}
  ${lines(each(fold.start))}
  ${lines(each(exclusions.start))}
  ${dialect.loop({
    first: 'int row = rowOf(user_first)',
    while: 'elementAt(row, 0) < until',
    next: 'row++',
    most: sourceRowsMacro,
    body: `{
    int column = row == rowOf(user_first) ? columnOf(user_first) : 0;
    int to = row == rowOf(until) ? columnOf(until) : 256;
    ${texts.loadRow}
    ${lines(each(fold.openRow))}
    ${dialect.loop({
      while: `column + ${turn} <= to`,
      next: `column += ${turn}`,
      most: rowLength / turn,
      body: turnOf(texts, turn),
    })}
    ${dialect.loop({ while: 'column < to', next: 'column++', most: turn - 1, body: turnOf(texts, 1) })}
    ${scoped(fold.closeRow)}
  }`,
  })}
  ${result}
}`
  return tidy(code)
}

/** Returns the first texel, and leaves the others for the tiles after the first. */
function returnTiles([first, ...further]: readonly string[]): string {
  return lines([...further.map((texel, n) => `tile${n + 1} = ${texel};`), `return ${first};`])
}

/** Fetches this many sources from `column` on, then folds them. */
function turnOf({ pages, fetchSource }: PairTexts, sources: number): string {
  const columns = Array.from({ length: sources }, (_, n) => n)
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
