/**
 * Operator tables for languages written with infix operators, with no parenthesis more than needed; and the one for
 * this package's own expression text. Backends make theirs (WGSL, GLSL) from the same helper.
 *
 * @module
 */
import type { FunctionName } from './functions.ts'
import type { Expr } from './nodes.ts'
import { type Language, render } from './render.ts'

/** Text, and how tightly its outermost operator binds. */
export interface Infix {
  readonly text: string
  readonly strength: number
}

/** What differs between infix languages: literals, names, powers and the spelling of calls. */
export interface InfixDialect {
  readonly constant: (value: number) => string
  readonly symbol: (name: string) => string
  readonly power: (base: string, exponent: number) => string
  /** A function of the rendered operands, or the name of a function to call. */
  readonly call: { readonly [F in FunctionName]: string | ((...args: string[]) => string) }
}

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
      return atom(typeof spell === 'string' ? `${spell}(${texts.join(', ')})` : spell(...texts))
    }
  }
  return {
    constant: (value) => atom(dialect.constant(value)),
    symbol: (name) => atom(dialect.symbol(name)),
    add: join('+', additive, additive),
    subtract: join('-', additive, multiplicative),
    // The right operand keeps its parentheses: they are the balanced order that the visitor chose.
    multiply: join('*', multiplicative, prefix),
    divide: join('/', multiplicative, prefix),
    negate: (a) => ({ text: `-${wrap(a, prefix)}`, strength: prefix }),
    power: (base, exponent) => atom(dialect.power(base.text, exponent)),
    call: Object.fromEntries(
      (Object.keys(dialect.call) as FunctionName[]).map((name) => [name, call(name)]),
    ) as Language<Infix>['call'],
  }
}

const operator = (text: string) => (a: string, b: string) => `(${a} ${text} ${b})`

const expressionText = infixLanguage({
  constant: String,
  symbol: (name) => name,
  power: (base, exponent) => {
    if (exponent === 0.5) return `sqrt(${base})`
    if (exponent === -0.5) return `inverseSqrt(${base})`
    return `${/^\w+$/.test(base) ? base : `(${base})`}^${exponent < 0 ? `(${exponent})` : exponent}`
  },
  call: {
    exp: 'exp',
    log: 'log',
    sin: 'sin',
    cos: 'cos',
    tan: 'tan',
    tanh: 'tanh',
    erf: 'erf',
    erfc: 'erfc',
    abs: 'abs',
    sign: 'sign',
    floor: 'floor',
    ceil: 'ceil',
    round: 'round',
    step: 'step',
    atan2: 'atan2',
    min: 'min',
    max: 'max',
    pow: 'pow',
    select: 'select',
    less: operator('<'),
    lessEqual: operator('<='),
    equal: operator('=='),
    and: operator('&&'),
    or: operator('||'),
    not: (a) => `!(${a})`,
  },
})

/** The tree as text that parses back to the same function. */
export function toText(e: Expr): string {
  return render(e, expressionText).text
}
