/**
 * How many registers of targets suit a loop, by its operations.
 *
 * @module
 */
import type { PairBody } from '@manybody/core/expression'
import { children, type Expr } from '@manybody/core/expression'
import { isInstruction } from '../expressions/function-names.ts'

/** With more operations per pair than this, four registers of targets hide each other's latency. */
const longLoop = 33

/**
 * The number of registers of targets that suits a loop. Short loops with a division wait for the divider, so one is enough.
 * Short loops without a division save loads of sources with two. Long loops, vectors and numbers of tables overlap their dependent chains
 * with four.
 */
export function registersFor(body: PairBody): 1 | 2 | 4 {
  if (body.folds.length > 0 || body.reads.length > 0) return 4
  if (expressionsOf(body).reduce((total, e) => total + operations(e), 0) > longLoop) return 4
  return expressionsOf(body).some(divides) ? 1 : 2
}

export const expressionsOf = ({ loop, terms, reaction, keep }: PairBody): readonly Expr[] => [
  ...loop.map((b) => b.expr),
  ...terms,
  ...reaction,
  ...(keep ? [keep] : []),
]

/** Number of operations. A function counts as many. */
function operations(e: Expr): number {
  const own = e.kind !== 'call' ? children(e).length - 1 : isInstruction(e.name) ? 1 : longLoop
  return children(e).reduce((total, child) => total + operations(child), Math.max(0, own))
}

function divides(e: Expr): boolean {
  return e.kind === 'power' || children(e).some(divides)
}
