/**
 * A limit on the work that a text can cause. Definitions and powers make trees with shared operands, which count once: every backend
 * computes them once. Written out, such a tree may be exponentially larger than its text.
 *
 * @module
 */
import { ExpressionError } from '../ground/errors.ts'
import { children, type Expr } from './nodes.ts'
import { once } from './rebuild.ts'

/** Larger powers stay powers: as products they would lose more digits than a logarithm does. */
export const mostRepeated = 64

/** Whether a power is products and a root; others are functions. */
export const isRepeated = (exponent: number): boolean =>
  Number.isInteger(2 * exponent) && Math.abs(exponent) <= mostRepeated

/** Far more than any law needs; a shader of this size still compiles in seconds. */
const mostOperations = 40_000

/** The number of numbers, names and operations. Shared operands count each time they are used. */
export function writtenOut(tree: Expr): number {
  const size: (e: Expr) => number = once(
    (e) => 1 + children(e).reduce((total, child) => total + size(child), 0) * (e.kind === 'power' ? timesOf(e) : 1),
  )
  return size(tree)
}

/** Twice as many as a text may have, so a tree with more repeats parts. */
const mostWritten = 4000

/** Whether a tree is too long for texts that write out shared operands. */
export const isLong = (tree: Expr): boolean => writtenOut(tree) > mostWritten

/** How often a power's base is multiplied. */
function timesOf({ exponent }: { readonly exponent: number }): number {
  return isRepeated(exponent) ? Math.ceil(Math.abs(exponent)) : 1
}

/** The most components of a term, or expressions of a map or stencil. Each costs the device memory and compilation time. */
const mostExpressions = 256

/** @throws RangeError for more expressions than a workload may have */
export function requireCount(count: number, what: string): void {
  if (count > mostExpressions)
    throw new RangeError(
      `"${what}" expected at most ${mostExpressions} expressions, got ${count}; split them over several workloads`,
    )
}

/** The number of numbers, names and operations. Equal operands count once, but each time that an operation takes them. */
function sizeOf(tree: Expr): number {
  let total = 0
  const visit: (e: Expr) => void = once((e) => {
    const operands = children(e)
    total += Math.max(1, operands.length)
    operands.forEach(visit)
  })
  visit(tree)
  return total
}

/**
 * @param text the source of the tree, for the message
 * @throws {@link ExpressionError}
 */
export function requireSize(e: Expr, text: string, what = 'the expression'): void {
  const size = sizeOf(e)
  if (size > mostOperations)
    throw new ExpressionError(
      `${what} has ${size} numbers, names and operations, expected at most ${mostOperations}; write it with fewer`,
      text,
      0,
    )
}
