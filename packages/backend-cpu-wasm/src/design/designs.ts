/**
 * Where the runtime gets the designs of one workload: from a compiler, or from a file.
 *
 * @module
 */
import type { Guard, GuardRule } from '@manybody/core/backend'
import type { TreeFacts } from '@manybody/core/far'
import type { ProgramDesign } from './design.ts'
import type { LoopOptions } from './loop-plan.ts'
import type { PlanFacts } from './plan-facts.ts'

export interface Designs {
  readonly facts: PlanFacts
  of(options: LoopOptions): ProgramDesign
  /** Whether there are designs with Verlet lists, which a sequence reuses for several rounds. */
  readonly lasting: boolean
  /** The designs of a sum with a tolerance. @throws TypeError if the law does not allow one */
  tree(): Promise<TreeDesigns>
}

/** The weights that a tree adds up, and its designs. */
export interface TreeDesigns extends Pick<TreeFacts, 'weights'> {
  readonly guard: GuardRule
  of(guard: Guard): ProgramDesign
}
