/**
 * All that a program needs for points in blocks: their order, and the choice between blocks and all pairs. A device loads it with the
 * programs of laws that may visit blocks.
 *
 * @module
 */
import { type Ordering, ordering } from '../placement/point-ordering.ts'
import { mostShare, nearShareOf } from '../plans/blocks-model.ts'

export interface NearCode {
  readonly ordering: Ordering
  readonly mostShare: typeof mostShare
  readonly nearShareOf: typeof nearShareOf
}

export const nearCode: NearCode = { ordering, mostShare, nearShareOf }
