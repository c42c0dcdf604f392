/**
 * How far each function and operation may be from its exact value in float32, on every backend and on backends that run on a
 * processor. Tests hold every backend to these numbers, `docs/functions.md` prints them, and error analysis reads them.
 *
 * Errors belong to the operation alone, for operands already rounded to float32. They are in units of u = 2^-24, half the
 * distance from 1 to the next float32: `relative` times the size of the exact value, plus `absolute`. Both are expressions in
 * the operands `x` and `y` and the exact value `f`. Any result below 2^-125 (2.4e-38) may become 0, and an operand below
 * 2^-126 may count as 0.
 *
 * WGSL's own functions are only as accurate as its specification demands: `exp` may be wrong by 3 + 2|x| units in the last place, a
 * division by 2.5.
 *
 * @source W3C, WebGPU Shading Language, 15.7.4.1 (floating point accuracy)
 * @module
 */

import type { Precision } from '../ground/precision.ts'
import type { DeviceKind } from '../ground/report.ts'
import { evaluator } from './evaluate.ts'
import { type Accuracy, exact, functionErrors } from './functions/errors.ts'
import { type FunctionName, functionNames, type NumericName } from './functions/table.ts'
import { parse } from './parse.ts'

/** Operations that are not calls. `power` has a constant exponent and cannot be written with products and roots. */
export type OperationName = 'add' | 'subtract' | 'multiply' | 'divide' | 'sqrt' | 'inverseSqrt' | 'power'

const rounded: Accuracy = [{ relative: '1' }]

export const functionAccuracy: Readonly<Record<FunctionName | OperationName, Accuracy>> = {
  add: rounded,
  subtract: rounded,
  multiply: rounded,
  divide: [{ relative: '5' }],
  sqrt: [{ relative: '5' }],
  inverseSqrt: [{ relative: '4' }],
  power: functionErrors.pow.accuracy,
  ...(Object.fromEntries(
    functionNames.map((name) => [name, name in functionErrors ? functionErrors[name as NumericName].accuracy : exact]),
  ) as Record<FunctionName, Accuracy>),
}

/** The accuracy on backends that run on a processor, which rounds quotients and roots correctly. */
export const processorAccuracy: Readonly<Record<FunctionName | OperationName, Accuracy>> = {
  ...functionAccuracy,
  divide: rounded,
  sqrt: rounded,
  inverseSqrt: [{ relative: '2' }],
  ...Object.fromEntries(
    Object.entries(functionErrors).flatMap(([name, { onProcessors }]) => (onProcessors ? [[name, onProcessors]] : [])),
  ),
}

/** The accuracy in float64, in units of 2^-53. It covers the errors of a device and of JavaScript, which computes the truth. */
export const float64Accuracy: Readonly<Record<FunctionName | OperationName, Accuracy>> = {
  ...processorAccuracy,
  ...Object.fromEntries(Object.entries(functionErrors).map(([name, { inFloat64 = exact }]) => [name, inFloat64])),
  power: functionErrors.pow.inFloat64 ?? exact,
}

/** The accuracy that a kind of device promises. */
export const accuracyOn = (kind: DeviceKind, precision: Precision): typeof functionAccuracy =>
  precision === 'f64' ? float64Accuracy : kind === 'cpu' ? processorAccuracy : functionAccuracy

/** Half the distance from 1 to the next number, and the size below which results may be 0. */
const formats = {
  f32: { unit: 2 ** -24, least: 2 ** -125 },
  f64: { unit: 2 ** -53, least: 2 ** -1021 },
} as const

const amount = (text: string | undefined, values: Float64Array): number =>
  text === undefined ? 0 : evaluator(parsed(text), names)(values)
const names = ['x', 'y', 'f']
const trees = new Map(
  [functionAccuracy, processorAccuracy, float64Accuracy]
    .flatMap((accuracy) => Object.values(accuracy).flat())
    .flatMap(({ relative, absolute }) => [relative, absolute])
    .flatMap((text) => (text === undefined ? [] : [[text, parse(text, { names })] as const])),
)
const parsed = (text: string) => trees.get(text) as ReturnType<typeof parse>

/**
 * The largest error of one operation, given its operands and its exact value. It is infinite if no digit is promised, and 0
 * for a result that is not finite, which is either right or wrong.
 */
export function largestError(
  name: FunctionName | OperationName,
  value: number,
  x: number,
  y = 0,
  precision: Precision = 'f32',
  kind: DeviceKind = 'hardware',
): number {
  if (!Number.isFinite(value)) return 0
  const range = accuracyOn(kind, precision)[name].find(({ upTo }) => upTo === undefined || Math.abs(x) <= upTo)
  if (range === undefined) return Number.POSITIVE_INFINITY
  if (range.relative === undefined && range.absolute === undefined) return 0
  const { unit, least } = formats[precision]
  const operands = Float64Array.of(x, y, value)
  const relative = value === 0 ? 0 : amount(range.relative, operands) * Math.abs(value)
  return (relative + amount(range.absolute, operands)) * unit + least
}
