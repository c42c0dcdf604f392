/**
 * What placements of engines need besides: ranges of sources from the caller, and copies for workers with separate memories. Callers
 * that cannot wait have neither.
 *
 * @module
 */
import type { PlacementParts } from './bound-program.ts'
import { copiesOf } from './copied-phases.ts'
import { givenRanges } from './given-ranges.ts'

export const engineParts: PlacementParts = { copiesOf, givenRanges }
