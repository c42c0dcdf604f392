/**
 * The steps of a run: dispatches that may be submitted one step at a time. A driver makes them from a design, which is data,
 * and from the bindings, ranges and budget of the run.
 *
 * @module
 */

import type { Bindings, FloatArray, RunOptions } from '@manybody/core'
import type { NamedTape } from '@manybody/core/backend'
import { playNamed } from '@manybody/core/backend'
import type { FieldValues, ProgramDesign, VersionOf } from '../../design/design.ts'
import type { Dispatch } from '../../design/shader.ts'

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
  readonly evaluated?: Evaluated
  /** Numbers to write to the start of results before the step, by name. */
  readonly writes?: Readonly<Record<string, FloatArray>>
}

/** The part of a scratch array with the number of sources that each workgroup met, if a run left some out. */
export interface Evaluated {
  readonly key: string
  readonly first: number
  /** Number of workgroups. */
  readonly length: number
  readonly targets: number
  readonly targetsPerGroup: number
}

/** The number of interactions that a run computed. @param met number of sources of each workgroup */
export function interactionsIn({ targets, targetsPerGroup }: Evaluated, met: Uint32Array): number {
  const covered = (group: number) => Math.min(targets, group * targetsPerGroup)
  return met.reduce((sum, sources, group) => sum + sources * (covered(group + 1) - covered(group)), 0)
}

/** A result of a run. */
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
  /** Whether results stay in their buffers, so that no step may overwrite the results of another. */
  readonly whole?: boolean
  /** The number of the owner of Verlet lists, if the steps have some. */
  readonly owner?: number
}

export interface Work {
  /** Bytes of arrays that only the shaders read and write, by key. */
  readonly scratch: Readonly<Record<string, number>>
  readonly steps: Iterable<Step>
}

/** The work of a run. @param version the version for the parameters of the run */
export type LoopDriver<D extends ProgramDesign> = (
  design: D,
  version: VersionOf<D>,
  run: DesignRun,
  results: readonly DesignedResult[],
) => Work

/** The values of a run that formulas give. */
export const valuesOf = (run: NamedTape, parameters: FieldValues): FieldValues => playNamed(run, parameters)

export type PointRange = readonly [first: number, last: number]

/** The targets and the sources of a run. */
export const spansOf = (
  bindings: Bindings,
  options: RunOptions,
): readonly [targets: PointRange, sources: PointRange] => [
  options.targets ?? [0, bindings.targets.count],
  options.sources ?? [0, bindings.sources.count],
]
