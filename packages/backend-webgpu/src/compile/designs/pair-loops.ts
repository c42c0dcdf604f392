/**
 * The loops of a workload over pairs, as the compiler writes them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { versionFor } from '../../design/versions.ts'
import type { PairLoops } from '../../designs/pair-loops.ts'
import { blocksVariant, cellsVariant, type NearVariant, notFor } from '../../plans/variants.ts'
import { onceLoops } from './once-loops.ts'
import type { NearParts, PairParts } from './pair-parts.ts'
import { lawCaseOf, pairProblem, resultRules } from './pair-problem.ts'
import { pairVersions } from './pair-versions.ts'

/** @param parts every part that the workload and its plans may need */
export function writtenLoops(workload: PairWorkload, shape: Shape, parts: PairParts): PairLoops {
  const problem = pairProblem(workload, shape, parts.foldOf)
  const { guard, written } = problem
  const { arrays = [], part } = parts.listsOf?.(workload) ?? {}
  return {
    get law() {
      return lawCaseOf(problem)
    },
    guard,
    get inputs() {
      return [...versionFor({ versions: written, guard }).texts.resources.map(({ key }) => key), ...arrays]
    },
    get results() {
      return resultRules(versionFor({ versions: written, guard }).fold)
    },
    ...part,
    available: (plan) => plan,
    pair: (plan) => pairVersions(problem, plan, parts),
    once: onceLoops(workload, shape, parts.once),
    blocks: (plan, host) => nearOf(parts, blocksVariant).blocks(problem, plan, host),
    cells: (plan, host) => nearOf(parts, cellsVariant).cells(problem, plan, host),
    near: (once) => parts.near?.choice(workload, shape, once),
  }
}

/** A plan from storage may name a variant whose loops are not loaded, because it is not for the workload. @throws RangeError */
function nearOf({ near }: PairParts, variant: NearVariant): NearParts {
  if (!near) throw notFor(variant)
  return near
}
