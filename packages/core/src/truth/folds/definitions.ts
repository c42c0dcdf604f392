/**
 * The definitions of all reductions. An exhaustive record: a new reduction does not compile until it has one.
 *
 * @module
 */
import type { Reduction } from '../../problem/reductions/table.ts'
import { argmax } from './argmax.ts'
import { argmin } from './argmin.ts'
import { count } from './count.ts'
import type { ReductionDefinition } from './definition.ts'
import { least } from './least.ts'
import { list } from './list.ts'
import { logsumexp } from './logsumexp.ts'
import { max } from './max.ts'
import { min } from './min.ts'
import { none } from './none.ts'
import { smallest } from './smallest.ts'
import { sum } from './sum.ts'

export const definitions: Readonly<Record<Reduction, ReductionDefinition>> = {
  sum,
  min,
  max,
  argmin,
  argmax,
  logsumexp,
  count,
  list,
  smallest,
  least,
  none,
}
