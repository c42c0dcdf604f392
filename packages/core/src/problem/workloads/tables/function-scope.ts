/**
 * Tabulated functions as the text of a law sees them: how many kinds choose one, and what it is beyond its ends.
 *
 * @module
 */
import type { Curve, Curves } from '../../../ground/curves.ts'
import type { CurveScope } from '../../../language/curves.ts'

export function scopeOf(curves: Curves): CurveScope {
  const [first] = [curves].flat(2) as readonly Curve[]
  const indices = !Array.isArray(curves) ? 0 : Array.isArray(curves[0]) ? 2 : 1
  return { indices, outside: first?.outside ?? 'error' }
}
