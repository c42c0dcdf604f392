/**
 * A language with counts as its words: the cost of one pass of a pair loop. An added product counts as fused.
 *
 * @module
 */
import { type FunctionName, functions } from '../../src/language/functions/table.ts'
import { type Language, render } from '../../src/language/render.ts'
import type { PairBody } from '../../src/problem/workloads/bodies/pair-body.ts'

/** Operations by name; `fma` is `a*b + c` with any signs. Signs by themselves cost nothing. */
export type Counts = Record<string, number>

/** Whether a value is a product that nothing else reads, so that adding it fuses. */
interface Value {
  readonly product: boolean
}
const plain: Value = { product: false }

function countingLanguage(counts: Counts): Language<Value> {
  const count = (name: string, by = 1) => {
    counts[name] = (counts[name] ?? 0) + by
    return plain
  }
  const add = (name: string) => (a: Value, b: Value) => {
    if (!a.product && !b.product) return count(name)
    count('multiply', -1)
    return count('fma')
  }
  return {
    constant: () => plain,
    symbol: () => plain,
    add: add('add'),
    subtract: add('subtract'),
    multiply: () => {
      count('multiply')
      return { product: true }
    },
    divide: () => count('divide'),
    negate: (a) => a,
    power: (_, exponent) => count(exponent === 0.5 ? 'sqrt' : exponent === -0.5 ? 'inverseSqrt' : 'pow'),
    call: Object.fromEntries(
      Object.keys(functions).map((name) => [name, () => count(name)]),
    ) as unknown as Language<Value>['call'],
  } satisfies Language<Value> & { call: { readonly [F in FunctionName]: unknown } }
}

/** The operations of the loop for each pair, including the addition of its terms. */
export function operationsPerPair(body: PairBody, dimension: number): Counts {
  const counts: Counts = {}
  const language = countingLanguage(counts)
  for (const { expr } of body.loop) render(expr, language)
  if (body.keep) render(body.keep, language)
  for (const term of body.terms) {
    const value = render(term, language)
    if (body.form === 'radial')
      for (let axis = 0; axis < dimension; axis++) language.add(plain, language.multiply(plain, plain))
    else language.add(plain, value)
  }
  return Object.fromEntries(
    Object.entries(counts)
      .filter(([, n]) => n !== 0)
      .sort(),
  )
}

export const totalOf = (counts: Counts): number => Object.values(counts).reduce((total, n) => total + n, 0)
