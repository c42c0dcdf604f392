/**
 * The designs to choose from for a workload that folds its pairs. They need neither a device nor a formula: the loops come from
 * the compiler or from a file.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import type { PairDesign, ProgramDesign } from '../design/design.ts'
import type { FoldDesigns, LoopDesigns, Planning } from '../design/designs.ts'
import type { LoopHost } from '../design/facts.ts'
import { earlyPlan, oncePays, oncePlanOf } from '../plans/once-plan.ts'
import { caseOf } from '../plans/pair-case.ts'
import { candidatePlans, choosePlan, planData, planOf } from '../plans/plan.ts'
import { blocksVariant, cellsVariant, onceVariant } from '../plans/variants.ts'
import { fitting } from './fitting.ts'
import { onceDesign } from './once-design.ts'
import { pairDesign } from './pair-design.ts'
import type { PairLoops } from './pair-loops.ts'

const asItIs = (host: LoopHost): Planning => ({ host, crowd: (shape) => shape, fitted: (plan) => plan })

export function foldDesigns(
  loops: PairLoops,
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  { host: planned, crowd, fitted }: Planning = asItIs(host),
): LoopDesigns & { readonly folds: FoldDesigns } {
  const counts = crowd(shape)
  const here = () => caseOf(loops.law, host, shape)
  const pairs = (plan: Plan) => pairDesign(loops, workload, shape, planOf(plan, here()), host.limits)
  let model: PairDesign | undefined
  const plain = () => {
    if (model) return model
    const expected = choosePlan(caseOf(loops.law, planned, counts))
    const fit = planned === host ? expected : planOf(fitted(planData(expected)), here())
    model = pairDesign(loops, workload, shape, loops.available(fit, here()), host.limits)
    return model
  }
  const { facts } = loops.once
  const once = oncePays(facts, counts.targets, planned) ? fitted({ variant: onceVariant }) : undefined
  const of = (plan: Plan | undefined = once): ProgramDesign => {
    if (plan?.variant === onceVariant)
      return onceDesign(loops, workload, shape, oncePlanOf(facts, counts.targets, plan, host), host.limits, plain)
    if (plan?.variant === blocksVariant) {
      const loop = loops.blocks(plan, host)
      return loop.design(loops, loop, workload, shape, host, plain)
    }
    if (plan?.variant === cellsVariant) {
      const loop = loops.cells(plan, host)
      return loop.design(loops, loop, workload, shape, host, plain)
    }
    return plan ? pairs(plan) : plain()
  }
  return {
    of,
    folds: {
      plain,
      simple: () => of({ variant: 'naive' }),
      once,
      early: once && earlyPlan(once, counts.targets),
      tries: ({ variant }) => variant !== onceVariant || once !== undefined,
      near: ({ driver }) => (planned.info.kind === 'hardware' ? loops.near(driver === 'once') : undefined),
      blocks: () => fitting(() => of({ variant: blocksVariant })),
      cells: () => fitting(() => of({ variant: cellsVariant })),
      candidates: (effort) => [...candidatePlans(here(), effort).map(planData), ...(once ? [once] : [])],
    },
  }
}
