/**
 * The least term and the first source that has it; a NaN is never the least. State: both so far, index -1 at first.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { indexedExtreme } from './extreme.ts'

export const argmin: ReductionDefinition = indexedExtreme(1)
