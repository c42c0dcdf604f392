/**
 * The fold of each reduction, as WGSL: how the terms of one target are folded over its sources. Reductions that keep a few
 * numbers share a fold, and so do reductions that pick a source.
 *
 * @module
 */
import { keepsNumbers, numbersFold, type OtherReduction, picksSource, reductions } from '@manybody/core/expression'
import { mostInRegisters } from '../../design/loop-shape.ts'
import { arrayName } from '../../design/shader.ts'
import { appendFold } from './append-fold.ts'
import type { Fold, FoldOf } from './fold.ts'
import { smallestFold } from './list-fold.ts'
import { numbersFoldOf } from './numbers-fold.ts'
import { pickFold } from './pick-fold.ts'
import { rankedFold } from './ranked-fold.ts'
import { sumFoldOf } from './sum-fold.ts'

export const foldOf: FoldOf = (workload, components, { order = 'ascending', owned, passes = false } = {}) => {
  const { reduction, k = 1 } = workload
  if (keepsNumbers(reduction)) return numbersFoldOf(numbersFold(reductions[reduction]))
  if (picksSource(reduction)) return pickFold(reductions[reduction].picks, order)
  const [first = 'value', second = 'distance'] = workload.results
  const listFold = passes && k > mostInRegisters ? rankedFold : smallestFold
  const others: { readonly [R in Exclude<OtherReduction, 'none'>]: () => Fold } = {
    sum: () => sumFoldOf(workload, components),
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
