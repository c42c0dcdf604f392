/**
 * The recipe for a workload: one line per loop.
 *
 * @module
 */
import type { Plan, Shape, Workload } from '@manybody/core'
import { elementPlanOf, elementRecipe } from './element-recipe.ts'
import type { GpuHost } from './gpu-host.ts'
import { matrixRecipe } from './matrix-recipe.ts'
import { newtonPlanOf, newtonRecipe, newtonVariant } from './newton-recipe.ts'
import { pairCase, pairRecipe } from './pair-recipe.ts'
import { choosePlan, planOf } from './plan.ts'
import type { Recipe } from './recipe.ts'
import type { Tuner } from './tuner.ts'

export async function recipeFor(
  host: GpuHost,
  workload: Workload,
  shape: Shape,
  plan?: Plan,
  tuner?: Tuner,
): Promise<Recipe> {
  if (workload.loop !== 'pair')
    return elementRecipe(host, workload, shape, elementPlanOf(workload, shape, plan, host.limits))
  if (workload.reduction === 'none') {
    if (plan) throw new RangeError(`"plan" expected none, as a matrix has one loop, got ${JSON.stringify(plan)}`)
    return matrixRecipe(host, workload, shape)
  }
  const c = pairCase(workload, shape, host)
  const plain = () => pairRecipe(host, workload, shape, choosePlan(c))
  if (plan?.variant === newtonVariant)
    return newtonRecipe(host, workload, shape, newtonPlanOf(workload, shape, plan, host), plain)
  if (plan) return pairRecipe(host, workload, shape, planOf(plan, c))
  const tunable = tuner && shape.targets > 0 && shape.sources > 0
  return pairRecipe(host, workload, shape, tunable ? await tuner.plan(workload, shape, c) : choosePlan(c))
}
