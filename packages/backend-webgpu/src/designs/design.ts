/**
 * What will run for a workload, as data: its shaders, the arrays that they bind, and the dispatches of each run, in steps
 * that may be submitted one at a time. Designs need no device: `designs.ts` makes them, `text.ts` prints them, and
 * `compiled.ts` turns them into GPU objects.
 *
 * @module
 */
import type { Bindings, FloatArray, Report, RunOptions, Shape } from '@manybody/core'
import type { ElementBody } from '@manybody/core/backend'
import type { Dispatch, Shader } from '../wgsl/shader.ts'

/** Numbers `[at, at + length)` of a result, which are at the start of its buffer after a step. */
interface Read {
  readonly name: string
  readonly at: number
  readonly length: number
}

export interface Step {
  readonly dispatches: readonly Dispatch[]
  readonly interactions: number
  /** Fraction of the work that is done after this step; 1 for the last step. */
  readonly done: number
  readonly reads: readonly Read[]
  /** The part of a scratch array that tells how many interactions the run computed, if it left some out. */
  readonly evaluated?: {
    readonly key: string
    readonly first: number
    readonly length: number
    readonly total: (numbers: Uint32Array) => number
  }
  /** Numbers to write to the start of results before the step, by name. */
  readonly writes?: Readonly<Record<string, FloatArray>>
}

export interface DesignedResult {
  readonly name: string
  readonly type: 'f32' | 'u32' | 'i32'
  readonly length: number
  /** How many numbers the device holds at a time. */
  readonly held: number
  /** The largest possible number, if the result consists of integers. */
  readonly most?: number
}

export interface DesignRun {
  readonly bindings: Bindings
  readonly options: RunOptions
  /** How many interactions fit one submission, by the latest estimate. Called before each step. */
  readonly budget: () => number
  /** Whether results stay in their buffers, so that no step may overwrite those of another. */
  readonly whole?: boolean
}

export interface Work {
  /** Bytes of arrays that only the shaders read and write, by key. */
  readonly scratch: Readonly<Record<string, number>>
  readonly steps: Iterable<Step>
}

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

export interface DesignedMap {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly workgroup: number
  /** The values of a run, by the names in the body. */
  readonly values: (bindings: Bindings) => Readonly<Record<string, number>>
}
