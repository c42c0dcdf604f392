/**
 * The facts about a law that a sum with a tolerance reads, as plain data. `deriveTreeFacts` derives them, unless a compiled program brought
 * them along. Types only.
 *
 * @module
 */
import type { Expr } from '../../language/nodes.ts'
import type { PairWorkload } from './workload.ts'

/** A number of each source that proxies add up. */
export interface SourceWeight {
  /** Its name as an attribute in the separated term: the name in the law if the weight is just that attribute. */
  readonly attribute: string
  /** Its value from the source's attributes, as `mass_j`, and parameters. */
  readonly value: Expr
}

export interface TreeFacts {
  /** None if every term is 0. */
  readonly weights: readonly SourceWeight[]
  /** Whether the targets that are measured must leave themselves out. A radial term vanishes there anyway. */
  readonly skipsSelf: boolean
  /**
   * The sums of some targets over all sources, and the sizes of their terms: the errors of a tree are measured by them. Absent if the
   * law is too long for a tree.
   */
  readonly measured?: PairWorkload
}
