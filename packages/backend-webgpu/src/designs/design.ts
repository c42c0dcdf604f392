/**
 * What will run for a workload, as data: its shaders, the arrays that they bind, and each run as dispatches, in steps
 * that may be submitted one at a time. No design needs a device: `designs.ts` makes them, `text.ts` prints them, and
 * `compiled.ts` turns them into GPU objects.
 *
 * @module
 */
import type { Bindings, FloatArray, Report, RunOptions } from '@manybody/core'
import type { Shader } from '../wgsl/shader.ts'

export interface Dispatch {
  readonly shader: Shader
  /** The numbers of its uniform block, by field. */
  readonly values: Readonly<Record<string, number>>
  /** Workgroups along each axis. */
  readonly size: readonly [number, number, number]
}

/** Numbers `[at, at + length)` of a result, which stand at the start of its buffer after a step. */
interface Read {
  readonly name: string
  readonly at: number
  readonly length: number
}

export interface Step {
  readonly dispatches: readonly Dispatch[]
  readonly interactions: number
  /** Fraction of the work done after this step; the last one says 1. */
  readonly done: number
  readonly reads: readonly Read[]
  /** Numbers that stand at the start of results before the step, by name. */
  readonly writes?: Readonly<Record<string, FloatArray>>
}

export interface DesignedResult {
  readonly name: string
  readonly type: 'f32' | 'u32' | 'i32'
  readonly length: number
  /** Numbers that the device holds at a time. */
  readonly held: number
  /** Of whole numbers, the largest that it may hold. */
  readonly most?: number
}

export interface DesignRun {
  readonly bindings: Bindings
  readonly options: RunOptions
  /** Interactions that fit the time of one submission, as far as is known. Asked before each step. */
  readonly budget: () => number
}

export interface Work {
  /** Bytes of the arrays that only its shaders read and write, by key. */
  readonly scratch: Readonly<Record<string, number>>
  readonly steps: Iterable<Step>
}

export interface ProgramDesign {
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** Points on which a device has to agree with the plain loop before it is chosen; absent: every device computes it rightly. */
  readonly proof?: number
  /** Keys of the arrays it reads. */
  readonly inputs: readonly string[]
  /** The shaders in the order in which they run, for the parameters of a run; by default those of the workload. */
  readonly shaders: (parameters?: Readonly<Record<string, number>>) => readonly Shader[]
  readonly results: (bindings: Bindings, options: RunOptions, whole: boolean) => readonly DesignedResult[]
  readonly interactions: (bindings: Bindings, options: RunOptions) => number
  readonly work: (run: DesignRun, results: readonly DesignedResult[]) => Work
  /** The same design with results written over inputs, by name of both; loops that read other elements have none. */
  readonly inPlace?: (names: ReadonlyMap<string, string>) => ProgramDesign
}
