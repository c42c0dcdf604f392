/**
 * Expressions in one of two forms of one value: `(q_j - q_i)^2` is `(q_i - q_j)^2`, also as the component of a vector, `max(a, b)` is
 * `max(b, a)`, and `select(a < b, a, b)` is `select(b < a, b, a)`. Only comparisons of both points of a pair need it: laws keep the form that they are written in.
 *
 * @module
 */
import { callOf, powerOf, productOf } from './canonical.ts'
import { foldBody } from './fold-bodies.ts'
import { sameKind } from './folds.ts'
import { attributesIn } from './lookups.ts'
import { type Call, call, type Expr, key, negate, power } from './nodes.ts'
import { rebuildWith } from './rebuild.ts'
import { simplify, substitute } from './simplify.ts'

export const inOneSign = (e: Expr): Expr => rewritten(e, choiceInOneOrder)

/** @param choice gives a choice with these operands, which are rewritten */
const rewritten = (e: Expr, choice: (args: readonly Expr[]) => Expr): Expr =>
  rebuildWith(e, {
    symbol(s) {
      const component = foldBody(s.name)
      return component ? sameKind(s.name, rewritten(component, choice)) : s
    },
    power: ({ base, exponent }, again) => power(exponent % 2 === 0 ? ofOneSign(again(base)) : again(base), exponent),
    call: ({ name, args }, again) => (name === 'select' ? choice(args.map(again)) : inOneOrder(name, args.map(again))),
  })

/** Functions with the same value for both signs of their operand, and for both orders of their operands. */
const [even, commutative] = [
  ['abs', 'cos'],
  ['max', 'min', 'equal', 'and', 'or'],
]

function inOneOrder(name: Call['name'], args: readonly Expr[]): Expr {
  if (even.includes(name)) return call(name, ...args.map(ofOneSign))
  if (!commutative.includes(name)) return call(name, ...args)
  const keyed = args.map((e) => simplify(e)).map((e) => [key(e), e] as const)
  return call(name, ...keyed.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, e]) => e))
}

/** A choice by the order of two names, with these in one order, if both sides are alike where the names are equal. */
function choiceInOneOrder(args: readonly Expr[]): Expr {
  const [condition, chosen, other] = args
  if (condition?.kind !== 'call' || !orders.includes(condition.name) || !chosen || !other) return unchanged(args)
  const [a, b] = condition.args
  if (a?.kind !== 'symbol' || b?.kind !== 'symbol' || !ofBothPoints(a.name, b.name)) return unchanged(args)
  if (!agreeAt(a.name, b, chosen, other)) return unchanged(args)
  return key(a) < key(b)
    ? call('select', call('less', a, b), chosen, other)
    : call('select', call('less', b, a), other, chosen)
}

const orders = ['less', 'lessEqual']

/** The exchange of both points turns no other order around. */
const ofBothPoints = (...names: readonly string[]): boolean =>
  new Set(names.flatMap(attributesIn).map(({ side }) => side)).size === 2

const unchanged = (args: readonly Expr[]): Expr => call('select', ...args)

/**
 * Whether two expressions are alike where a name is equal to another one. Choices within them are in one order already: to look at these
 * again would take twice the time for each choice around them.
 */
function agreeAt(name: string, same: Expr, ...both: readonly [Expr, Expr]): boolean {
  const [one, other] = both.map((e) => key(simplify(rewritten(substitute(e, { [name]: same }), unchanged))))
  return one === other
}

/** A sum or a logarithm, or its opposite, whichever has the lesser key; of a product, each factor. */
function ofOneSign(given: Expr): Expr {
  const e = simplify(given)
  if (e.kind === 'product') return productOf(e.factors.map(ofOneSign))
  const opposite = oppositeOf(e)
  return opposite && key(opposite) < key(e) ? opposite : e
}

function oppositeOf(e: Expr): Expr | undefined {
  if (e.kind === 'sum') return simplify(negate(e))
  const [of] = e.kind === 'call' && e.name === 'log' ? e.args : []
  return of && simplify(callOf('log', [powerOf(of, -1)]))
}
