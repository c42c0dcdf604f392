/**
 * How often the symbols of a pair body change: once a run, for each target, for each source or for each pair.
 *
 * @module
 */

import { parseAttribute } from '../../../ground/names.ts'
import { vectorsIn } from '../../../language/fold-names.ts'
import { parseLookup } from '../../../language/lookups.ts'
import type { Rate } from '../../../language/schedule.ts'

/** Attributes and folds over vectors of one side belong to it, coordinates to theirs, displacements and look-ups to the loop, and parameters to the run. */
export function rateOf(name: string): Rate {
  const attribute = parseAttribute(name)
  if (attribute) return attribute.side === 'i' ? 'target' : 'source'
  const sides = new Set(vectorsIn(name)?.map((vector) => vector.slice(-1)))
  if (sides.size === 1) return sides.has('i') ? 'target' : 'source'
  if (sides.size === 2) return 'loop'
  if (/^(d[xyz]|r2|safeR2|[xyz][ij])$/.test(name) || parseLookup(name)) return 'loop'
  return 'run'
}
