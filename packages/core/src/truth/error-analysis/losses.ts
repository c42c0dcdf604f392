/**
 * The loss of float64 in each step of an analysis. A value and its loss together are right to about twice the digits. So a device that
 * computes in float64 is compared with a truth that is more exact than itself. The losses of sums, products and powers are exact. A
 * function is as exact as in JavaScript, and passes on the losses of its operands.
 *
 * @source T. J. Dekker, A floating-point technique for extending the available precision, Numer. Math. 18 (1971) 224
 * @source P. Langlois, Automatic linear correction of rounding errors, BIT 41 (2001) 515
 * @module
 */
import { evaluator } from '../../language/evaluate.ts'
import { functions, type NumericName } from '../../language/functions/table.ts'
import { parse } from '../../language/parse.ts'
import type { AnalysisStep } from './tape/decisions.ts'

/** The loss of the value in slot k, given all values and the losses of earlier slots. */
export type Loss = (v: Float64Array, l: Float64Array, k: number) => number

/** A number as the sum of two: a float64 and the rest. */
export type Pair = readonly [high: number, low: number]

/** The loss when `a` and `b` are added. */
export function sumLoss(a: number, b: number): number {
  const sum = a + b
  const second = sum - a
  return a - (sum - second) + (b - second)
}

/** The loss when `a` and `b` are multiplied. */
export function productLoss(a: number, b: number): number {
  const [[highA, lowA], [highB, lowB]] = [halves(a), halves(b)]
  return lowA * lowB - (a * b - highA * highB - lowA * highB - highA * lowB)
}

/** A number as two of half as many digits. */
function halves(x: number): Pair {
  const shifted = (2 ** 27 + 1) * x
  const high = shifted - (shifted - x)
  return [high, x - high]
}

/** Adds up numbers and their losses. */
export function totalOf(values: Iterable<number>, losses: ArrayLike<number>): Pair {
  let [high, low, n] = [0, 0, 0]
  for (const value of values) {
    low += sumLoss(high, value) + (losses[n++] as number)
    high += value
  }
  return [high, computed(low)]
}

/** A loss that cannot be computed, as for an infinite value, counts as none. */
export const computed = (loss: number): number => (Number.isFinite(loss) ? loss : 0)

/** A step that also finds the loss of its value, in slot k. */
export const losing =
  (loss: Loss, k: number, step: AnalysisStep): AnalysisStep =>
  (v, e, s, r, l) => {
    step(v, e, s, r, l)
    l[k] = computed(loss(v, l, k))
  }

export const lossOfSum =
  (slots: readonly number[]): Loss =>
  (v, l) => {
    let [value, loss] = [0, 0]
    for (const slot of slots) {
      loss += sumLoss(value, v[slot] as number) + (l[slot] as number)
      value += v[slot] as number
    }
    return loss
  }

export const lossOfProduct =
  (a: number, b: number): Loss =>
  (v, l) => {
    const [x, y] = [v[a] as number, v[b] as number]
    return productLoss(x, y) + x * (l[b] as number) + y * (l[a] as number)
  }

/** The power is formed again from products of the base or of its root. A general power is as exact as in JavaScript. */
export function lossOfPower(a: number, exponent: number): Loss {
  const twice = 2 * exponent
  if (!Number.isInteger(twice)) return (v, l, k) => (exponent * (v[k] as number) * (l[a] as number)) / (v[a] as number)
  const size = Math.abs(exponent)
  return (v, l, k) => {
    const base: Pair = [v[a] as number, l[a] as number]
    const power = Number.isInteger(exponent) ? whole(base, size) : whole(root(base), Math.abs(twice))
    const [high, low] = exponent < 0 ? inverse(power) : power
    return high - (v[k] as number) + low
  }
}

const product = ([a, lowA]: Pair, [b, lowB]: Pair): Pair => [a * b, productLoss(a, b) + a * lowB + lowA * b]

function whole(base: Pair, exponent: number): Pair {
  let [power, square]: [Pair, Pair] = [[1, 0], base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(power, square)
    if (left > 1) square = product(square, square)
  }
  return power
}

function root([x, low]: Pair): Pair {
  const high = Math.sqrt(x)
  return [high, (x - high * high - productLoss(high, high) + low) / (2 * high)]
}

function inverse([x, low]: Pair): Pair {
  const high = 1 / x
  return [high, (1 - high * x - productLoss(high, x) - high * low) * high]
}

export function lossOfFunction(name: NumericName, slots: readonly number[]): Loss {
  const { operands, derivative } = functions[name]
  const names = [...operands, ...operands.map((operand) => `d${operand}`)]
  const along = evaluator(parse(derivative, { names }), names)
  const values = new Float64Array(names.length)
  return (v, l) => {
    for (const [n, slot] of slots.entries()) {
      values[n] = v[slot] as number
      values[slots.length + n] = l[slot] as number
    }
    return along(values)
  }
}
