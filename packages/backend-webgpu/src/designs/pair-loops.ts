/**
 * The source of the loops of a workload over pairs: the compiler writes them, or a file holds some of them. Plans decide which
 * loops run, in the same way for both (`fold-designs.ts`).
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import type { GuardRule } from '@manybody/core/backend'
import type {
  BlocksReach,
  GroupsVersion,
  ListShaders,
  OnceVersion,
  PairDesign,
  PairVersion,
  ProgramDesign,
  ResultRule,
} from '../design/design.ts'
import type { LoopHost } from '../design/facts.ts'
import type { BlockPlan } from '../design/loop-shape.ts'
import type { NearChoice } from '../design/near.ts'
import type { Versions } from '../design/versions.ts'
import type { OnceFacts, OncePlan } from '../plans/once-plan.ts'
import type { LawCase, PairCase } from '../plans/pair-case.ts'
import type { PairPlan } from '../plans/plan.ts'

export interface PairLoops {
  readonly law: LawCase
  readonly guard: GuardRule
  /** Keys of the arrays that loops over all pairs read. */
  readonly inputs: readonly string[]
  readonly results: readonly ResultRule[]
  /** Present if the loops fill lists. */
  readonly lists?: ListShaders | undefined
  /** The plan of the model, or the nearest plan with an existing loop. */
  readonly available: (plan: PairPlan, c: PairCase) => PairPlan
  /** The loop over all pairs. @throws RangeError if no loop exists for the plan */
  readonly pair: (plan: PairPlan) => Versions<PairVersion>
  readonly once: OnceLoops
  /** The loop over blocks of near points. @throws RangeError if no such loop exists for the workload or the device */
  readonly blocks: (plan: Plan, host: LoopHost) => BlocksLoop
  /** The loop over cells. @throws RangeError if no such loop exists for the workload or the device */
  readonly cells: (plan: Plan, host: LoopHost) => BlocksLoop
  /** When blocks are faster than all pairs; undefined if they never are. @param once whether the other loop meets each pair once */
  readonly near: (once: boolean) => NearChoice | undefined
}

/** The loops that meet each pair once. */
export interface OnceLoops {
  readonly facts: OnceFacts
  readonly versions: (plan: OncePlan) => Versions<OnceVersion>
}

/** The shaders for one guard, for any number of points. */
export interface BlocksVersion extends Pick<GroupsVersion, 'shaders' | 'run'> {
  /** Number of vectors of a packed source. */
  readonly vectors: number
  /** Whether the sizes of sources are packed behind the boxes. */
  readonly sized?: true | undefined
}

/** A loop over near points, by blocks or by cells. */
export interface BlocksLoop {
  readonly plan: BlockPlan
  readonly versions: Versions<BlocksVersion>
  readonly reach: BlocksReach
  /** Present if rounds of a sequence may keep Verlet lists: their shaders. */
  readonly lasting?: Versions<BlocksVersion> | undefined
  /**
   * Makes the design of the loop.
   *
   * @param plain the design for runs with ranges or earlier results, which this loop cannot compute
   * @throws RangeError if the device cannot hold its arrays
   */
  readonly design: (
    loops: PairLoops,
    loop: BlocksLoop,
    workload: PairWorkload,
    shape: Shape,
    host: LoopHost,
    plain: () => PairDesign,
  ) => ProgramDesign
}
