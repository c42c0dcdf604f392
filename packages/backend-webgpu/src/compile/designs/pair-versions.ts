/**
 * The shaders of a loop over all pairs for a plan, with a version for each guard.
 *
 * @module
 */

import type { PairWorkload } from '@manybody/core'
import { namedTape, Remembered } from '@manybody/core/expression'
import type { PairVersion } from '../../design/design.ts'
import type { Versions } from '../../design/versions.ts'
import { derived } from '../../designs/lazily.ts'
import { describePlan, type PairPlan } from '../../plans/plan.ts'
import { combine } from '../loops/combine.ts'
import { pack, packedBytes } from '../loops/pack.ts'
import { pairFields, pairLoop } from '../loops/pair-loop.ts'
import { settle, settles } from '../parts/looks.ts'
import { lacking, type PairParts, type WriteShaders } from './pair-parts.ts'
import type { PairProblem } from './pair-problem.ts'

const known = new Remembered<PairProblem['written'], Versions<PairVersion>>()

/** @param parts writes the shaders of some plans; absent ones are not loaded */
export function pairVersions(
  problem: PairProblem,
  plan: PairPlan,
  { groups, components }: Pick<PairParts, 'groups' | 'components'>,
): Versions<PairVersion> {
  const { group, staging } = plan.shape
  const byComponents = staging === 'components' || staging === 'numbers'
  const write = group > 0 ? groups : byComponents ? components : shadersOf
  if (!write) throw lacking(plan.variant)
  const make = () =>
    derived(problem.written, (one) => ({
      shaders: write(problem, one, plan, labelOf(problem.workload, plan)),
      run: namedTape(one.body.run),
      sourceBytes: packedBytes(one.texts),
      words: one.fold.words,
    }))
  // Selections from groups are written for a number of targets.
  return group > 0 ? make() : known.of(problem.written, make, JSON.stringify(plan))
}

const labelOf = ({ law, reduction, quantity }: PairWorkload, plan: PairPlan) =>
  `${law.name}, ${reduction} of ${quantity}, ${describePlan(plan)}`

const shadersOf: WriteShaders = ({ exclusions }, { fold, texts, look, run }, plan, label) => {
  const fields = [...pairFields, ...run]
  const left =
    look && settles(plan.shape, look) === 'combine' ? settle(texts, look, 0, plan.shape, 'run.sourceLast') : undefined
  return {
    ...(plan.shape.packed && { pack: pack(`${label}: sources packed`, texts, fields) }),
    loop: pairLoop(label, texts, fold, plan.shape, run, exclusions, look),
    ...(plan.shape.split &&
      !fold.appends && { combine: combine(`${label}: second reduction`, texts, fold, fields, left) }),
  }
}
