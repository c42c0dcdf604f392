/**
 * The arithmetic of a device as error analysis sees it: its unit roundoff, and the error that each operation may add.
 *
 * @module
 */
import type { Report } from '../../contract/backend.ts'
import { evaluate, evaluator } from '../../language/evaluate.ts'
import {
  accuracyOn,
  functionAccuracy,
  type OperationName,
  processorAccuracy,
} from '../../language/function-accuracy.ts'
import type { Accuracy } from '../../language/functions/errors.ts'
import type { FunctionName } from '../../language/functions/table.ts'
import { parse } from '../../language/parse.ts'

/** The error that one operation adds, given its exact value, its operands, and the error of the first one. */
export type LocalError = (value: number, x: number, y: number, ex?: number) => number

export interface Arithmetic {
  /** Whether numbers are float32. */
  readonly single: boolean
  /** Half the distance from 1 to the next number. */
  readonly unit: number
  /** Smaller results may become 0: twice the smallest normal number, because exponentials of processors are scaled by half a power of 2. */
  readonly least: number
  /** The loss of a result that is off by `error`: all of it, if it may be smaller than any normal number. */
  readonly lost: (value: number, error: number) => number
  /** The distance between a number that the host rounds and the one that the device gets. */
  readonly stored: (value: number) => number
  /** The same for a number in the text of a program. A compiler rounds it. */
  readonly literal: (value: number) => number
  readonly local: (name: FunctionName | OperationName) => LocalError
  /** The error of a constant power; `rooted` where an inverse root of the same base is at hand. */
  readonly power: (exponent: number, rooted: boolean) => PowerError
}

/** The largest error of a power, and the parts of it that may be systematic and that are random. */
interface PowerError {
  readonly largest: (value: number, x: number) => number
  readonly systematic: (value: number, x: number) => number
  readonly random: (value: number) => number
}

type Root = 'divide' | 'sqrt' | 'inverseSqrt'

/** On processors an inverse root is a root and a division. Their roundings are independent. */
const independent = (name: Root): number => (name === 'inverseSqrt' ? Math.SQRT2 : 1)

/** A relative error that does not depend on the operands, in units. */
const unitsOf = ([range]: Accuracy): number => evaluate(parse(range?.relative ?? '0', { names: [] }))

/**
 * The arithmetic behind a report. Processors follow IEEE 754. GPUs may have any error within the table of functions, and may be off on
 * the same side everywhere.
 */
export function arithmeticOf({ precision, kind }: Pick<Report, 'precision' | 'kind'>): Arithmetic {
  const single = precision === 'f32'
  const [unit, least] = single ? [2 ** -24, 2 ** -125] : [2 ** -53, 2 ** -1021]
  const accuracy = accuracyOn(kind, precision)
  // Roots and quotients are correctly rounded on processors, also in float64.
  const units = (name: Root) => unitsOf((kind === 'cpu' ? processorAccuracy : functionAccuracy)[name])
  const locals = new Map<string, LocalError>()
  /** Folds ask for each pair, so each name is compiled once. */
  const local = (name: FunctionName | OperationName) => {
    const known = locals.get(name) ?? localError(accuracy[name], unit, least)
    locals.set(name, known)
    return known
  }
  // A device may flush a number below the normal ones to 0.
  const stored = (value: number) =>
    single ? (Math.abs(value) < least ? Math.abs(value) : Math.abs(Math.fround(value) - value)) : 0
  return {
    single,
    unit,
    least,
    lost: (value, error) => (Math.abs(value) <= error + 2 * least ? least : 0),
    stored,
    // Compilers of graphics processors may take either neighbour.
    literal: (value) =>
      single && kind !== 'cpu' && Math.fround(value) !== value ? 2 * unit * Math.abs(value) : stored(value),
    local,
    power(exponent, rooted) {
      if (!Number.isInteger(2 * exponent)) {
        const general = local('power')
        const largest = (value: number, x: number) => general(value, x, exponent)
        return { largest, systematic: largest, random: () => 0 }
      }
      const { root, products } = powerUnits(exponent, rooted, units)
      const times = (amount: number) => (value: number) =>
        Number.isFinite(value) ? unit * amount * Math.abs(value) : 0
      const largest = times(root + products)
      // The roots of a GPU may all be off on the same side.
      return kind === 'cpu'
        ? {
            largest,
            systematic: () => 0,
            random: times(Math.hypot(powerUnits(exponent, rooted, independent).root, products)),
          }
        : { largest, systematic: times(root), random: times(products) }
    },
  }
}

export const isHalf = (exponent: number): boolean => Number.isInteger(2 * exponent) && !Number.isInteger(exponent)

/**
 * The error of a power made of products of one root, inverse root or reciprocal, and the number of products: the largest of
 * all ways to form it.
 */
function powerUnits(exponent: number, rooted: boolean, units: (name: Root) => number) {
  const size = Math.abs(exponent)
  const half = isHalf(exponent)
  if (exponent > 0) {
    if (!half) return { root: 0, products: size - 1 }
    return { root: Math.max(units('sqrt'), rooted ? units('inverseSqrt') : 0), products: size - 0.5 + (rooted ? 1 : 0) }
  }
  if (half || rooted) return { root: 2 * size * units('inverseSqrt'), products: 2 * size - 1 }
  return { root: size * units('divide'), products: size - 1 }
}

/** Turns a table entry into a function, which is infinite where the table promises nothing. */
function localError(accuracy: Accuracy, unit: number, least: number): LocalError {
  const names = ['x', 'y', 'f']
  const operands = new Float64Array(3)
  const amount = (text: string | undefined) => (text === undefined ? () => 0 : evaluator(parse(text, { names }), names))
  const ranges = accuracy.map(({ upTo = Number.POSITIVE_INFINITY, relative, absolute }) => ({
    upTo,
    exact: relative === undefined && absolute === undefined,
    relative: amount(relative),
    absolute: amount(absolute),
  }))
  return (value, x, y, ex = 0) => {
    // The device may find its operand in the next range, where less is promised.
    const size = Math.abs(x) + ex
    for (const range of ranges) {
      if (size > range.upTo) continue
      if (range.exact || !Number.isFinite(value)) return 0
      operands[0] = x
      operands[1] = y
      operands[2] = value
      const relative = value === 0 ? 0 : range.relative(operands) * Math.abs(value)
      const error = (relative + range.absolute(operands)) * unit
      // The error of a tiny number may itself be too small for a float64.
      return error === 0 && value === 0 ? 0 : error + least
    }
    return Number.POSITIVE_INFINITY
  }
}
