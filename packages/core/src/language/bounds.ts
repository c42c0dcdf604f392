/**
 * Bounds of an expression from bounds of its symbols, wide enough for every value that a device computes.
 *
 * @module
 */
import type { Expr } from './nodes.ts'
import { once } from './rebuild.ts'

export type Bounds = readonly [low: number, high: number]

export const anything: Bounds = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** More than the relative error of an operation in float32, or of a number that was rounded to it. */
const rounding = 2 ** -21

/** Bounds of a number that devices may round. */
export const rounded = (low: number, high: number): Bounds => widened([low, high], sizeOf([low, high]))

/** They are infinite where an expression of these symbols may have no value, or is of a kind that has no bounds here. */
export function boundsOf(e: Expr, of: (symbol: string) => Bounds): Bounds {
  const bounds: (e: Expr) => Bounds = once((e) => boundsFrom(e, of, bounds))
  return bounds(e)
}

/** The bounds of one node; `again` finds those of its operands. */
function boundsFrom(e: Expr, of: (symbol: string) => Bounds, again: (e: Expr) => Bounds): Bounds {
  if (e.kind === 'constant') return rounded(e.value, e.value)
  if (e.kind === 'symbol') return of(e.name)
  if (e.kind === 'sum') {
    const terms = e.terms.map(again)
    const added = terms.reduce(([a, b], [c, d]) => [a + c, b + d])
    return widened(
      added,
      terms.reduce((size, term) => size + sizeOf(term), 0),
    )
  }
  if (e.kind === 'product') return e.factors.map(again).reduce(times)
  if (e.kind === 'power') return powered(again(e.base), e.exponent)
  if (e.name === 'select') return hull(e.args.slice(1).map(again))
  const [first = anything, second = first] = e.args.map(again)
  if (e.name === 'abs') return first[0] >= 0 ? first : [0, sizeOf(first)]
  if (e.name !== 'max' && e.name !== 'min') return anything
  const join = Math[e.name]
  return [join(first[0], second[0]), join(first[1], second[1])]
}

const sizeOf = ([low, high]: Bounds): number => Math.max(Math.abs(low), Math.abs(high))

const times = ([a, b]: Bounds, [c, d]: Bounds): Bounds => around([a * c, a * d, b * c, b * d])

/** Of a base that may be 0 or less, only whole powers have bounds. */
function powered(base: Bounds, exponent: number): Bounds {
  const [low, high] = base
  const even = exponent % 2 === 0
  if (low < 0 && (exponent < 0 || !Number.isInteger(exponent))) return anything
  const ends = [low ** exponent, high ** exponent]
  return around(even && low < 0 && high > 0 ? [0, ...ends] : ends)
}

function around(numbers: readonly number[]): Bounds {
  if (numbers.some(Number.isNaN)) return anything
  return rounded(Math.min(...numbers), Math.max(...numbers))
}

const hull = (all: readonly Bounds[]): Bounds =>
  all.reduce(([a, b], [c, d]) => [Math.min(a, c), Math.max(b, d)] as const)

/** Wider by the rounding of numbers of a size. Rounding changes no sign. */
function widened([low, high]: Bounds, size: number): Bounds {
  const error = rounding * size
  if (Number.isNaN(low - error) || Number.isNaN(high + error)) return anything
  return [low >= 0 ? Math.max(0, low - error) : low - error, high <= 0 ? Math.min(0, high + error) : high + error]
}
