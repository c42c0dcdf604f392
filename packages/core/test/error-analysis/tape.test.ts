// Properties of functions that error analysis must not take for granted.

import { expect, test } from 'vitest'
import { parse } from '../../src/language/parse.ts'
import { arithmeticOf } from '../../src/truth/error-analysis/arithmetic.ts'
import { tapeOf } from '../../src/truth/error-analysis/tape/tape.ts'

/** The error of an expression in x and y, given the errors of x and y. */
function errorOf(text: string, x: readonly [value: number, error: number], y: readonly [value: number, error: number]) {
  const tape = tapeOf([parse(text, { names: ['x', 'y'] })], ['x', 'y'], arithmeticOf({ precision: 'f32', kind: 'cpu' }))
  for (const [n, [value, error]] of [x, y].entries()) [tape.values[n], tape.errors[n]] = [value, error]
  tape.run()
  return tape.errors[tape.outputs[0] as number]
}

test('a power of a negative base may be negative, and its root NaN', () => {
  expect(errorOf('pow(x, y)', [1e-9, 1e-7], [3, 0])).toBeLessThan(1e-20)
  expect(errorOf('sqrt(pow(x, y))', [1e-9, 1e-7], [3, 0])).toBe(Number.POSITIVE_INFINITY)
})

test('the sign of NaN is 0 on every device', () => {
  expect(errorOf('sign(log(x))', [-2, 0.1], [0, 0])).toBe(0)
})

test('a function has the accuracy of the range that its operand may reach', () => {
  const tape = tapeOf([parse('tan(x)', { names: ['x'] })], ['x'], arithmeticOf({ precision: 'f32', kind: 'hardware' }))
  const errorAt = (x: number, error: number) => {
    tape.values[0] = x
    tape.errors[0] = error
    tape.run()
    return tape.errors[tape.outputs[0] as number] as number
  }
  const ulp = 2 ** -23
  const moved = (1 + Math.tan(1 + ulp) ** 2) * ulp
  expect(errorAt(1, ulp)).toBeGreaterThan(0.999 * (moved + errorAt(1 + ulp, 0)))
  expect(errorAt(1, 0)).toBeLessThan(errorAt(1 + ulp, 0))
})

test('a function of float64 whose value is below the normal numbers may become 0', () => {
  const tape = tapeOf([parse('exp(x)', { names: ['x'] })], ['x'], arithmeticOf({ precision: 'f64', kind: 'cpu' }))
  tape.values[0] = -730
  tape.run()
  const result = tape.outputs[0] as number
  expect(tape.values[result]).toBeGreaterThan(0)
  expect(tape.errors[result]).toBeGreaterThanOrEqual(tape.values[result] as number)
})
