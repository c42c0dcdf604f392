/**
 * The loops of a workload over pairs, as the compiler writes them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { versionFor } from '../../design/versions.ts'
import type { PairLoops } from '../../designs/pair-loops.ts'
import { onceLoops } from './once-loops.ts'
import { lacking, type NearParts, type PairParts } from './pair-parts.ts'
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
    pair: (plan) => pairVersions(problem, plan, parts.groups),
    once: onceLoops(workload, shape, parts.once),
    blocks: (plan, host) => nearOf(parts).blocks(problem, plan, host),
    cells: (plan, host) => nearOf(parts).cells(problem, plan, host),
    near: (once) => parts.near?.choice(workload, shape, once),
  }
}

function nearOf({ near }: PairParts): NearParts {
  if (!near) throw lacking('over near points')
  return near
}
