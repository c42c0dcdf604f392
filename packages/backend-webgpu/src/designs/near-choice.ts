/**
 * The choice between near points, by blocks or by cells, and all pairs, by the numbers of points.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import { reachesVary } from '@manybody/core/backend'
import { nearShareOf } from '@manybody/core/near'
import { type CellRule, suitsCells } from '../design/cell-layout.ts'
import type { CellsChoice, NearChoice } from '../design/near.ts'
import type { Shader } from '../design/shader.ts'
import type { BoxSpace } from '../design/space.ts'
import { carriedNumbers, manyListed } from '../design/verlet-layout.ts'
import { choosesInSequences, mostShare, type PairLoop } from '../plans/blocks-model.ts'

/** The facts that decide the choice, besides the numbers of points. */
export interface NearFacts {
  /** The kind of loop over all pairs: one that meets each pair once, and another. */
  readonly loops: Readonly<Record<'once' | 'other', PairLoop>>
  /** Number of sources that targets keep; undefined if they keep all within a cutoff. */
  readonly kept?: number | undefined
  /** Whether a target meets few of many equal points. */
  readonly fewEqual: boolean
  readonly space: BoxSpace
  /** The facts of cells, if the workload may visit cells. */
  readonly cells?: { readonly loops: NearFacts['loops']; readonly rule: CellRule } | undefined
}

/**
 * From this many targets on, rounds by cells do not look for a better loop. It would be all pairs if nearly all points were
 * within the cutoff of each other, and then be about three times faster.
 */
const manyByCells = 2 ** 15

type Counts = Pick<Shape, 'targets' | 'sources' | 'sameSet'>

/**
 * When blocks, and cells, are faster than a loop over all pairs; undefined if they never are.
 *
 * @param once whether that loop meets each pair once
 */
export function nearChoice(
  facts: NearFacts,
  counts: Counts,
  once: boolean,
  chooser: () => Shader,
): NearChoice | undefined {
  const blocks = choiceBy(facts, counts, once, chooser)
  const { cells } = facts
  const byCells = cells && choiceBy({ ...facts, loops: cells.loops }, counts, once, chooser)
  if (!cells || !byCells) return blocks
  // Cells are as large as the longest reach.
  const suit: CellsChoice['suit'] = (parameters) =>
    !reachesVary(parameters) && suitsCells(cells.rule, parameters, counts.sources)
  return {
    ...(blocks ?? { mostShare: 0, shareOf: nearShareOf, kept: undefined, fewEqual: false }),
    cells: { ...byCells, suit, alone: counts.targets >= manyByCells, carries: carriesLists(facts, counts) },
  }
}

/** How many numbers rounds carry for Verlet lists; undefined if these are not faster. */
const carriesLists = ({ space }: NearFacts, { targets, sameSet }: Counts): number | undefined =>
  sameSet && targets >= manyListed ? carriedNumbers(targets, space.dimension) : undefined

function choiceBy(
  { loops, kept, fewEqual, space }: NearFacts,
  { targets, sources }: Counts,
  once: boolean,
  chooser: () => Shader,
): NearChoice | undefined {
  const all = { targets, sources, loop: loops[once ? 'once' : 'other'] }
  const most = mostShare(all)
  if (most <= 0) return undefined
  const choice = { mostShare: most, shareOf: nearShareOf, kept, fewEqual }
  if (!choosesInSequences(all)) return choice
  return {
    ...choice,
    get chooser() {
      return { shader: chooser(), space }
    },
  }
}
