/**
 * The expression tree: six frozen node kinds, and nothing else.
 *
 * Subtraction is a sum with a `-1` coefficient, division a product with a `-1` power, and every root a fractional
 * power. With fewer kinds, each visitor (simplify, differentiate, render) is short and complete.
 * This file only builds nodes; it never rearranges them (see `canonical.ts`).
 *
 * @module
 */
import { type FunctionName, functions } from './functions/table.ts'

export interface Constant {
  readonly kind: 'constant'
  readonly value: number
}
/**
 * A name that gets its value later: an attribute (`mass_j`), a parameter (`G`), a built-in (`dx`, `r2`), or a look-up in a table
 * (`lookups.ts`).
 */
export interface SymbolNode {
  readonly kind: 'symbol'
  readonly name: string
}
export interface Sum {
  readonly kind: 'sum'
  readonly terms: readonly Expr[]
}
export interface Product {
  readonly kind: 'product'
  readonly factors: readonly Expr[]
}
/** `base ^ exponent` with a numeric exponent; a computed exponent is a call of `pow`. */
export interface Power {
  readonly kind: 'power'
  readonly base: Expr
  readonly exponent: number
}
export interface Call {
  readonly kind: 'call'
  readonly name: FunctionName
  readonly args: readonly Expr[]
}

export type Expr = Constant | SymbolNode | Sum | Product | Power | Call
export type ExprKind = Expr['kind']

export const constant = (value: number): Constant => Object.freeze({ kind: 'constant', value })
export const symbol = (name: string): SymbolNode => Object.freeze({ kind: 'symbol', name })
export const sum = (...terms: readonly Expr[]): Sum => Object.freeze({ kind: 'sum', terms: Object.freeze([...terms]) })
export const product = (...factors: readonly Expr[]): Product =>
  Object.freeze({ kind: 'product', factors: Object.freeze([...factors]) })
export const power = (base: Expr, exponent: number): Power => Object.freeze({ kind: 'power', base, exponent })
export const call = (name: FunctionName, ...args: readonly Expr[]): Call =>
  Object.freeze({ kind: 'call', name, args: Object.freeze([...args]) })

export const negate = (e: Expr): Product => product(constant(-1), e)
export const subtract = (a: Expr, b: Expr): Sum => sum(a, negate(b))
export const divide = (a: Expr, b: Expr): Product => product(a, power(b, -1))
export const sqrt = (e: Expr): Power => power(e, 0.5)

const childrenOf: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => readonly Expr[] } = {
  constant: () => [],
  symbol: () => [],
  sum: (e) => e.terms,
  product: (e) => e.factors,
  power: (e) => [e.base],
  call: (e) => e.args,
}

/** The direct operands of a node, in order. */
export function children(e: Expr): readonly Expr[] {
  return (childrenOf[e.kind] as (e: Expr) => readonly Expr[])(e)
}

const keys = new WeakMap<Expr, string>()

/** Longer keys are cut and get a digest. Because operands are shared, complete keys would grow without bound. */
const longestKey = 240

const keyOf: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => string } = {
  constant: (e) => String(e.value),
  symbol: (e) => e.name,
  sum: (e) => `(+ ${e.terms.map(key).join(' ')})`,
  product: (e) => `(* ${e.factors.map(key).join(' ')})`,
  power: (e) => `(^ ${key(e.base)} ${e.exponent})`,
  call: (e) => `(${e.name} ${e.args.map(key).join(' ')})`,
}

/** A string that is equal for two trees exactly if they have the same structure. */
export function key(e: Expr): string {
  let k = keys.get(e)
  if (k === undefined) {
    const whole = (keyOf[e.kind] as (e: Expr) => string)(e)
    k = whole.length <= longestKey ? whole : `${whole.slice(0, longestKey)}#${digest(whole)}`
    keys.set(e, k)
  }
  return k
}

/** 106 bits that tell texts apart: two rounds of a multiplicative hash, each with two accumulators. */
function digest(text: string): string {
  return [0x9e3779b9, 0x85ebca6b]
    .map((seed) => {
      let [a, b] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed]
      for (let n = 0; n < text.length; n++) {
        const code = text.charCodeAt(n)
        a = Math.imul(a ^ code, 2654435761)
        b = Math.imul(b ^ code, 1597334677)
      }
      a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
      b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
      return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36)
    })
    .join('')
}

export function isConstant(e: Expr, value?: number): e is Constant {
  return e.kind === 'constant' && (value === undefined || e.value === value)
}

/** Whether the value of an expression is a condition, not a number. */
export function isCondition(e: Expr): boolean {
  return e.kind === 'call' && functions[e.name].result === 'condition'
}

/** The nodes of trees. A shared node appears once. */
export function nodesOf(...trees: readonly Expr[]): ReadonlySet<Expr> {
  const found = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (found.has(e)) return
    found.add(e)
    children(e).forEach(visit)
  }
  trees.forEach(visit)
  return found
}

/** The names of all symbols in trees. */
export function symbolsOf(...trees: readonly Expr[]): Set<string> {
  const names = new Set<string>()
  for (const e of nodesOf(...trees)) if (e.kind === 'symbol') names.add(e.name)
  return names
}

export const dependsOn = (e: Expr, name: string): boolean => symbolsOf(e).has(name)

/** Splits a term into its numeric coefficient and the rest. */
export function splitCoefficient(e: Expr): readonly [number, Expr] {
  if (e.kind === 'constant') return [e.value, constant(1)]
  const [first, ...rest] = e.kind === 'product' ? e.factors : []
  if (first?.kind !== 'constant') return [1, e]
  return [first.value, rest.length === 1 ? (rest[0] as Expr) : product(...rest)]
}

/** Splits a factor into base and exponent. */
export function splitExponent(e: Expr): readonly [Expr, number] {
  return e.kind === 'power' ? [e.base, e.exponent] : [e, 1]
}
