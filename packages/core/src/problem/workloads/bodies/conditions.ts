/**
 * Conditions that are made of others. Parts that are known to hold or to fail disappear, and the whole may become known.
 *
 * @module
 */
import { call, type Expr, key } from '../../../language/nodes.ts'

/** Known, or an expression that decides. */
export type Condition = boolean | Expr

/** Whether at least one of them holds. */
export const anyOf = (...all: readonly Condition[]): Condition => joined('or', all)

/** Whether each of them holds. */
export const allOf = (...all: readonly Condition[]): Condition => joined('and', all)

function joined(name: 'and' | 'or', all: readonly Condition[]): Condition {
  const decisive = name === 'or'
  if (all.includes(decisive)) return decisive
  const parts = new Map(
    all.flatMap((c) => (typeof c === 'boolean' ? [] : partsOf(name, c))).map((c) => [key(c), c] as const),
  )
  if ([...parts.values()].some((c) => parts.has(key(notOf(c))))) return decisive
  const [first, ...others] = parts.values()
  return first === undefined ? !decisive : others.reduce((a, b) => call(name, a, b), first)
}

/** The conditions that are joined by `and` or by `or`. */
export function partsOf(name: 'and' | 'or', c: Expr): readonly Expr[] {
  return c.kind === 'call' && c.name === name ? c.args.flatMap((part) => partsOf(name, part)) : [c]
}

export function notOf(c: Expr): Expr
export function notOf(c: Condition): Condition
export function notOf(c: Condition): Condition {
  if (typeof c === 'boolean') return !c
  return c.kind === 'call' && c.name === 'not' ? (c.args[0] as Expr) : call('not', c)
}
