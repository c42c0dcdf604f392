/**
 * Whether the structure of an expression shows that it is never below 0. Where it has no value, it is not a number.
 *
 * @module
 */
import { isNonnegative } from './canonical.ts'
import { functions } from './functions/table.ts'
import type { Expr, ExprKind } from './nodes.ts'

const rules: { readonly [K in ExprKind]: (e: Extract<Expr, { kind: K }>) => boolean } = {
  constant: ({ value }) => value >= 0,
  symbol: isNonnegative,
  sum: ({ terms }) => terms.every(neverNegative),
  product: ({ factors }) => factors.every(neverNegative),
  power: ({ base, exponent }) => !Number.isInteger(exponent) || exponent % 2 === 0 || neverNegative(base),
  call: ({ name, args }) => {
    const definition = functions[name]
    return 'range' in definition ? definition.range !== 'all' : name === 'select' && args.slice(1).every(neverNegative)
  },
}

/** Whether it is provably 0 or above; `false` means "not proven". */
export function neverNegative(e: Expr): boolean {
  return (rules[e.kind] as (e: Expr) => boolean)(e)
}
