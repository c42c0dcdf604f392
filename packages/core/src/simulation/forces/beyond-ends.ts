/**
 * Says that a tabulated function of a force or of a link has no value, because its argument lies beyond its ends.
 *
 * @module
 */
import { evaluate } from '../../language/evaluate.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, symbolsOf } from '../../language/nodes.ts'
import { scopeOf } from '../../problem/workloads/tables/function-scope.ts'
import { short } from '../../truth/reference/strays/first-stray.ts'
import { type KnownCall, numbersOf } from './curve-scope.ts'

/** The argument of a call, and the ends of the function. */
export function readBy({ looked, argument }: KnownCall): readonly Expr[] {
  const number = numbersOf(looked)
  return [argument, number('from'), number('to')]
}

/** Names the first function that is read beyond its ends; undefined if none is. @param numbers those that the calls read */
export function beyondEnds(calls: readonly KnownCall[], numbers: Readonly<Record<string, number>>): string | undefined {
  const arrays = calls.map(({ looked }) => looked.array)
  for (const call of calls) {
    const { looked } = call
    if (scopeOf(looked.curves).outside !== 'error') continue
    const [x, from, to] = readBy(call).map((e) => evaluate(e, numbers)) as [number, number, number]
    // An argument that is not a number has another reason.
    if (!(x < from || x > to)) continue
    const isNested = [...symbolsOf(looked.argument)].some((name) => arrays.some((array) => name.startsWith(array)))
    const named = isNested ? 'its argument' : toText(looked.argument)
    // As many digits as float32 has: an argument may be just beyond.
    const [first, last, at] = [from, to, x].map((value) => short(value, 7))
    return `the function ${looked.name} is tabulated from ${first} to ${last}, and ${named} is ${at}`
  }
  return undefined
}
