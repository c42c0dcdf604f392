/**
 * How often the symbols of a pair body change: once a run, for each target, for each source or for each pair.
 *
 * @module
 */

import { parseAttribute } from '../../../ground/names.ts'
import { parseLookup } from '../../../language/lookups.ts'
import type { Rate } from '../../../language/schedule.ts'

/** Attributes belong to their side, coordinates to theirs, displacements and look-ups to the loop, and parameters to the run. */
export function rateOf(name: string): Rate {
  const attribute = parseAttribute(name)
  if (attribute) return attribute.side === 'i' ? 'target' : 'source'
  if (/^(d[xyz]|r2|safeR2|[xyz][ij])$/.test(name) || parseLookup(name)) return 'loop'
  return 'run'
}
