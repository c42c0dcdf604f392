/**
 * Which bases of powers have an inverse root, by their keys.
 *
 * @module
 */
import { children, type Expr, key } from '../expression/nodes.ts'
import { isHalf } from './arithmetic.ts'

/** Bases with an inverse root: all their negative powers may be computed from it. */
export function rootedBases(expressions: readonly Expr[]): ReadonlySet<string> {
  const rooted = new Set<string>()
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    if (e.kind === 'power' && e.exponent < 0 && isHalf(e.exponent)) rooted.add(key(e.base))
    children(e).forEach(visit)
  }
  expressions.forEach(visit)
  return rooted
}
