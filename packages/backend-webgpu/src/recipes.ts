/**
 * The recipe for a workload: one line per loop.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { type Effort, type Tuner, tuningKey } from '@manybody/core/backend'
import { elementPlanOf, elementRecipe } from './element-recipe.ts'
import type { GpuHost, LoopHost } from './gpu-host.ts'
import { matrixRecipe } from './matrix-recipe.ts'
import type { Memory } from './memory.ts'
import type { NewtonProof } from './newton-proof.ts'
import { newtonPays, newtonPlanOf, newtonRecipe } from './newton-recipe.ts'
import { pairCase, pairRecipe } from './pair-recipe.ts'
import { candidatePlans, choosePlan, newtonVariant, planData, planOf, requireNoPlan } from './plan.ts'
import type { Recipe } from './recipe.ts'
import { timeOf } from './tuner.ts'

/** What plans are chosen for where that is not the device. */
export interface Planning {
  readonly host: LoopHost
  readonly crowd: (shape: Shape) => Shape
  /** The plan with smaller sizes. */
  readonly fitted: (plan: Plan) => Plan
}

/** What recipes are made with. */
export interface Workshop {
  readonly host: GpuHost
  /** What plans are chosen for, where that is not the device itself. */
  readonly planning?: Planning | undefined
  /** How plans are timed, if they are. */
  readonly tuning: { readonly tuner: Tuner; readonly effort: Effort; readonly memory: Memory } | undefined
  readonly proof: NewtonProof
}

export async function recipeFor(workshop: Workshop, workload: Workload, shape: Shape, plan?: Plan): Promise<Recipe> {
  const { host } = workshop
  if (workload.loop !== 'pair')
    return elementRecipe(host, workload, shape, elementPlanOf(workload, shape, plan, host.limits))
  if (workload.reduction !== 'none') return foldedRecipe(workshop, workload, shape, plan)
  requireNoPlan(plan)
  return matrixRecipe(host, workload, shape)
}

const asItIs = (host: LoopHost): Planning => ({ host, crowd: (shape) => shape, fitted: (plan) => plan })

async function foldedRecipe(
  { host, planning = asItIs(host), tuning, proof }: Workshop,
  workload: PairWorkload,
  shape: Shape,
  plan?: Plan,
): Promise<Recipe> {
  const c = pairCase(workload, shape, host)
  const crowd = planning.crowd(shape)
  const expected = () => {
    const plan = choosePlan(pairCase(workload, crowd, planning.host))
    return planning.host === host ? plan : planOf(planning.fitted(planData(plan)), c)
  }
  let model: Promise<Recipe> | undefined
  const plain = () => {
    model ??= pairRecipe(host, workload, shape, expected())
    return model
  }
  const once = (asked: Plan) => newtonRecipe(host, workload, shape, newtonPlanOf(workload, crowd, asked, host), plain)
  if (plan) return plan.variant === newtonVariant ? once(plan) : pairRecipe(host, workload, shape, planOf(plan, c))

  const pays = newtonPays(workload, crowd, planning.host)
  /** Each pair once where the device proves it; plans of the plain loop as they are. */
  const trusted = async (asked: Plan): Promise<Recipe | undefined> => {
    if (asked.variant !== newtonVariant) return pairRecipe(host, workload, shape, planOf(asked, c))
    if (!pays) return undefined
    const recipe = await once(asked)
    return (await proof.holds(workload, shape, recipe, await plain())) ? recipe : undefined
  }
  const newton = planning.fitted({ variant: newtonVariant })
  if (tuning && shape.targets > 0 && shape.sources > 0) {
    const { tuner, effort, memory } = tuning
    const candidates = [...candidatePlans(c, effort).map(planData), ...(pays ? [newton] : [])]
    const time = (recipe: Recipe) => timeOf(host, memory, recipe, workload, shape)
    return tuner.fastest(tuningKey(host.info.name, workload, shape), candidates, { prepare: trusted, time })
  }
  return (await trusted(newton)) ?? plain()
}
