/**
 * The expressions of the components in folds (`folds.ts`).
 *
 * @module
 */
import { RememberedTexts } from '../ground/remember-texts.ts'
import { componentText } from './fold-names.ts'
import type { Expr } from './nodes.ts'
import { parse } from './parse.ts'
import { simplify } from './simplify.ts'

const known = new RememberedTexts<Expr>(2 ** 12)

const anyName = { names: [], open: { test: () => true, describe: 'any name' } }

/** The expression that a fold adds up, component by component. Undefined for the name of another symbol. */
export function foldBody(name: string): Expr | undefined {
  const text = componentText(name)
  if (text === undefined) return undefined
  return known.of(text, () => simplify(parse(text, anyName)))
}
