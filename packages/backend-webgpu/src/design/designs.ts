/**
 * The designs of one workload on points of one shape, each made on first use by the compiling half.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape, TreeSetting } from '@manybody/core'
import type { Effort } from '@manybody/core/backend'
import type { ProgramDesign, TreeDesign } from './design.ts'
import type { LoopHost } from './facts.ts'
import type { NearChoice } from './near.ts'

/** The GPU that plans are chosen for, if that is not the device. */
export interface Planning {
  readonly host: LoopHost
  readonly crowd: (shape: Shape) => Shape
  /** Reduces the sizes of a plan. */
  readonly fitted: (plan: Plan) => Plan
}

/** The designs of a loop. */
export interface LoopDesigns {
  /**
   * The design for a caller's plan; by default the one that the model expects to be fastest.
   *
   * @throws RangeError if a plan does not fit the workload or the device
   */
  readonly of: (plan?: Plan) => ProgramDesign
  readonly folds?: FoldDesigns
}

export interface Designs extends LoopDesigns {
  /** Loads the trees of the workload; undefined if a tree cannot approximate it. */
  readonly trees: () => Promise<TreeDesigns | undefined>
}

/** The designs to choose from for a pair workload that folds its terms. */
export interface FoldDesigns {
  /** The model's design that needs no proof. */
  readonly plain: () => ProgramDesign
  /** The design that compiles soonest. */
  readonly simple: () => ProgramDesign
  /** The plan that meets each pair once, if that is expected to be faster. A device must prove it first. */
  readonly once: Plan | undefined
  /** The plan with the same sums as `once` that compiles sooner, if that pays. */
  readonly early: Plan | undefined
  /** Whether a plan may be tried. Plans that meet each pair once are tried only where that is expected to be faster. */
  readonly tries: (plan: Plan) => boolean
  /** When blocks of near points are faster than this design; undefined if they never are. */
  readonly near: (design: ProgramDesign) => NearChoice | undefined
  /** The design by blocks of near points; undefined if it does not fit the limits of the device. */
  readonly blocks: () => ProgramDesign | undefined
  /** The same by cells. */
  readonly cells: () => ProgramDesign | undefined
  /** Plans that are worth comparing by time. */
  readonly candidates: (effort: Effort) => readonly Plan[]
}

/** The designs of a sum with a tolerance. */
export interface TreeDesigns {
  /** In terms of the weights that proxies add up. */
  readonly workload: PairWorkload
  /** The design for one setting; undefined if the device cannot hold its arrays. */
  readonly at: (setting: TreeSetting) => TreeDesign | undefined
  /** The share of all pairs below which a tree is faster. @param once whether the other loop meets each pair once */
  readonly share: (once: boolean) => number
}
