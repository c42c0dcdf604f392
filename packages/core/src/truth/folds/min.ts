/**
 * The least term; a NaN is never the least. State: the least so far.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { extreme } from './extreme.ts'

export const min: ReductionDefinition = extreme(1)
