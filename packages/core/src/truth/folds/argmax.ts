/**
 * The greatest term and the first source that has it; a NaN is never the greatest. State: both so far, index -1 at first.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { indexedExtreme } from './extreme.ts'

export const argmax: ReductionDefinition = indexedExtreme(-1)
