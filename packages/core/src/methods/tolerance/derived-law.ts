/**
 * Laws that a tree makes of the terms of another one. They are text, as every law is, and a text has a limit.
 *
 * @module
 */
import { ExpressionError } from '../../ground/errors.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, product, symbol } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { expressionsOf } from '../../problem/interactions/parse-interaction.ts'
import type { Term } from '../../problem/workloads/quantity.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'

/** A term as components, one by one. */
export function inComponents(term: Term, dimension: Dimension): readonly Expr[] {
  if (term.form === 'components') return term.components
  return ['dx', 'dy', 'dz'].slice(0, dimension).map((axis) => product(term.coefficient, symbol(axis)))
}

/** The law with these expressions as components. */
export const lawOf = (
  name: string,
  components: readonly Expr[],
  parameters: Interaction['parameters'],
): Interaction => ({
  name,
  kind: 'term',
  expressions: Object.fromEntries(components.map((e, n) => [`c${n}`, toText(e)])),
  parameters,
  symmetric: false,
})

/** Whether the expressions of a law are longer than any text may be. */
export function tooLong(law: Interaction): boolean {
  try {
    expressionsOf(law)
    return false
  } catch (error) {
    if (error instanceof ExpressionError) return true
    throw error
  }
}
