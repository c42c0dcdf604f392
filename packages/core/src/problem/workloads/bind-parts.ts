/**
 * The parts of binding that most sums do without. An engine loads this file with the first workload that needs some of them.
 *
 * @module
 */
import type { BindingParts } from './bind.ts'
import { boundElements } from './bind-elements.ts'
import { withCutoffBound } from './cutoff-bound.ts'
import { exclusionsOf } from './exclusions.ts'
import { vectorSets } from './vector-sets.ts'

export const bindingParts: BindingParts = { boundElements, vectorSets, withCutoffBound, exclusionsOf }
