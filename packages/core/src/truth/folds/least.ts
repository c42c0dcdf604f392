/**
 * The `k` least terms and their sources, ascending, equal ones in the order of sources. State: both so far, index -1 where fewer
 * than `k` were met.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { keptLeast } from './kept-least.ts'

export const least: ReductionDefinition = keptLeast({ name: 'value', ofTerm: (term) => term, rounded: () => 0 })
