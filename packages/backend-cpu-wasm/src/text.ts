/**
 * The module that a workload becomes, in the WebAssembly text format: to be read, and for snapshots. An entry of its
 * own, as no run needs it.
 *
 * @module
 */
import type { Plan, Precision, Shape, Workload } from '@manybody/core'
import { isSingular, termOf } from '@manybody/core/backend'
import { recipeOf } from './compile.ts'
import { loopPlan } from './plan.ts'
import { float32, float64 } from './vector.ts'
import { printModule } from './wasm/print.ts'

export interface TextOptions {
  readonly precision?: Precision
  readonly plan?: Plan
}

/**
 * What one thread would run, for the parameters that the workload has. Nothing is compiled.
 *
 * @throws RangeError if the plan does not fit the workload
 */
export function wasmText(workload: Workload, shape: Shape, { precision = 'f32', plan }: TextOptions = {}): string {
  const { fused, registers, once, wide } = loopPlan(plan, workload, shape, { threads: 1, widens: false })
  const guard = workload.loop === 'pair' && isSingular(termOf(workload, shape.dimension), workload.law.parameters)
  const options = { v: precision === 'f64' ? float64 : float32, shared: false, fused, wide }
  const { module } = recipeOf(workload, shape, options, { guard, registers, once, threads: 1 }).kernel
  return printModule(module)
}
