/**
 * Operator tables for languages with infix operators, printed without superfluous parentheses, and the table for our
 * expression text. Backends make theirs (WGSL, GLSL) with the same helper.
 *
 * @module
 */

import { foldText } from './fold-names.ts'
import { type FunctionName, functionNames, functions } from './functions/table.ts'
import type { Expr } from './nodes.ts'
import { partsOf } from './parts.ts'
import { type Language, render } from './render.ts'

/** Text, and how tightly its outermost operator binds. */
export interface Infix {
  readonly text: string
  readonly strength: number
}

/** The differences between infix languages: literals, names, powers and the spelling of calls. */
export interface InfixDialect {
  readonly constant: (value: number) => string
  readonly symbol: (name: string) => string
  readonly power: (base: string, exponent: number) => string
  readonly call: Spellings
}

/**
 * How to write each function: the name to call, an operator between two operands or before one, or a function of the rendered
 * operands.
 */
export type Spellings = { readonly [F in FunctionName]: string | ((...args: string[]) => string) }

/** The common spellings: a call by the function's name, and the operators of C. */
export const usualSpellings: Spellings = Object.fromEntries(
  functionNames.map((name) => {
    const definition = functions[name]
    return [name, ('operator' in definition && definition.operator) || name]
  }),
) as Spellings

const additive = 1
const multiplicative = 2
const prefix = 3
const atomic = 4

/** The operator table of an infix language. */
export function infixLanguage(dialect: InfixDialect): Language<Infix> {
  const atom = (text: string): Infix => ({ text, strength: atomic })
  const wrap = (e: Infix, least: number) => (e.strength < least ? `(${e.text})` : e.text)
  const join =
    (operator: string, strength: number, rightLeast: number) =>
    (a: Infix, b: Infix): Infix => ({ text: `${wrap(a, strength)} ${operator} ${wrap(b, rightLeast)}`, strength })
  const call = (name: FunctionName) => {
    const spell = dialect.call[name]
    return (...args: readonly Infix[]): Infix => {
      const texts = args.map((a) => a.text)
      if (typeof spell !== 'string') return atom(spell(...texts))
      if (/^\w/.test(spell)) return atom(`${spell}(${texts.join(', ')})`)
      return atom(texts.length === 1 ? `${spell}(${texts[0]})` : `(${texts.join(` ${spell} `)})`)
    }
  }
  return {
    constant: (value) => atom(dialect.constant(value)),
    symbol: (name) => atom(dialect.symbol(name)),
    add: join('+', additive, additive),
    subtract: join('-', additive, multiplicative),
    // Keep the parentheses of the right operand, because the visitor chose this balanced order.
    multiply: join('*', multiplicative, prefix),
    divide: join('/', multiplicative, prefix),
    negate: (a) => ({ text: `-${wrap(a, prefix)}`, strength: prefix }),
    power: (base, exponent) => atom(dialect.power(base.text, exponent)),
    call: Object.fromEntries(functionNames.map((name) => [name, call(name)])) as Language<Infix>['call'],
  }
}

const expressionText = infixLanguage({
  constant: String,
  symbol: (name) => foldText(name) ?? name,
  power: (base, exponent) => {
    if (exponent === 0.5) return `sqrt(${base})`
    if (exponent === -0.5) return `inverseSqrt(${base})`
    return `${/^\w+$/.test(base) ? base : `(${base})`}^${exponent < 0 ? `(${exponent})` : exponent}`
  },
  call: usualSpellings,
})

/**
 * The tree as text that parses back to the same function. Parts that a long one has more than once become definitions, which no
 * caller can name so: `_0*_0 + r2; _0 = exp(-r2)`. So a text is about as long as its tree has nodes.
 */
export function toText(e: Expr): string {
  const { whole, definitions } = partsOf(e)
  const text = (tree: Expr) => render(tree, expressionText).text
  return [text(whole), ...definitions.map(({ name, expr }) => `${name} = ${text(expr)}`)].join('; ')
}
