/**
 * What will run for a workload, as data: its shaders, the arrays that they bind, and the dispatches of each run, in steps
 * that may be submitted one at a time. Designs need no device: `designs.ts` makes them, `text.ts` prints them, and
 * `compiled.ts` turns them into GPU objects.
 *
 * @module
 */
import type { Bindings, Report, RunOptions } from '@manybody/core'
import type { DesignedMap } from '../design/design.ts'
import type { DesignedResult, DesignRun, Work } from '../drivers/driver.ts'
import type { Shader } from '../wgsl/shader.ts'

export interface ProgramDesign {
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** Number of points on which this must agree with the plain loop before the model may choose it, if it needs a proof. */
  readonly proof?: number
  /** Keys of the arrays that it reads. */
  readonly inputs: readonly string[]
  /** The shaders in the order in which they run, for the parameters of a run; by default the workload's own. */
  readonly shaders: (parameters?: Readonly<Record<string, number>>) => readonly Shader[]
  readonly results: (bindings: Bindings, options: RunOptions, whole: boolean) => readonly DesignedResult[]
  readonly interactions: (bindings: Bindings, options: RunOptions) => number
  readonly work: (run: DesignRun, results: readonly DesignedResult[]) => Work
  /** If this loop computes only whole runs: the design of runs over ranges, and of those that continue earlier results. */
  readonly inParts?: (() => ProgramDesign) | undefined
  /** Present if each point reads only numbers of its own: then one shader may run several of these in order. */
  readonly map?: DesignedMap
}
