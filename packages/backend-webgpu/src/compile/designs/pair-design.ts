/**
 * The design of a pair workload that folds its terms: its shaders for a plan, and the sizes of its steps.
 *
 * @module
 */
import { accumulationIn } from '@manybody/core/expression'
import type { PairDesign, PairVersion } from '../../design/design.ts'
import type { LoopLimits } from '../../design/facts.ts'
import { versionFor } from '../../design/versions.ts'
import { minimumFold } from '../folds/folds.ts'
import { combine, targetsPerCombine } from '../loops/combine.ts'
import { markFold, selection, targetsPerSelection } from '../loops/neighbour-selection.ts'
import { pack, packedBytes } from '../loops/pack.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import { blockLength } from '../loops/storage-loop.ts'
import { resume } from '../parts/finish.ts'
import { settle, settles } from '../parts/looks.ts'
import { targetsPerGroup } from '../parts/loop-shape.ts'
import { describePlan, type PairPlan } from '../plans/plan.ts'
import { accumulationOf } from './accumulation.ts'
import { derived } from './lazily.ts'
import { listsOf } from './lists.ts'
import { type PairProblem, resultRules, type WrittenPair } from './pair-problem.ts'

/** The most bytes that the minima of groups may take. */
const minimaBytes = 2 ** 29

export function pairDesign(problem: PairProblem, plan: PairPlan, limits: LoopLimits): PairDesign {
  const { workload, shape, guard, written } = problem
  const { fold, texts } = versionFor({ versions: written, guard })
  const lists = listsOf(workload)
  const { group, gridStride, workgroup } = plan.shape
  return {
    driver: 'pair',
    variant: describePlan(plan),
    accumulation: accumulationIn(workload, accumulationOf(chainOf(plan, shape.sources), shape.sources)),
    inputs: [...texts.resources.map((r) => r.key), ...lists.arrays],
    results: resultRules(fold),
    guard,
    versions: derived(written, (one) => ({
      shaders: shadersOf(problem, one, plan),
      run: one.body.run,
      sourceBytes: packedBytes(one.texts),
      words: one.fold.words,
    })),
    ...lists.part,
    ...{ tile: workgroup, parts: plan.parts, gridStride, group },
    targetsPerGroup: targetsPerGroup(plan.shape),
    minimaBytes: Math.min(minimaBytes, limits.maxStorageBufferBindingSize),
    targetsPerCombine: group > 0 ? targetsPerSelection : targetsPerCombine,
  }
}

function shadersOf(
  { workload, shape, exclusions }: PairProblem,
  { body, fold, texts, look, run, unskipped }: WrittenPair,
  plan: PairPlan,
): PairVersion['shaders'] {
  const fields = [...pairFields, ...run]
  const label = `${workload.law.name}, ${workload.reduction} of ${workload.quantity}, ${describePlan(plan)}`
  if (plan.shape.group > 0) {
    const { k = 1 } = workload
    // The loop includes the pair of a target with itself, which saves a test per pair. The selection skips it.
    const minima = minimumFold()
    const mark = unskipped(markFold(k), false)
    const { skipSelf } = body
    const of = {
      k,
      targets: shape.targets,
      group: plan.shape.group,
      skipSelf,
      exclusions,
      resume: resume(texts, fold, [0], exclusions, 'run.carry == 1u && group.y == 0u', () => 'at_0'),
    }
    return {
      pack: pack(`${label}: sources packed`, texts, fields),
      loop: pairLoop(label, unskipped(minima, exclusions), minima, plan.shape, run, exclusions),
      combine: selection(`${label}: selection`, { pair: texts, mark }, fold, of, fields),
    }
  }
  const left =
    look && settles(plan.shape, look) === 'combine' ? settle(texts, look, 0, plan.shape, 'run.sourceLast') : undefined
  return {
    ...(plan.shape.packed && { pack: pack(`${label}: sources packed`, texts, fields) }),
    loop: pairLoop(label, texts, fold, plan.shape, run, exclusions, look),
    ...(plan.shape.split &&
      !fold.appends && { combine: combine(`${label}: second reduction`, texts, fold, fields, left) }),
  }
}

/** How many terms are added one after the other: those of a tile, of a part, or of a slice of either. */
function chainOf({ shape: { blocks, slices, staging, workgroup }, parts }: PairPlan, sources: number): number {
  const block = staging === 'storage' ? blockLength : workgroup
  return Math.max(1, Math.ceil((blocks ? block : sources / parts) / slices))
}
