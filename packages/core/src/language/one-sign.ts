/**
 * Even powers of differences in one of their two signs: `(q_j - q_i)^2` is `(q_i - q_j)^2`, also as the component of a vector. Only
 * comparisons of both points of a pair need it: laws keep the form that they are written in.
 *
 * @module
 */
import { foldBody } from './fold-bodies.ts'
import { sameKind } from './folds.ts'
import { type Expr, key, negate, power } from './nodes.ts'
import { rebuildWith } from './rebuild.ts'
import { simplify } from './simplify.ts'

export const inOneSign = (e: Expr): Expr =>
  rebuildWith(e, {
    symbol(s) {
      const component = foldBody(s.name)
      return component ? sameKind(s.name, inOneSign(component)) : s
    },
    power: ({ base, exponent }, again) => power(exponent % 2 === 0 ? ofOneSign(again(base)) : again(base), exponent),
  })

/** A sum or its opposite, whichever has the lesser key. */
function ofOneSign(e: Expr): Expr {
  if (e.kind !== 'sum') return e
  const opposite = simplify(negate(e))
  return key(opposite) < key(e) ? opposite : e
}
