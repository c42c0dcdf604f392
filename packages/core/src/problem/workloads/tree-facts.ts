/**
 * What a sum with a tolerance needs to know of its law, as plain data: `deriveTreeFacts` derives it, unless a compiled program brought
 * it along. Types only.
 *
 * @module
 */
import type { Expr } from '../../language/nodes.ts'
import type { PairWorkload } from './workload.ts'

/** A number of each source that proxies add up. */
export interface SourceWeight {
  /** The attribute under which the separated term reads it: that of the law if the weight is just that. */
  readonly attribute: string
  /** Its value from the source's attributes, as `mass_j`, and parameters. */
  readonly value: Expr
}

export interface TreeFacts {
  /** None if every term is 0. */
  readonly weights: readonly SourceWeight[]
  /** Whether the targets that are measured must leave themselves out. A radial term vanishes there anyway. */
  readonly skipsSelf: boolean
  /** The sums of some targets over all sources, and the sizes of their terms: the errors of a tree are measured by them. */
  readonly measured: PairWorkload
}
