/**
 * The first operation of an expression without a finite value: the law has no value there, or leaves the range of float32.
 *
 * @module
 */

import type { Precision } from '../../../ground/precision.ts'
import { evaluateInSteps } from '../../../language/evaluate.ts'
import { toText } from '../../../language/infix.ts'
import { functionOf } from '../../../language/lookups.ts'
import { children, type Expr, symbolsOf } from '../../../language/nodes.ts'
import { largest, smallest } from '../../../problem/workloads/numbers/number-range.ts'

type Values = Readonly<Record<string, number>>

/** A value as a device of that precision holds it. Some devices round the smallest numbers to 0. */
export const inPrecision = (value: number, precision: Precision): number => {
  if (precision === 'f64') return value
  const size = Math.abs(value)
  return size > largest ? value * Number.POSITIVE_INFINITY : size < smallest ? 0 : value
}

/** Names the operation without a finite value, and its operand; undefined if all of them have one. */
export function firstStray(e: Expr, values: Values, precision: Precision): string | undefined {
  const valueIn = (part: Expr) => evaluateInSteps(part, values, (value) => inPrecision(value, precision))
  const seen = new Set<Expr>()
  const find = (part: Expr): Expr | undefined => {
    if (seen.has(part)) return undefined
    seen.add(part)
    for (const operand of chosen(part, valueIn)) {
      const found = find(operand)
      if (found) return found
    }
    return Number.isFinite(valueIn(part)) ? undefined : part
  }
  const found = find(e)
  if (!found) return undefined
  const beyond = beyondEnds(found, values)
  if (beyond) return beyond
  const [only, ...others] = children(found)
  const operand = only && others.length === 0 ? ` for an operand of ${short(valueIn(only))}` : ''
  return `${brief(toText(found))} is ${valueIn(found)}${operand}`
}

/** Says so if a tabulated function has no value, because its argument lies beyond its ends (`language/curves.ts`). */
function beyondEnds(e: Expr, values: Values): string | undefined {
  const ends = [...symbolsOf(e)]
  if (ends.length !== 2 || !ends.every((name) => /^\w+::?(from|to)\b/.test(name))) return undefined
  const [from, to] = ends.map((name) => values[name] as number).sort((a, b) => a - b) as [number, number]
  return `the function ${functionOf(ends[0] as string)} is tabulated from ${short(from)} to ${short(to)}`
}

/** The operands that decide a value. A choice reads one of two numbers. */
function chosen(e: Expr, valueIn: (e: Expr) => number): readonly Expr[] {
  const operands = children(e)
  if (e.kind !== 'call' || e.name !== 'select') return operands
  const [when, a, b] = operands as [Expr, Expr, Expr]
  return [when, valueIn(when) ? a : b]
}

/** Few digits, because they only tell where to look. */
export const short = (x: number, digits = 4): string =>
  Number.isFinite(x) ? String(Number(x.toPrecision(digits))) : String(x)

const brief = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}...` : text)
