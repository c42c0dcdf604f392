/**
 * The contents of a file for this backend: the modules of a law, for each precision and each form of the numbers of a run.
 * Types only.
 *
 * @module
 */
import type { Precision } from '@manybody/core'
import type { Guard, GuardRule } from '@manybody/core/backend'
import type { TreeFacts } from '@manybody/core/far'
import type { ProgramDesign } from './design.ts'
import type { LoopOptions } from './loop-plan.ts'
import type { PlanFacts } from './plan-facts.ts'

/** One entry for each precision and form of numbers. */
export type CompiledCpu = readonly CompiledModules[]

export interface CompiledModules {
  readonly precision: Precision
  /** Whether coordinates are in two parts, and lengths in another unit, as in a shape. */
  readonly split: boolean
  readonly scaled: boolean
  readonly facts: PlanFacts
  readonly programs: readonly FiledProgram[]
  /** The designs of a sum with a tolerance. */
  readonly tree?: FiledTree | undefined
}

export interface FiledProgram {
  readonly loop: LoopOptions
  readonly design: FiledDesign
}

/** The weights that a tree adds up, and its design for each guard. */
export interface FiledTree extends Pick<TreeFacts, 'weights'> {
  readonly guard: GuardRule
  readonly designs: readonly { readonly guard: Guard; readonly design: FiledDesign }[]
}

/** A design with its module as text (`module-text.ts`), over memory that is not shared. */
export type FiledDesign = Omit<ProgramDesign, 'module'> & { readonly module: string }
