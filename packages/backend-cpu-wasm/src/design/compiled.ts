/**
 * The contents of a file for this backend: the modules of a law, for each precision and each form of the numbers of a run.
 * Types only.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { ProgramDesign } from './design.ts'
import type { PlanFacts } from './facts.ts'
import type { LoopOptions } from './loop-plan.ts'

/** One entry for each precision and form of numbers. */
export type CompiledCpu = readonly CompiledModules[]

export interface CompiledModules {
  readonly precision: Precision
  /** Whether coordinates are in two parts, and lengths in another unit, as in a shape. */
  readonly split: boolean
  readonly scaled: boolean
  readonly facts: PlanFacts
  readonly programs: readonly FiledProgram[]
}

/** A design with its module as text: base64 of its bytes, over memory that is not shared. */
export interface FiledProgram {
  readonly loop: LoopOptions
  readonly design: Omit<ProgramDesign, 'module'> & { readonly module: string }
}
