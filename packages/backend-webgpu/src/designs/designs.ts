/**
 * Chooses the design of a workload. No device is needed.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, keptPower } from '@manybody/core/backend'
import type { PairDesign, ProgramDesign } from '../design/design.ts'
import { mostInRegisters } from '../folds/list-fold.ts'
import type { LoopHost } from '../host/host.ts'
import { visitsBlocks } from '../plans/block-plan.ts'
import { choosesInSequences, mostShare, type PairLoop } from '../plans/blocks-model.ts'
import { candidatePlans, choosePlan, planData, planOf } from '../plans/plan.ts'
import { blocksVariant, onceVariant } from '../plans/variants.ts'
import { blocksDesign } from './blocks-design.ts'
import { elementDesign } from './element-design.ts'
import { matrixDesign } from './matrix-design.ts'
import { pairDesign } from './pair-design.ts'
import { caseOf, pairProblem } from './pair-problem.ts'
import { earlyPlan, oncePays, oncePlanOf, onceProblem, pairsOnceDesign } from './pairs-once-design.ts'

/** The GPU for which plans are chosen, if that is not the device. */
export interface Planning {
  readonly host: LoopHost
  readonly crowd: (shape: Shape) => Shape
  /** Reduces the sizes of a plan. */
  readonly fitted: (plan: Plan) => Plan
}

/** The designs of one workload on points of one shape, each made on first use. */
export interface Designs {
  /** The design for a caller's plan; by default the one that the model expects to be fastest. */
  readonly of: (plan?: Plan) => ProgramDesign
  readonly folds?: FoldDesigns
}

/** The designs to choose from for a pair workload that folds its terms. */
export interface FoldDesigns {
  /** The model's design that needs no proof. */
  readonly plain: () => ProgramDesign
  /** The plan that meets each pair once, if that is expected to be faster. A device must prove it first. */
  readonly once: Plan | undefined
  /** The plan with the same sums as `once` that compiles sooner, if that pays. */
  readonly early: Plan | undefined
  /** When blocks of near points are faster than this design; undefined if they never are. */
  readonly near: (design: ProgramDesign) => NearChoice | undefined
  /** Plans that are worth comparing by time. */
  readonly candidates: (effort: Effort) => readonly Plan[]
}

export interface NearChoice {
  /** The share of all pairs up to which blocks are faster. */
  readonly mostShare: number
  /** Number of sources that targets keep; undefined if they keep all within a cutoff. */
  readonly kept: number | undefined
  /** Whether rounds of a sequence may choose, too, which costs some time whatever they choose. */
  readonly inSequences: boolean
}

/** @throws RangeError if a plan does not fit the workload or the host */
export function designsOf(workload: Workload, shape: Shape, host: LoopHost, planning?: Planning): Designs {
  if (workload.loop !== 'pair') return { of: (plan) => elementDesign(workload, shape, plan, host.limits) }
  if (workload.reduction !== 'none') return foldDesigns(workload, shape, host, planning)
  return { of: (plan) => matrixDesign(workload, shape, plan, host.limits) }
}

const asItIs = (host: LoopHost): Planning => ({ host, crowd: (shape) => shape, fitted: (plan) => plan })

function foldDesigns(
  workload: PairWorkload,
  shape: Shape,
  host: LoopHost,
  { host: planned, crowd, fitted }: Planning = asItIs(host),
): Required<Designs> {
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
  return {
    of(plan = once) {
      if (plan?.variant === onceVariant)
        return pairsOnceDesign(pairsOnce, oncePlanOf(pairsOnce, counts.targets, plan, host), host.limits, plain)
      if (plan?.variant === blocksVariant) return blocksDesign(problem, plan, host, plain)
      return plan ? pairDesign(problem, planOf(plan, here()), host.limits) : plain()
    },
    folds: {
      plain,
      once,
      early: once && earlyPlan(once, counts.targets),
      near({ proof }) {
        if (planned.info.kind !== 'hardware' || !visitsBlocks(workload, shape.dimension)) return undefined
        const { targets, sources } = shape
        const all = { targets, sources, loop: pairLoopOf(workload, shape, proof !== undefined) }
        const most = mostShare(all)
        const kept = keptPower(workload, shape.dimension) && (workload.k ?? 1)
        return most > 0 ? { mostShare: most, kept, inSequences: choosesInSequences(all) } : undefined
      },
      candidates: (effort) => [...candidatePlans(here(), effort).map(planData), ...(once ? [once] : [])],
    },
  }
}

/** The kind of loop over all pairs. @param once whether it meets each pair once */
function pairLoopOf(workload: PairWorkload, { dimension }: Shape, once: boolean): PairLoop {
  const { domain, reduction, k = 1 } = workload
  const periodic = domain.boundary.kind === 'periodic'
  const bare = domain.cutoff === undefined && !periodic
  if (reduction === 'smallest' && k >= mostInRegisters) return 'long lists'
  if (reduction === 'smallest' && k > 1) return bare ? 'bare lists' : 'lists'
  const loop = once ? 'once' : 'other'
  if (keptPower(workload, dimension) !== undefined) return bare ? 'bare extremes' : loop
  return periodic && domain.cutoff ? `${loop} in a box` : loop
}
