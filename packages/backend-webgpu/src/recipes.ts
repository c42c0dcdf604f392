/**
 * The recipe for a workload: one line per loop.
 *
 * @module
 */
import { type Plan, type Shape, UnsupportedWorkloadError, type Workload } from '@manybody/core'
import { backendName, type GpuHost } from './gpu-host.ts'
import { pairCase, pairRecipe } from './pair-recipe.ts'
import { choosePlan, planOf } from './plan.ts'
import type { Recipe } from './recipe.ts'

export async function recipeFor(host: GpuHost, workload: Workload, shape: Shape, plan?: Plan): Promise<Recipe> {
  if (workload.loop !== 'pair') throw new UnsupportedWorkloadError(workload.loop, backendName, 'not built yet')
  const c = pairCase(workload, shape, host)
  return pairRecipe(host, workload, shape, plan ? planOf(plan, c) : choosePlan(c))
}
