/**
 * The programs of charges in one number of dimensions. Types only.
 *
 * @module
 */
import type { CompiledAtOnce } from '@manybody/backend-cpu-wasm/at-once'

export interface ChargePrograms {
  /** Sums with a tolerance. */
  readonly approximated: CompiledAtOnce
  /** Sums of some nodes over all nodes, and the sizes of their terms: they measure the errors of a tree. */
  readonly measured: CompiledAtOnce
  /** Exact sums within the largest distance. */
  readonly near: CompiledAtOnce
  /** Exact sums over all pairs. */
  readonly all: CompiledAtOnce
}
