/**
 * Prints the shaders of a workload as WGSL, for readers and for snapshots. This is a separate entry, because runs do not
 * need it.
 *
 * @module
 */
import type { Plan, Shape, Workload } from '@manybody/core'
import { onlyNamed } from '@manybody/core/backend'
import { designsOf } from './compile/designs/designs.ts'
import { shadersOf } from './design/design.ts'
import type { LoopHost, LoopLimits } from './design/facts.ts'
import { leastLimits } from './design/least-limits.ts'

export interface TextOptions {
  /** The plan to print. By default the model chooses one for a GPU with these limits. */
  readonly plan?: Plan
  /** Limits of a device or adapter; by default those that every WebGPU device has. */
  readonly limits?: Partial<LoopLimits>
  /** Number of invocations in a subgroup; 32 by default. */
  readonly subgroup?: number
}

/**
 * The shaders in running order, for the workload's own parameters. Nothing is compiled, and no device is needed.
 *
 * @throws RangeError if the plan does not fit the workload or the limits
 */
export function wgslText(workload: Workload, shape: Shape, options: TextOptions = {}): string {
  const { plan, limits = {}, subgroup = 32 } = onlyNamed(options, 'option', ['plan', 'limits', 'subgroup'])
  const host: LoopHost = {
    info: { name: 'a GPU of these limits', kind: 'hardware' },
    // `GPUSupportedLimits` exposes inherited getters, so spreading it copies nothing.
    limits: Object.fromEntries(
      Object.entries(leastLimits).map(([name, least]) => [name, limits[name as keyof LoopLimits] ?? least]),
    ) as LoopLimits,
    subgroups: { least: subgroup, most: subgroup },
  }
  return shadersOf(designsOf(workload, shape, host).of(plan))
    .map((shader) => shader.code)
    .join('\n')
}
