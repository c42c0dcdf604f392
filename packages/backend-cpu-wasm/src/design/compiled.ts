/**
 * What a file holds for this backend: for each precision, and for each way in which the numbers of a run may come, the modules of a
 * law. Types only.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { Guard, GuardRule } from '@manybody/core/backend'
import type { TreeFacts } from '@manybody/core/near'
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
  /** Of a sum with a tolerance. */
  readonly tree?: FiledTree | undefined
}

export interface FiledProgram {
  readonly loop: LoopOptions
  readonly design: FiledDesign
}

/** What a tree adds up, and its design for each guard. */
export interface FiledTree extends Pick<TreeFacts, 'weights'> {
  readonly guard: GuardRule
  readonly designs: readonly { readonly guard: Guard; readonly design: FiledDesign }[]
}

/** A design, whose module is text (`module-text.ts`), over memory that is not shared. */
export type FiledDesign = Omit<ProgramDesign, 'module'> & { readonly module: string }
