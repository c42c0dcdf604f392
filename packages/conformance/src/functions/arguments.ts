/**
 * The arguments for measuring each function: expressions in x and y, and the values of x and y. The values are dense in every power of two
 * of the domain, and at its edges.
 *
 * @module
 */
import { type FunctionName, functions, type NumericName, numericNames } from '@manybody/core/expression'
import type { OperationName } from '@manybody/core/judge'
import { randomOf } from '../random.ts'

/** Arguments: equally many x and y. */
export interface Arguments {
  readonly x: Float64Array
  readonly y: Float64Array
}

export interface MeasuredFunction {
  /** The function that sets the promised accuracy. */
  readonly name: FunctionName | OperationName
  /** The expression to compute, in x and y. */
  readonly text: string
  readonly arguments: () => Arguments
  /** The exponent of a constant power, called y in the accuracy. */
  readonly exponent?: number
}

/** For each binade from 2^from to 2^to: its borders, the numbers next to them, and `count` more. */
function binades(from: number, to: number, count = 12): number[] {
  const random = randomOf(from + 1000)
  const list: number[] = []
  for (let n = from; n < to; n++) {
    const start = 2 ** n
    list.push(start, start * (1 + 2 ** -23), start * (2 - 2 ** -23))
    for (let k = 0; k < count; k++) list.push(start * random.uniform(1, 2))
  }
  return list
}

const uniform = (from: number, to: number, count = 2000): number[] => [...randomOf(17).array(count, from, to)]
const both = (list: readonly number[]): number[] => list.flatMap((x) => [x, -x])

/** One operand; y is 0. */
const of =
  (...lists: readonly (readonly number[])[]) =>
  (): Arguments => {
    const x = Float64Array.from(lists.flat(), Math.fround)
    return { x, y: new Float64Array(x.length) }
  }

/** Combines every x with some of the y. */
const pairs =
  (xs: readonly number[], ys: readonly number[], each = 5) =>
  (): Arguments => {
    const list = xs.flatMap((x, n) =>
      Array.from(
        { length: Math.min(each, ys.length) },
        (_, k) => [x, ys[(n * each + k) % ys.length] as number] as const,
      ),
    )
    return {
      x: Float64Array.from(list, ([x]) => Math.fround(x)),
      y: Float64Array.from(list, ([, y]) => Math.fround(y)),
    }
  }

/** Whole numbers, halves and the numbers next to them, up to where float32 has no fractions. */
const steps = both([0, 0.5, 1, 1.5, 2, 2.5, 3.5, 0.49999997, 0.99999994, 8388607.5, 8388609, 16777216, 1e30])
const small = both(uniform(0, 40, 200))
const anything = both(binades(-60, 60, 1))
const positive = binades(-126, 128)

const powersOf = (exponent: number, least: number, most: number): MeasuredFunction => ({
  name: 'power',
  text: `x^(${exponent})`,
  arguments: of(binades(least, most), uniform(0.5, 2)),
  exponent,
})

/** How tests sample a function. */
interface Sampled {
  /** For each operand, a range with finite and well-conditioned results. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
  /** The arguments for measuring its accuracy. */
  readonly arguments: () => Arguments
}

const usualRange = { all: [-3, 3], positive: [0.5, 2.5], some: [-1, 1] } as const
const usualArguments = {
  all: of(both(binades(-126, 128, 4)), uniform(-20, 20), [0]),
  positive: of(positive, uniform(0.5, 2)),
  some: of(both(binades(-126, 13, 4)), uniform(-20, 20)),
}

/** Samples for the domain of a function. */
function usual(name: NumericName): Sampled {
  const { operands, domain } = functions[name]
  return operands.length === 1
    ? { ranges: [usualRange[domain]], arguments: usualArguments[domain] }
    : { ranges: [usualRange[domain], usualRange.all], arguments: pairs(anything, [...small, 0]) }
}

/** Samples that replace the usual ones, for functions that need others. */
const particular: Readonly<Partial<Record<NumericName, Partial<Sampled>>>> = {
  exp: {
    ranges: [[-4, 4]],
    arguments: of(both(binades(-30, 6)), uniform(-100, 100), uniform(80, 90, 400), [1e30, -1e30]),
  },
  log: { ranges: [[2, 100]], arguments: of(positive, uniform(0.5, 2), uniform(0.99, 1.01, 1000)) },
  sin: { arguments: of(both(binades(-126, 128, 4)), uniform(-20, 20), uniform(-8192, 8192)) },
  cos: { arguments: of(both(binades(-126, 128, 4)), uniform(-20, 20), uniform(-8192, 8192)) },
  tan: { arguments: of(both(binades(-126, 128, 4)), uniform(-20, 20), uniform(-8192, 8192)) },
  sech: { arguments: of(both(binades(-126, 128, 4)), uniform(-20, 20), uniform(80, 95, 400)) },
  erfc: { ranges: [[-2, 2]], arguments: of(both(binades(-126, 128, 4)), uniform(-6, 12)) },
  floor: { ranges: [[-30, 30]], arguments: of(steps, small, anything) },
  ceil: { ranges: [[-30, 30]], arguments: of(steps, small, anything) },
  round: { ranges: [[-30, 30]], arguments: of(steps, small, anything) },
  atan2: { arguments: pairs(both(binades(-60, 60, 4)), both([...uniform(0, 3, 200), ...binades(-60, 60, 1), 0, 1])) },
  pow: {
    ranges: [
      [0.5, 2.5],
      [-2, 2],
    ],
    arguments: pairs(
      [...binades(-24, 24), ...uniform(0.9, 1.1)],
      [...uniform(-12, 12, 999), 0, 1, 2, -3, 0.5, 40, -40],
    ),
  },
}

export const sampled: Readonly<Record<NumericName, Sampled>> = Object.fromEntries(
  numericNames.map((name) => [name, { ...usual(name), ...particular[name] }]),
) as Record<NumericName, Sampled>

/** A call of the function, as text in x and y. */
export const callInXY = (name: NumericName): string =>
  `${name}(${['x', 'y'].slice(0, functions[name].operands.length).join(', ')})`

export const measured: readonly MeasuredFunction[] = [
  ...numericNames.map((name) => ({ name, text: callInXY(name), arguments: sampled[name].arguments })),
  { name: 'pow', text: 'pow(-x, y)', arguments: pairs(binades(-12, 12, 4), [-7, -4, -1, 0, 1, 2, 3, 8, 11]) },
  powersOf(0.3, -126, 128),
  powersOf(-2.7, -40, 40),
  powersOf(7.1, -16, 16),
  { name: 'sqrt', text: 'sqrt(x)', arguments: of(positive) },
  { name: 'inverseSqrt', text: 'inverseSqrt(x)', arguments: of(positive) },
  { name: 'divide', text: 'y/x', arguments: pairs(both(binades(-60, 60, 4)), both(binades(-60, 60, 1))) },
  { name: 'add', text: 'x + y', arguments: pairs(anything, small, 3) },
  { name: 'subtract', text: 'x - y', arguments: pairs(anything, small, 3) },
  { name: 'multiply', text: 'x*y', arguments: pairs(anything, anything, 3) },
  { name: 'select', text: 'select(x < y, x, 2*y)', arguments: pairs(steps, steps) },
  { name: 'less', text: 'select(x < y, 1, 2)', arguments: pairs(steps, steps) },
  { name: 'lessEqual', text: 'select(x <= y, 1, 2)', arguments: pairs(steps, steps) },
  { name: 'equal', text: 'select(x == y, 1, 2)', arguments: pairs(steps, steps) },
  { name: 'and', text: 'select(x < 1 && y < 1, 1, 2)', arguments: pairs(steps, steps) },
  { name: 'or', text: 'select(x < 1 || y < 1, 1, 2)', arguments: pairs(steps, steps) },
  { name: 'not', text: 'select(!(x < 1), 1, 2)', arguments: of(steps) },
]

/** A call with a result that is not finite, or close to that: `text` at x and y. */
export interface Edge {
  readonly text: string
  readonly x: number
  readonly y?: number
  readonly value: number
}

const { NaN: nan, POSITIVE_INFINITY: infinity } = Number

/** Their values follow from comparisons with 0, which are false for NaN. */
const comparing: readonly NumericName[] = ['sign', 'step']

/** If an operand is NaN, an expected NaN allows any value that is not finite: some drivers give infinity for `exp` of NaN. */
export const edges: readonly Edge[] = [
  { text: 'exp(x)', x: 1e4, value: infinity },
  { text: 'exp(x)', x: -1e4, value: 0 },
  { text: 'exp(log(x))', x: 0, value: 0 },
  { text: 'log(x)', x: 0, value: -infinity },
  { text: 'log(x)', x: -0, value: -infinity },
  { text: 'log(x)', x: -2, value: nan },
  { text: 'log(x)', x: 1, value: 0 },
  { text: 'log(1/x)', x: 0, value: infinity },
  { text: 'sqrt(x)', x: 0, value: 0 },
  { text: 'sqrt(x)', x: -1, value: nan },
  { text: 'inverseSqrt(x)', x: 0, value: infinity },
  { text: '1/x', x: 0, value: infinity },
  { text: 'x^0.3', x: 0, value: 0 },
  { text: 'x^(-0.3)', x: 0, value: infinity },
  { text: 'x^0.3', x: -1, value: nan },
  { text: 'pow(x, y)', x: 0, y: 0, value: 1 },
  { text: 'pow(x, y)', x: 0, y: 2, value: 0 },
  { text: 'pow(x, y)', x: 0, y: -1, value: infinity },
  { text: 'pow(x, y)', x: -2, y: 3, value: -8 },
  { text: 'pow(x, y)', x: -2, y: 0.5, value: nan },
  { text: 'tanh(x)', x: 100, value: 1 },
  { text: 'tanh(x)', x: -1e30, value: -1 },
  { text: 'sech(x)', x: 0, value: 1 },
  { text: 'sech(x)', x: 1e4, value: 0 },
  { text: 'sech(x)', x: -1e30, value: 0 },
  { text: 'erf(x)', x: 30, value: 1 },
  { text: 'erf(x)', x: -30, value: -1 },
  { text: 'erfc(x)', x: 30, value: 0 },
  { text: 'erfc(x)', x: -30, value: 2 },
  { text: 'erfc(x)', x: 1e30, value: 0 },
  { text: 'atan2(x, y)', x: 0, y: 0, value: 0 },
  { text: 'atan2(x, y)', x: 0, y: -1, value: Math.PI },
  { text: 'atan2(x, y)', x: -0, y: -1, value: -Math.PI },
  { text: 'atan2(x, y)', x: 0, y: -0, value: Math.PI },
  { text: 'sign(x)', x: 0, value: 0 },
  { text: 'sign(log(x))', x: -1, value: 0 },
  { text: 'step(log(x))', x: -1, value: 0 },
  { text: 'min(log(x), y)', x: -1, y: 3, value: nan },
  { text: 'min(y, log(x))', x: -1, y: 3, value: 3 },
  { text: 'max(log(x), y)', x: -1, y: 3, value: nan },
  { text: 'max(y, log(x))', x: -1, y: 3, value: 3 },
  { text: 'select(log(x) < y, 1, 2)', x: -1, y: 3, value: 2 },
  { text: 'select(y <= log(x), 1, 2)', x: -1, y: 3, value: 2 },
  { text: 'select(log(x) == log(x), 1, 2)', x: -1, value: 2 },
  ...numericNames
    .filter((name) => functions[name].operands.length === 1 && !comparing.includes(name))
    .map((name) => ({ text: `${name}(log(x))`, x: -1, value: nan })),
  { text: 'atan2(log(x), y)', x: -1, y: 1, value: nan },
  { text: 'atan2(y, log(x))', x: -1, y: 1, value: nan },
  { text: 'pow(log(x), y)', x: -1, y: 1.5, value: nan },
  { text: 'pow(y, log(x))', x: -1, y: 1.5, value: nan },
]
