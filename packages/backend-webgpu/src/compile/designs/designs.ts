/**
 * Chooses the design of a workload. No device is needed.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import type { PairDesign, ProgramDesign } from '../../design/design.ts'
import type { Designs, FoldDesigns, Planning } from '../../design/designs.ts'
import type { LoopHost } from '../../design/facts.ts'
import { candidatePlans, choosePlan, planData, planOf } from '../plans/plan.ts'
import { blocksVariant, onceVariant } from '../plans/variants.ts'
import { blocksDesign } from './blocks-design.ts'
import { elementDesign } from './element-design.ts'
import { fitting } from './fitting.ts'
import { matrixDesign } from './matrix-design.ts'
import { nearChoice } from './near.ts'
import { pairDesign } from './pair-design.ts'
import { caseOf, pairProblem } from './pair-problem.ts'
import { earlyPlan, oncePays, oncePlanOf, onceProblem, pairsOnceDesign } from './pairs-once-design.ts'
import { treesOf } from './trees.ts'

/** The designs of a workload. @throws RangeError if a plan does not fit the workload or the host */
export function designsOf(workload: Workload, shape: Shape, host: LoopHost, planning?: Planning): Designs {
  const trees = () => treesOf(workload, shape, host)
  if (workload.loop !== 'pair') return { of: (plan) => elementDesign(workload, shape, plan, host.limits), trees }
  if (workload.reduction !== 'none') return { ...foldDesigns(workload, shape, host, planning), trees }
  return { of: (plan) => matrixDesign(workload, shape, plan, host.limits), trees }
}

const asItIs = (host: LoopHost): Planning => ({ host, crowd: (shape) => shape, fitted: (plan) => plan })

function foldDesigns(
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  { host: planned, crowd, fitted }: Planning = asItIs(host),
): Pick<Designs, 'of'> & { readonly folds: FoldDesigns } {
  const problem = pairProblem(workload, shape)
  const pairsOnce = onceProblem(workload, shape)
  const counts = crowd(shape)
  const here = () => caseOf(problem, host)
  let model: PairDesign | undefined
  const plain = () => {
    if (model) return model
    const expected = choosePlan(caseOf(problem, planned, counts))
    const plan = planned === host ? expected : planOf(fitted(planData(expected)), here())
    model = pairDesign(problem, plan, host.limits)
    return model
  }
  const once = oncePays(pairsOnce, counts.targets, planned) ? fitted({ variant: onceVariant }) : undefined
  const of = (plan: Plan | undefined = once): ProgramDesign => {
    if (plan?.variant === onceVariant)
      return pairsOnceDesign(pairsOnce, oncePlanOf(pairsOnce, counts.targets, plan, host), host.limits, plain)
    if (plan?.variant === blocksVariant) return blocksDesign(problem, plan, host, plain)
    return plan ? pairDesign(problem, planOf(plan, here()), host.limits) : plain()
  }
  return {
    of,
    folds: {
      plain,
      simple: () => of({ variant: 'naive' }),
      once,
      early: once && earlyPlan(once, counts.targets),
      tries: ({ variant }) => variant !== onceVariant || once !== undefined,
      near: ({ driver }) =>
        planned.info.kind === 'hardware' ? nearChoice(workload, shape, driver === 'once') : undefined,
      blocks: () => fitting(() => of({ variant: blocksVariant })),
      candidates: (effort) => [...candidatePlans(here(), effort).map(planData), ...(once ? [once] : [])],
    },
  }
}
