/**
 * Refuses parts of an expression that have no finite value whatever the points are: `1/(a - a)`, `log(0)`, `exp(1000)`.
 *
 * Shading languages have no spelling for infinity, and may assume that there is none: so that a law means the same on
 * every backend, it is rejected when it is written.
 *
 * @module
 */
import { ExpressionError } from '../errors.ts'
import { evaluate } from './evaluate.ts'
import { functions } from './functions/table.ts'
import { toText } from './infix.ts'
import { children, type Expr } from './nodes.ts'
import { parse, type Scope } from './parse.ts'
import { simplify } from './simplify.ts'

/** Parses what a caller wrote. @throws ExpressionError naming a part that is never finite */
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
    if (!isNumber(part) || Number.isFinite(evaluate(part))) return
    throw new ExpressionError(
      `${toText(part)} is ${evaluate(part)} for all points, after what cancels is left out; where something is to be out of reach, write a large number such as 1e30`,
      text,
      0,
    )
  }
  visit(e)
}

/** Whether a part is made of numbers alone, and is one; what made it so was checked before. */
function isNumber(e: Expr): boolean {
  if (e.kind === 'call' && functions[e.name].result === 'condition') return false
  return e.kind === 'constant' || (e.kind !== 'symbol' && children(e).every((child) => child.kind === 'constant'))
}
