/**
 * The fold of each reduction, as WGSL: how the terms of one target are folded over its sources. Reductions that keep a few
 * numbers share a fold, and so do reductions that pick a source.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { keepsNumbers, numbersFold, type OtherReduction, picksSource, reductions } from '@manybody/core/expression'
import { mostInRegisters } from '../../design/loop-shape.ts'
import { arrayName } from '../../design/shader.ts'
import { appendFold } from './append-fold.ts'
import { bits, type Fold, float, guarded, range, type SourceOrder } from './fold.ts'
import { smallestFold } from './list-fold.ts'
import { numbersFoldOf } from './numbers-fold.ts'
import { pickFold } from './pick-fold.ts'
import { rankedFold } from './ranked-fold.ts'

/**
 * A sum of at most this many components has a `select` for each, a longer one a branch. SwiftShader compiles 24 selects, 6 for
 * each of 4 targets, for over 40 seconds.
 */
const mostChoices = 4

/** Where a fold is used. */
export interface FoldPlace {
  /** By default ascending. */
  readonly order?: SourceOrder
  /** Number of targets of a workgroup, if it alone meets all their sources; undefined if others do, too. */
  readonly owned?: number
  /** Whether an invocation alone meets all sources of its targets, as often as the fold asks. */
  readonly passes?: boolean
}

/** The fold of a workload, for terms with this number of components. */
export function foldOf(
  workload: PairWorkload,
  components: number,
  { order = 'ascending', owned, passes = false }: FoldPlace = {},
): Fold {
  const { reduction, k = 1 } = workload
  if (keepsNumbers(reduction)) return numbersFoldOf(numbersFold(reductions[reduction]))
  if (picksSource(reduction)) return pickFold(reductions[reduction].picks, order)
  const [first = 'value', second = 'distance'] = workload.results
  const listFold = passes && k > mostInRegisters ? rankedFold : smallestFold
  const others: { readonly [R in Exclude<OtherReduction, 'none'>]: () => Fold } = {
    sum: () => sumFold(first, components),
    count: () => countFold(first),
    list: () => appendFold(second, owned),
    smallest: () => listFold(first, second, k, (term) => `sqrt(${term})`),
    least: () => listFold(first, second, k, (term) => term),
  }
  if (reduction === 'none') throw new Error('a matrix keeps all terms and folds none')
  return others[reduction]()
}

/** The fold of a minimum, for groups of sources. */
export const minimumFold = (): Fold => numbersFoldOf(numbersFold(reductions.min))

function sumFold(name: string, width: number): Fold {
  const sum = (r: number) => (c: number) => `sum${c}_${r}`
  const out = arrayName(`result.${name}`)
  const finishWord = (word: string, at: string, value: string, scale: string | undefined) => {
    const place = `${out}[${width}u * ${at} + ${word}]`
    const scaled = scale ? `${value} * ${scale}` : value
    return `${place} = select(0.0, ${place}, run.carry == 1u) + ${scaled};`
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
      if (terms.length > mostChoices)
        return guarded(keep, terms.map((term, c) => `${sum(r)(c)} += ${term};`).join('\n'))
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
