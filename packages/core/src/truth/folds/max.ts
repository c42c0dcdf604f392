/**
 * The greatest term; a NaN is never the greatest. State: the greatest so far.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { extreme } from './extreme.ts'

export const max: ReductionDefinition = extreme(-1)
