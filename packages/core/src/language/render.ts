/**
 * The one visitor that turns a tree into something else: WGSL, GLSL or plain text, WebAssembly instructions, a float64
 * closure, a count of operations. A {@link Language} defines the target in one table.
 *
 * The visitor makes the decisions that all targets share: where a negative coefficient becomes a subtraction, and where a `-1` power
 * becomes a division. It also balances long products, `(a*b)*(c*d)`, to shorten the chain of dependent operations.
 *
 * @module
 */
import type { FunctionName } from './functions/table.ts'
import { constant, type Expr, type ExprKind, product, splitCoefficient } from './nodes.ts'

/** One operator table: how to express each operation in `T`. */
export interface Language<T> {
  readonly constant: (value: number) => T
  readonly symbol: (name: string) => T
  readonly add: (a: T, b: T) => T
  readonly subtract: (a: T, b: T) => T
  readonly multiply: (a: T, b: T) => T
  readonly divide: (a: T, b: T) => T
  readonly negate: (a: T) => T
  /** Any exponent but -1 and 1. After `expandPowers` only 0.5, -0.5 and exponents that are not multiples of a half are left. */
  readonly power: (base: T, exponent: number) => T
  readonly call: { readonly [F in FunctionName]: (...args: readonly T[]) => T }
}

/** Renders a tree in a language. */
export function render<T>(e: Expr, language: Language<T>): T {
  return (kinds[e.kind] as (e: Expr, language: Language<T>) => T)(e, language)
}

const kinds: { readonly [K in ExprKind]: <T>(e: Extract<Expr, { kind: K }>, language: Language<T>) => T } = {
  constant: ({ value }, language) =>
    value < 0 ? language.negate(language.constant(-value)) : language.constant(value),
  symbol: ({ name }, language) => language.symbol(name),
  sum: ({ terms }, language) => renderSum(terms, language),
  product: renderProduct,
  power: ({ base, exponent }, language) =>
    exponent === -1
      ? language.divide(language.constant(1), render(base, language))
      : language.power(render(base, language), exponent),
  call: ({ name, args }, language) => language.call[name](...args.map((arg) => render(arg, language))),
}

/** Puts positive terms first and plain terms before products, so that `a + b*c` can be fused. */
function renderSum<T>(terms: readonly Expr[], language: Language<T>): T {
  const signed = terms.map((term) => {
    const [coefficient, rest] = splitCoefficient(term)
    return { negative: coefficient < 0, term: coefficient < 0 ? scaled(-coefficient, rest) : term }
  })
  const rank = (t: { negative: boolean; term: Expr }) => (t.negative ? 2 : 0) + (t.term.kind === 'product' ? 1 : 0)
  const [first, ...rest] = signed.sort((a, b) => rank(a) - rank(b))
  if (first === undefined) return language.constant(0)
  const start = render(first.term, language)
  return rest.reduce(
    (total, { negative, term }) => (negative ? language.subtract : language.add)(total, render(term, language)),
    first.negative ? language.negate(start) : start,
  )
}

function renderProduct<T>(e: Expr, language: Language<T>): T {
  const [coefficient, rest] = splitCoefficient(e)
  if (coefficient < 0) return language.negate(render(scaled(-coefficient, rest), language))
  const factors = e.kind === 'product' ? e.factors : [e]
  const below = factors.flatMap((f) => (f.kind === 'power' && f.exponent === -1 ? [f.base] : []))
  const above = factors.filter((f) => !(f.kind === 'power' && f.exponent === -1))
  const balanced = (list: readonly T[]): T => {
    if (list.length === 1) return list[0] as T
    const half = Math.ceil(list.length / 2)
    return language.multiply(balanced(list.slice(0, half)), balanced(list.slice(half)))
  }
  const all = (list: readonly Expr[]) =>
    list.length ? balanced(list.map((f) => render(f, language))) : language.constant(1)
  return below.length ? language.divide(all(above), all(below)) : all(above)
}

function scaled(coefficient: number, rest: Expr): Expr {
  if (coefficient === 1) return rest
  if (rest.kind === 'constant') return constant(coefficient * rest.value)
  return product(constant(coefficient), ...(rest.kind === 'product' ? rest.factors : [rest]))
}
