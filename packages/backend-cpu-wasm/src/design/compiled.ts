/**
 * What a file holds for this backend: for each precision, and for each way in which the numbers of a run may come, the modules of a
 * law. Types only.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { ProgramDesign } from './design.ts'
import type { PlanFacts } from './facts.ts'
import type { LoopOptions } from './loop-plan.ts'

/** One for each precision and shape of numbers. */
export type CompiledCpu = readonly CompiledModules[]

export interface CompiledModules {
  readonly precision: Precision
  /** Whether coordinates are split, and lengths in another unit, as in a shape. */
  readonly split: boolean
  readonly scaled: boolean
  readonly facts: PlanFacts
  readonly programs: readonly FiledProgram[]
}

/** A design, whose module is text: its bytes as base64, over memory that is not shared. */
export interface FiledProgram {
  readonly loop: LoopOptions
  readonly design: Omit<ProgramDesign, 'module'> & { readonly module: string }
}
