/**
 * The fold of each reduction, as `fold.ts` defines it. Reductions that keep a few numbers share a fold, and so do reductions
 * that pick a source.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { keepsNumbers, numbersFold, type OtherReduction, picksSource, reductions } from '@manybody/core/expression'
import { largest } from '../../design/infinity.ts'
import { lane } from '../../design/layout.ts'
import { lines } from '../glsl/code-text.ts'
import type { Fold, TermTexts } from './fold.ts'
import { numbersFoldOf } from './numbers-fold.ts'

const others: {
  readonly [R in Exclude<OtherReduction, 'none' | 'list'>]: (texts: TermTexts, workload: PairWorkload) => Fold
} = {
  sum: (texts, { results }) => sumFold(results[0] ?? 'value', texts),
  count: () => countFold,
  smallest: (texts, { k = 1 }) => smallestFold(k, 'distance', texts),
  least: (texts, { k = 1 }) => smallestFold(k, 'value', texts),
}

/**
 * The fold of a workload. A matrix keeps all terms, so it has no fold but its own loop (`matrix-loop.ts`); lists are refused by
 * `support.ts`.
 */
export function foldOf(workload: PairWorkload, texts: TermTexts): Fold {
  const { reduction } = workload
  if (keepsNumbers(reduction)) return numbersFoldOf(numbersFold(reductions[reduction]), texts)
  if (picksSource(reduction)) return pickFold(reductions[reduction].picks, texts)
  if (reduction === 'none') throw new Error('a matrix keeps all terms and folds none')
  if (reduction === 'list') throw new Error('a fragment shader cannot write lists')
  return others[reduction](texts, workload)
}

/** Block sums: the 256 terms of a row are summed first, then added to the sum of the rows before. */
function sumFold(name: string, { terms, scale: factorOut }: TermTexts): Fold {
  const names = terms.map((_, c) => c)
  const each = (code: (c: number) => string) => lines(names.map(code))
  const scale = factorOut ? `${factorOut} * ` : ''
  const factor = /^[\w.]+ \* $/.test(scale) || scale === '' ? scale : `(${scale.slice(0, -3)}) * `
  return {
    state: { kind: 'sum', name, components: terms.length },
    start: each((c) => `float total${c} = 0.0;`),
    openRow: each((c) => `float part${c} = 0.0;`),
    add: each((c) => `part${c} += ${terms[c]};`),
    closeRow: each((c) => `total${c} += part${c};`),
    numbers: names.map((c) => `before(${c >> 2}).${lane(c)} + ${factor}total${c}`),
    resident: { [name]: [0, terms.length] },
  }
}

const countFold: Fold = {
  state: { kind: 'count', components: 1 },
  start: 'float total = before(0).x;',
  openRow: '',
  add: 'total += 1.0;',
  closeRow: '',
  numbers: ['total'],
  resident: {},
}

/** The least or greatest term, and the first source that has it: -1 before the first term. */
function pickFold(picks: 'least' | 'greatest', { terms: [term] }: TermTexts): Fold {
  const [better, worst] = picks === 'least' ? ['<', largest] : ['>', `-${largest}`]
  return {
    state: { kind: 'pick', empty: Number(worst), components: 2 },
    start: `vec2 best = user_resume == 1 ? before(0).xy : vec2(${worst}, -1.0);`,
    openRow: '',
    add: lines([`float term = ${term};`, `if (term ${better} best.x) best = vec2(term, float(j));`]),
    closeRow: '',
    numbers: ['best.x', 'best.y'],
    resident: {},
  }
}

/** The k least terms in ascending order, then their sources. Equal terms keep the order of their sources. */
function smallestFold(k: number, result: 'distance' | 'value', { terms: [term] }: TermTexts): Fold {
  const indices = Array.from({ length: k }, (_, q) => q)
  const was = (c: number) => `before(${c >> 2}).${lane(c)}`
  return {
    state: { kind: 'smallest', k, result, components: 2 * k },
    start: lines([
      `float least[${k}];`,
      `float at[${k}];`,
      ...indices.map((q) => `least[${q}] = user_resume == 1 ? ${was(q)} : ${largest};`),
      ...indices.map((q) => `at[${q}] = user_resume == 1 ? ${was(k + q)} : -1.0;`),
    ]),
    openRow: '',
    add: lines([
      `vec2 next = vec2(${term}, float(j));`,
      `if (next.x < least[${k - 1}]) {`,
      '  bool moving = false;',
      `  for (int q = 0; q < ${k}; q++) {`,
      '    moving = moving || next.x < least[q];',
      '    vec2 kept = vec2(least[q], at[q]);',
      '    if (moving) { least[q] = next.x; at[q] = next.y; next = kept; }',
      '  }',
      '}',
    ]),
    closeRow: '',
    numbers: [...indices.map((q) => `least[${q}]`), ...indices.map((q) => `at[${q}]`)],
    resident: {},
  }
}
