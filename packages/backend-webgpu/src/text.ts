/**
 * The shaders that a workload becomes, as WGSL: to be read, and for snapshots. An entry of its own, as no run needs it.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, Workload } from '@manybody/core'
import { isSingular, onlyNamed, termOf } from '@manybody/core/backend'
import { elementPlanOf, elementShader } from './element-recipe.ts'
import type { LoopHost, LoopLimits } from './gpu-host.ts'
import { matrixShader } from './matrix-recipe.ts'
import { newtonPays, newtonPlanOf, newtonShaders } from './newton-recipe.ts'
import { pairCase, pairShaders } from './pair-recipe.ts'
import { choosePlan, newtonVariant, planOf, requireNoPlan } from './plan.ts'
import type { Shader } from './shader.ts'

export interface TextOptions {
  /** By default the one that the model chooses for a GPU of these limits. */
  readonly plan?: Plan
  /** Such as those of an adapter; by default what every WebGPU device has. */
  readonly limits?: Partial<LoopLimits>
  /** Invocations in a subgroup; 32 by default. */
  readonly subgroup?: number
}

const leastLimits: LoopLimits = {
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxComputeWorkgroupStorageSize: 16384,
  maxStorageBufferBindingSize: 2 ** 27,
  maxBufferSize: 2 ** 28,
}

/**
 * The shaders in the order in which they run, for the parameters that the workload has. Nothing is compiled, and no
 * device is needed.
 *
 * @throws RangeError if the plan does not fit the workload or the limits
 */
export function wgslText(workload: Workload, shape: Shape, options: TextOptions = {}): string {
  const { plan, limits = {}, subgroup = 32 } = onlyNamed(options, 'option', ['plan', 'limits', 'subgroup'])
  const host: LoopHost = {
    info: { name: 'a GPU of these limits', kind: 'hardware' },
    // One by one: the limits of an adapter are no properties of its own.
    limits: Object.fromEntries(
      Object.entries(leastLimits).map(([name, least]) => [name, limits[name as keyof LoopLimits] ?? least]),
    ) as LoopLimits,
    subgroups: { least: subgroup, most: subgroup },
  }
  return shadersOf(workload, shape, plan, host)
    .flatMap((shader) => (shader ? [shader.code] : []))
    .join('\n')
}

function shadersOf(
  workload: Workload,
  shape: Shape,
  plan: Plan | undefined,
  host: LoopHost,
): readonly (Shader | undefined)[] {
  if (workload.loop !== 'pair')
    return [elementShader(workload, shape, elementPlanOf(workload, shape, plan, host.limits))]
  const guard = isSingular(termOf(workload, shape.dimension), workload.law.parameters)
  if (workload.reduction === 'none') {
    requireNoPlan(plan)
    return [matrixShader(workload, shape, guard).loop]
  }
  const chosen = plan ?? usualPlan(workload, shape, host)
  if (chosen?.variant === newtonVariant) {
    const { loop, combine } = newtonShaders(workload, shape, newtonPlanOf(workload, shape, chosen, host), guard)
    return [loop, combine]
  }
  const c = pairCase(workload, shape, host)
  const { pack, loop, combine } = pairShaders(workload, shape, chosen ? planOf(chosen, c) : choosePlan(c), guard)
  return [pack, loop, combine]
}

const usualPlan = (workload: PairWorkload, shape: Shape, host: LoopHost): Plan | undefined =>
  newtonPays(workload, shape, host) ? { variant: newtonVariant } : undefined
