/**
 * A term that is a vector, divided: the numbers of a pair, and a component in terms of them. `exp(-sqdist(x_i, y_j))*vector(b_j)` has one
 * number, the exponential, and the component `pair0*b_j`. A loop computes the numbers once for all components.
 *
 * @module
 */
import { productOf, sumOf } from '../../../language/canonical.ts'
import { foldBody } from '../../../language/fold-bodies.ts'
import { isVector, vectorsIn } from '../../../language/fold-names.ts'
import { type Expr, isCondition, isConstant, key, symbol, symbolsOf } from '../../../language/nodes.ts'
import { rebuildOperands, rebuildWith } from '../../../language/rebuild.ts'
import { simplify } from '../../../language/simplify.ts'

export interface VectorTerm {
  /** The numbers of a pair, and their names in the component. */
  readonly numbers: readonly Expr[]
  readonly names: readonly string[]
  /** A component, in the components of vectors, in numbers of the pair, and in those of the run. */
  readonly component: Expr
  /** The vectors whose components it reads: `x_i`, `y_j`. */
  readonly vectors: readonly string[]
}

/** The name of a number of a pair. No text of a law has it. */
export const pairNumber = (n: number): string => `pair:${n}`

/**
 * @param e the term, with vectors as symbols
 * @param isGiven whether a name is that of a vector among the parameters
 */
export function dividedVector(e: Expr, isGiven: (name: string) => boolean): VectorTerm {
  const vectors = new Set([...symbolsOf(e)].filter(isVector).flatMap((name) => vectorsIn(name) ?? []))
  const whole = rebuildWith(e, { symbol: (s) => (isVector(s.name) ? (foldBody(s.name) as Expr) : s) })
  const varies = (part: Expr) => [...symbolsOf(part)].some((name) => vectors.has(name) || isGiven(name))
  const numbers = new Map<string, Expr>()
  const numbered = (number: Expr): Expr => {
    if (isConstant(number)) return number
    numbers.set(key(number), number)
    return symbol(pairNumber([...numbers.keys()].indexOf(key(number))))
  }
  /** The operands that are numbers of the pair as one, before the others. */
  const grouped = (operands: readonly Expr[], join: (operands: readonly Expr[]) => Expr): readonly Expr[] => {
    const fixed = operands.filter((one) => !varies(one) && !isConstant(one))
    const others = operands.filter((one) => varies(one) || isConstant(one))
    return fixed.length === 0 ? others : [join(fixed), ...others]
  }
  const divide = (part: Expr): Expr => {
    if (!varies(part) && !isCondition(part)) return numbered(part)
    if (part.kind === 'product') return productOf(grouped(part.factors, productOf).map(divide))
    if (part.kind === 'sum') return sumOf(grouped(part.terms, sumOf).map(divide))
    return rebuildOperands(part, divide)
  }
  const component = divide(simplify(whole))
  const names = Array.from(numbers.values(), (_, n) => pairNumber(n))
  return { numbers: [...numbers.values()], names, component, vectors: [...vectors] }
}
