/**
 * The programs of charges, each for two and three dimensions. Types only.
 *
 * @module
 */
import type { CompiledAtOnce } from '@manybody/backend-cpu-wasm/at-once'

type InDimensions = Readonly<Record<2 | 3, CompiledAtOnce>>

export interface ChargePrograms {
  /** Sums with a tolerance. */
  readonly approximated: InDimensions
  /** Sums of some nodes over all nodes, and the sizes of their terms: they measure the errors of a tree. */
  readonly measured: InDimensions
  /** Exact sums within the largest distance. */
  readonly near: InDimensions
  /** Exact sums over all pairs. */
  readonly all: InDimensions
}
