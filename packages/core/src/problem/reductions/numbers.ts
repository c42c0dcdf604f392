/**
 * Reductions with a few numbers as their state, as expressions that backends render: they need no fold by name.
 *
 * @module
 */
import { type Expr, symbol } from '../../language/nodes.ts'
import { parse } from '../../language/parse.ts'
import { type Binding, schedule } from '../../language/schedule.ts'
import { substitute } from '../../language/simplify.ts'
import type { NumbersRule } from './rule.ts'

/** A change of the state: values that it needs more than once, in order, then the new numbers of the state. */
export interface StateChange {
  readonly lets: readonly Binding[]
  readonly next: readonly Expr[]
}

/** The parts of a fold. Lists follow the order of the names; `other_<name>` is a number of another state. */
export interface NumbersFold {
  /** The numbers of the state, and their values before the first term. */
  readonly state: readonly { readonly name: string; readonly empty: number }[]
  /** Adds a term, which the expressions call `term`. */
  readonly add: StateChange
  /** Adds another state. */
  readonly join: StateChange
  /** The results, in the numbers of the state; `empty` is the value if the state equals the first. */
  readonly results: readonly { readonly name: string; readonly empty: number; readonly value: Expr }[]
  /** A state that gives these results again, as expressions in their names. */
  readonly fromResults: readonly Expr[]
  /** Whether a NaN among the terms makes the results NaN. It must then reach the last number of the state. */
  readonly keepsNaN: boolean
}

/** The fold of a rule. */
export function numbersFold(rule: NumbersRule): NumbersFold {
  const names = Object.keys(rule.state)
  const others = names.map((name) => `other_${name}`)
  const parsed = (texts: Readonly<Record<string, string>>, keys: readonly string[], scope: readonly string[]) =>
    keys.map((key) => parse(texts[key] ?? '', { names: scope }))
  const joined = parsed(rule.join, names, [...names, ...others])
  const terms = parsed(rule.ofTerm, names, ['term'])
  const ofTerm = Object.fromEntries(others.map((name, n) => [name, terms[n] as Expr]))
  const results = Object.keys(rule.results)
  const values = parsed(rule.toResults, results, names)
  return {
    state: names.map((name) => ({ name, empty: rule.state[name] as number })),
    add: changeOf(joined.map((e) => substitute(e, ofTerm))),
    join: changeOf(joined),
    results: results.map((name, n) => ({ name, empty: rule.results[name] as number, value: values[n] as Expr })),
    fromResults: parsed(rule.fromResults, names, results),
    keepsNaN: rule.ordered === true,
  }
}

/** Names the values of a change `change_...`. The body of a loop has other values, `e0, e1, ...`. */
function changeOf(outputs: readonly Expr[]): StateChange {
  const { loop, outputs: next } = schedule(outputs, { rateOf: () => 'loop' })
  const named = Object.fromEntries(loop.map(({ name }) => [name, symbol(`change_${name}`)]))
  return {
    lets: loop.map(({ name, expr }) => ({ name: `change_${name}`, expr: substitute(expr, named) })),
    next: next.map((e) => substitute(e, named)),
  }
}
