/**
 * The facts that the plan of a pair loop depends on: counts, limits of the device, and the numbers that a target keeps.
 *
 * @module
 */
import type { DeviceKind, Shape } from '@manybody/core'
import type { VectorCounts } from '../design/component-tile.ts'
import type { LoopHost, Subgroups } from '../design/facts.ts'

/** The functions of vectors of both points, such as `sqdist(x_i, y_j)`. */
export interface VectorCase {
  /** How many numbers of a pair they are. */
  readonly numbers: number
  readonly counts: VectorCounts
}

export interface PairCase {
  readonly targets: number
  readonly sources: number
  readonly kind: DeviceKind
  /** The most invocations that a workgroup may have. */
  readonly invocations: number
  /** Bytes of workgroup memory. */
  readonly memory: number
  /** Bytes of one source in workgroup memory. */
  readonly sourceBytes: number
  /** 32-bit words that hold the fold of one target. */
  readonly words: number
  /** Numbers that stay in registers per target. */
  readonly registers: number
  /** Length of the list of neighbours; 0 for other folds. */
  readonly neighbours: number
  /** Whether the fold is a sum, which may be kept per block. */
  readonly sums: boolean
  /** The vectors of both points that a pair reads; undefined if there are none. */
  readonly vectors?: VectorCase | undefined
  /** The most bytes that one bound array may have. */
  readonly bindingBytes: number
  /** Invocations in a subgroup; undefined if the device has no subgroups. */
  readonly subgroups?: Subgroups | undefined
}

/** The facts that depend on the law alone. */
export type LawCase = Pick<PairCase, 'sourceBytes' | 'words' | 'registers' | 'neighbours' | 'sums' | 'vectors'>

/** @param counts numbers of points to plan for */
export const caseOf = (
  law: LawCase,
  { info, limits, subgroups }: LoopHost,
  { targets, sources }: Pick<Shape, 'targets' | 'sources'>,
): PairCase => ({
  ...law,
  targets,
  sources,
  kind: info.kind,
  invocations: Math.min(limits.maxComputeInvocationsPerWorkgroup, limits.maxComputeWorkgroupSizeX),
  memory: limits.maxComputeWorkgroupStorageSize,
  bindingBytes: Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize),
  subgroups,
})
