/**
 * The fold of each reduction, as WGSL: how the terms of one target are folded over its sources.
 *
 * @module
 */
import type { PairWorkload, Reduction } from '@manybody/core'
import { isJoined, type Join, type JoinedReduction, joinOf } from '@manybody/core/backend'
import { nanOf } from '../quirks/nan-exponential.ts'
import { literal, wgslText } from '../wgsl/operators.ts'
import { arrayName } from '../wgsl/shader.ts'
import { appendFold } from './append-fold.ts'
import { bits, type Fold, float, guarded, infinityBits, largest, range, type SourceOrder } from './fold.ts'
import { indexFold } from './index-fold.ts'
import { smallestFold } from './list-fold.ts'

/** The fold of a workload whose terms have `components` components. */
export function foldOf(workload: PairWorkload, components: number, order: SourceOrder = 'ascending'): Fold {
  const [first = 'value', second = 'distance'] = workload.results
  const make: { readonly [R in Exclude<Reduction, JoinedReduction | 'none'>]: () => Fold } = {
    sum: () => sumFold(first, components),
    count: () => countFold(first),
    argmin: () => indexFold(first, 'value', 'min', order),
    argmax: () => indexFold(first, 'value', 'max', order),
    logsumexp: () => logSumExpFold(first),
    list: () => appendFold(second),
    smallest: () => smallestFold(first, second, workload.k ?? 1),
  }
  const { reduction } = workload
  if (reduction === 'none') throw new Error('a matrix keeps all terms and folds none')
  return isJoined(reduction) ? joinedFold(first, joinOf(reduction)) : make[reduction]()
}

/** The fold of a minimum without a result, for groups of sources. */
export const minimumFold = (): Fold => joinedFold('', joinOf('min'))

function sumFold(name: string, width: number): Fold {
  const sum = (r: number) => (c: number) => `sum${c}_${r}`
  const out = arrayName(`result.${name}`)
  const finishWord = (word: string, at: string, value: string, scale: string | undefined) => {
    const place = `${out}[${width}u * ${at} + ${word}]`
    return `${place} = select(0.0, ${place}, run.carry == 1u) + ${scale ? `${value} * ${scale}` : value};`
  }
  return {
    results: [{ name, type: 'f32', hostType: 'f32', width }],
    words: width,
    indexed: false,
    revisits: false,
    sums: (r) => range(width).map(sum(r)),
    declare: (r) =>
      range(width)
        .map((c) => `var ${sum(r)(c)} = 0.0;`)
        .join(' '),
    pair: (r, { terms, along, keep }) => {
      const masked = (term: string) => (keep ? `select(0.0, ${term}, ${keep})` : term)
      if (!along) return terms.map((term, c) => `${sum(r)(c)} += ${masked(term)};`).join('\n')
      const adds = along.map((d, c) => `${sum(r)(c)} += w * ${d};`)
      return [`let w = ${masked(terms[0] as string)};`, ...adds].join('\n')
    },
    save: (r, write) =>
      range(width)
        .map((c) => write(`${c}u`, bits(sum(r)(c))))
        .join('\n'),
    merge: (r, read) =>
      range(width)
        .map((c) => `${sum(r)(c)} += ${float(read(`${c}u`))};`)
        .join('\n'),
    resume: () => '',
    finish: (r, at, scale) =>
      range(width)
        .map((c) => finishWord(`${c}u`, at, sum(r)(c), scale))
        .join('\n'),
    finishWord,
  }
}

function countFold(name: string): Fold {
  const out = arrayName(`result.${name}`)
  return {
    results: [{ name, type: 'u32', hostType: 'u32', width: 1 }],
    words: 1,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var count_${r} = 0u;`,
    pair: (r, { keep }) => (keep ? `count_${r} += select(0u, 1u, ${keep});` : `count_${r} += 1u;`),
    save: (r, write) => write('0u', `count_${r}`),
    merge: (r, read) => `count_${r} += ${read('0u')};`,
    resume: () => '',
    finish: (r, at) => `${out}[${at}] = select(0u, ${out}[${at}], run.carry == 1u) + count_${r};`,
  }
}

/** A value that each term joins by an expression. An infinite value is the largest number while it is in a shader. */
function joinedFold(name: string, { empty, next }: Join): Fold {
  const out = arrayName(`result.${name}`)
  const sign = empty < 0 ? '-' : ''
  const infinite = Math.abs(empty) === Number.POSITIVE_INFINITY
  const start = `${sign}${infinite ? largest : literal(Math.abs(empty))}`
  const nothing = empty < 0 ? '0xff800000u' : infinityBits
  const nextOf = (r: number) => wgslText(next, (symbol) => (symbol === 'value' ? `joined_${r}` : symbol))
  const take = (r: number, term: string) => `{ let term = ${term}; joined_${r} = ${nextOf(r)}; }`
  return {
    // Results are written as bits, because WGSL may assume that no float is infinite, and those of empty folds are.
    results: [{ name, type: 'u32', hostType: 'f32', width: 1 }],
    words: 1,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var joined_${r} = ${start};`,
    farthest: (r) => `joined_${r}`,
    pair: (r, { terms, keep }) => guarded(keep, take(r, terms[0] as string)),
    save: (r, write) => write('0u', bits(`joined_${r}`)),
    merge: (r, read) => take(r, float(read('0u'))),
    resume: (r, at) => {
      const earlier = take(r, float(`${out}[${at}]`))
      return infinite ? `if (${out}[${at}] != ${nothing}) ${earlier}` : earlier
    },
    finish: (r, at) => {
      const value = bits(`joined_${r}`)
      return `${out}[${at}] = ${infinite ? `select(${value}, ${nothing}, joined_${r} == ${start})` : value};`
    },
  }
}

/**
 * `log(sum(exp(v)))`, kept as the greatest term so far, `top`, and the sum of `exp(v - top)`, so that nothing overflows. A
 * NaN makes the result NaN.
 */
function logSumExpFold(name: string): Fold {
  const out = arrayName(`result.${name}`)
  const add = (r: number, top: string, total: string) =>
    `let other = ${top}; let nearer = exp(-abs(other - top_${r})); let fall = ${nanOf('other', 'nearer')}; total_${r} = select(total_${r} + ${total} * fall, total_${r} * fall + ${total}, other > top_${r}); top_${r} = select(top_${r}, other, other > top_${r});`
  return {
    results: [{ name, type: 'u32', hostType: 'f32', width: 1 }],
    words: 2,
    indexed: false,
    revisits: false,
    sums: () => [],
    declare: (r) => `var top_${r} = -${largest}; var total_${r} = 0.0;`,
    pair: (r, { terms, keep }) => guarded(keep, add(r, terms[0] as string, '1.0')),
    save: (r, write) => [write('0u', bits(`top_${r}`)), write('1u', bits(`total_${r}`))].join('\n'),
    merge: (r, read) => `{ ${add(r, float(read('0u')), float(read('1u')))} }`,
    resume: (r, at) => `if (${out}[${at}] != 0xff800000u) { ${add(r, float(`${out}[${at}]`), '1.0')} }`,
    finish: (r, at) =>
      `${out}[${at}] = select(${bits(`top_${r} + logarithm(total_${r})`)}, 0xff800000u, total_${r} == 0.0);`,
  }
}
