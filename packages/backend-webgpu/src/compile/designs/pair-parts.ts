/**
 * The folds and loops of workloads over pairs. A page loads only those that it may need.
 *
 * @module
 */
import type { PairWorkload, Plan, Shape } from '@manybody/core'
import type { PairBody } from '@manybody/core/expression'
import type { ListShaders, OnceVersion, PairVersion } from '../../design/design.ts'
import type { LoopHost } from '../../design/facts.ts'
import type { NearChoice } from '../../design/near.ts'
import type { BlocksLoop } from '../../designs/pair-loops.ts'
import type { OncePlan } from '../../plans/once-plan.ts'
import type { PairPlan } from '../../plans/plan.ts'
import type { FoldOf } from '../folds/fold.ts'
import { sumFoldOf } from '../folds/sum-fold.ts'
import type { PairProblem, WrittenPair } from './pair-problem.ts'

/** Writes the shaders of one guard for a loop over all pairs. */
export type WriteShaders = (
  problem: PairProblem,
  written: WrittenPair,
  plan: PairPlan,
  label: string,
) => PairVersion['shaders']

/** Writes the shaders of one guard that meet each pair once. */
export type WriteOnce = (workload: PairWorkload, shape: Shape, plan: OncePlan, body: PairBody) => OnceVersion

/** The loops over near points. */
export interface NearParts {
  /** @throws RangeError if the workload or the device cannot visit blocks */
  readonly blocks: (problem: PairProblem, plan: Plan, host: LoopHost) => BlocksLoop
  /** @throws RangeError if the workload or the device cannot visit cells */
  readonly cells: (problem: PairProblem, plan: Plan, host: LoopHost) => BlocksLoop
  /** When blocks are faster than all pairs; undefined if they never are. @param once whether the other loop meets each pair once */
  readonly choice: (workload: PairWorkload, shape: Shape, once: boolean) => NearChoice | undefined
}

/** Absent parts are not loaded. */
export interface PairParts {
  readonly foldOf: FoldOf
  /** The shaders that a loop which fills lists has besides, and the keys of their arrays. */
  readonly listsOf?: (workload: PairWorkload) => {
    readonly arrays: readonly string[]
    readonly part: { readonly lists?: ListShaders }
  }
  readonly groups?: WriteShaders
  readonly components?: WriteShaders
  readonly once?: WriteOnce
  readonly near?: NearParts
}

/** The parts of sums over all pairs. */
export const sumParts: PairParts = { foldOf: sumFoldOf }

/** The error for a loop whose code is not loaded. A page never meets it, unless the choice of parts is wrong. */
export const lacking = (loop: string): TypeError =>
  new TypeError(`Cannot write the loop ${loop}: only the loops of sums over all pairs are loaded`)
