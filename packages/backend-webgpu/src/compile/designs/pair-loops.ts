/**
 * The loops of a workload over pairs, as the compiler writes them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { versionFor } from '../../design/versions.ts'
import { nearChoice } from '../../designs/near-choice.ts'
import type { PairLoops } from '../../designs/pair-loops.ts'
import { chooserShader } from '../ranges/choose-blocks.ts'
import { blocksLoop } from './blocks-loop.ts'
import { cellsLoop } from './cells-loop.ts'
import { listsOf } from './lists.ts'
import { nearFacts } from './near.ts'
import { onceLoops } from './once-versions.ts'
import { lawCaseOf, pairProblem, resultRules } from './pair-problem.ts'
import { pairVersions } from './pair-versions.ts'

export function writtenLoops(workload: PairWorkload, shape: Shape): PairLoops {
  const problem = pairProblem(workload, shape)
  const { guard, written } = problem
  const { arrays, part } = listsOf(workload)
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
    pair: (plan) => pairVersions(problem, plan),
    once: onceLoops(workload, shape),
    blocks: (plan, host) => blocksLoop(problem, plan, host),
    cells: (plan, host) => cellsLoop(problem, plan, host),
    near(once) {
      const facts = nearFacts(workload, shape)
      return facts && nearChoice(facts, shape, once, () => chooserShader(facts.space, shape.sameSet))
    },
  }
}
