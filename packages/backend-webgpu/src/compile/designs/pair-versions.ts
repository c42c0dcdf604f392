/**
 * The shaders of a loop over all pairs for a plan, with a version for each guard.
 *
 * @module
 */
import { Remembered } from '@manybody/core/expression'
import type { PairVersion } from '../../design/design.ts'
import type { Versions } from '../../design/versions.ts'
import { derived } from '../../designs/lazily.ts'
import { describePlan, type PairPlan } from '../../plans/plan.ts'
import { minimumFold } from '../folds/folds.ts'
import { combine } from '../loops/combine.ts'
import { markFold, selection } from '../loops/neighbour-selection.ts'
import { pack, packedBytes } from '../loops/pack.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import { resume } from '../parts/finish.ts'
import { settle, settles } from '../parts/looks.ts'
import type { PairProblem, WrittenPair } from './pair-problem.ts'

const known = new Remembered<PairProblem['written'], Versions<PairVersion>>()

export function pairVersions(problem: PairProblem, plan: PairPlan): Versions<PairVersion> {
  const make = () =>
    derived(problem.written, (one) => ({
      shaders: shadersOf(problem, one, plan),
      run: one.body.run,
      sourceBytes: packedBytes(one.texts),
      words: one.fold.words,
    }))
  return known.of(problem.written, make, JSON.stringify([plan, plan.shape.group > 0 && problem.shape.targets]))
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
