/**
 * The expressions of the components in folds (`folds.ts`).
 *
 * @module
 */
import { componentText } from './fold-names.ts'
import type { Expr } from './nodes.ts'
import { parse } from './parse.ts'
import { simplify } from './simplify.ts'

const known = new Map<string, Expr>()
const mostKnown = 256

const anyName = { names: [], open: { test: () => true, describe: 'any name' } }

/** The expression that a fold adds up, component by component. Undefined for the name of another symbol. */
export function foldBody(name: string): Expr | undefined {
  const text = componentText(name)
  if (text === undefined) return undefined
  const found = known.get(text) ?? simplify(parse(text, anyName))
  if (known.size >= mostKnown) known.clear()
  known.set(text, found)
  return found
}
