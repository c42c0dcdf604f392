/**
 * What the plan of a pair loop depends on: counts, limits of the device, and what one target keeps.
 *
 * @module
 */
import type { DeviceKind } from '@manybody/core'
import type { Subgroups } from '../host/host.ts'

export interface PairCase {
  readonly targets: number
  readonly sources: number
  readonly kind: DeviceKind
  /** Invocations in a workgroup, at most. */
  readonly invocations: number
  /** Bytes of workgroup memory. */
  readonly memory: number
  /** Bytes of one source in workgroup memory. */
  readonly sourceBytes: number
  /** Words that hold the fold of one target. */
  readonly words: number
  /** Numbers that stay in registers per target. */
  readonly registers: number
  /** Neighbours of a list, in ascending order; 0 for other folds. */
  readonly neighbours: number
  /** Whether the fold is a sum, which may be kept per block. */
  readonly sums: boolean
  /** Bytes of one array that a shader binds, at most. */
  readonly bindingBytes: number
  /** Invocations in a subgroup, where the device has subgroups. */
  readonly subgroups?: Subgroups | undefined
}
