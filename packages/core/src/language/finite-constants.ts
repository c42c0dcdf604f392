/**
 * Rejects parts of an expression that are infinite or NaN for all points: `1/(a - a)`, `log(0)`, `exp(1000)`.
 *
 * Shading languages cannot write infinity, and may assume that it never occurs. Rejecting such a law when it is written keeps
 * its meaning the same on every backend.
 *
 * @module
 */
import { ExpressionError } from '../ground/errors.ts'
import { evaluate } from './evaluate.ts'
import { functions } from './functions/table.ts'
import { toText } from './infix.ts'
import { children, type Expr } from './nodes.ts'
import { parse } from './parse.ts'
import { simplify } from './simplify.ts'
import type { Scope } from './syntax/scope.ts'

/** Parses a text by a caller. @throws ExpressionError naming a part that is never finite */
export function parseFinite(text: string, scope: Scope): Expr {
  const e = parse(text, scope)
  requireFinite(simplify(e), text)
  return e
}

function requireFinite(e: Expr, text: string): void {
  const seen = new Set<Expr>()
  const visit = (part: Expr): void => {
    if (seen.has(part)) return
    seen.add(part)
    for (const child of children(part)) visit(child)
    if (!isNumber(part) || Number.isFinite(part.kind === 'constant' ? part.value : evaluate(part))) return
    throw new ExpressionError(
      `${toText(part)} is ${evaluate(part)} for all points, once factors that cancel are left out; for an infinite distance or barrier, write a large number such as 1e30`,
      text,
      0,
    )
  }
  visit(e)
}

/** Whether a part is a number made only of numbers that were checked before. */
function isNumber(e: Expr): boolean {
  if (e.kind === 'call' && functions[e.name].result === 'condition') return false
  return e.kind === 'constant' || (e.kind !== 'symbol' && children(e).every((child) => child.kind === 'constant'))
}
