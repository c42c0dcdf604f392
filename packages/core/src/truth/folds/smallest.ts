/**
 * The `k` least distances and their sources, ascending, equal ones in the order of sources. State: both so far, index -1
 * where fewer than `k` were met.
 *
 * @module
 */
import type { ReductionDefinition } from './definition.ts'
import { keptLeast } from './kept-least.ts'

export const smallest: ReductionDefinition = keptLeast({
  name: 'distance',
  ofTerm: (term) => Math.sqrt(Math.max(0, term)),
  rounded: (arithmetic, number, term) => arithmetic.local('sqrt')(number, term, 0),
})
