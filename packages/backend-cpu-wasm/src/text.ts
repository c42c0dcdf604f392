/**
 * Prints the module of a workload in the WebAssembly text format, for readers and for snapshots. It is a separate entry,
 * because runs do not need it.
 *
 * @module
 */
import type { Plan, Precision, Shape, Workload } from '@manybody/core'
import { needsGuard } from '@manybody/core/backend'
import { designOf } from './designs/designs.ts'
import { loopPlan } from './plans/plan.ts'
import { printModule } from './wasm/print.ts'
import { scalarModule } from './wasm/scalar.ts'
import { vectorOf } from './wasm/vector.ts'

export interface TextOptions {
  readonly precision?: Precision
  readonly plan?: Plan
}

/**
 * The module that one thread would run, for the workload's own parameters. Nothing is compiled.
 *
 * @throws RangeError if the plan does not fit the workload
 */
export function wasmText(workload: Workload, shape: Shape, { precision = 'f32', plan }: TextOptions = {}): string {
  const loop = loopPlan(plan, workload, shape, { threads: 1, widens: false })
  const guard = needsGuard(workload, shape.dimension)
  const options = { ...loop, v: vectorOf(precision, loop.scalar), shared: false }
  const { module } = designOf(workload, shape, options, { ...loop, guard, threads: 1 }).writer
  return printModule(loop.scalar ? scalarModule(module, precision) : module)
}
