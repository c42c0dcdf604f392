// The float64 evaluator: every function, slots, and the error for a name without a value.

import { describe, expect, it } from 'vitest'
import { evaluate, evaluator } from '../../src/language/evaluate.ts'
import type { FunctionName } from '../../src/language/functions/table.ts'
import { call, constant, power, product, sum, symbol } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'

const scope = { names: ['x', 'y', 'unused'] }

/** Values of functions that no other test compares. A second implementation in every backend checks the other functions. */
const known: readonly (readonly [name: FunctionName, operands: readonly number[], value: number])[] = [
  ['erf', [0.5], 0.5204998778130465],
  ['erfc', [0.5], 0.4795001221869535],
  ['abs', [-1.5], 1.5],
  ['sign', [-1.5], -1],
  ['floor', [-1.5], -2],
  ['ceil', [-1.5], -1],
  ['round', [2.5], 2],
  ['step', [0], 1],
  ['atan2', [1, -1], (3 * Math.PI) / 4],
  ['min', [3, -4], -4],
  ['max', [3, -4], 3],
  ['pow', [2, 0.5], Math.SQRT2],
  ['select', [1, 5, 6], 5],
  ['less', [1, 1], 0],
  ['lessEqual', [1, 1], 1],
  ['equal', [1, 1], 1],
  ['and', [1, 0], 0],
  ['or', [1, 0], 1],
  ['not', [1], 0],
]

describe('evaluating', () => {
  it.each(known)('computes %s(%j) = %f', (name, operands, value) => {
    expect(evaluate(call(name, ...operands.map(constant)))).toBeCloseTo(value, 15)
  })

  it('takes values from their slots', () => {
    const f = evaluator(parse('x - 2*y', scope), ['y', 'unused', 'x'])
    expect(f(Float64Array.of(3, NaN, 10))).toBe(4)
    expect(f(Float64Array.of(5, NaN, 10))).toBe(0)
  })

  it('reports a name without a value', () => {
    expect(() => evaluate(parse('x + y', scope), { x: 1 })).toThrow('expected a value for "y", got x')
    expect(() => evaluate(parse('x', scope))).toThrow('expected a value for "x", got none')
  })

  it('does not compute the operand that select does not choose', () => {
    const e = parse('select(x > 0, log(x), 0)', scope)
    expect([evaluate(e, { x: -1 }), evaluate(e, { x: 1 })]).toEqual([0, 0])
  })

  it.each([
    [0, 1],
    [1, -2],
    [2, 4],
    [3, -8],
    [-1, -0.5],
    [-2, 0.25],
    [0.5, NaN],
    [-0.5, NaN],
  ])('raises -2 to the power %f', (exponent, value) => {
    expect(evaluate(power(symbol('x'), exponent), { x: -2 })).toBe(value)
  })

  it('computes powers as products and roots where these are as exact', () => {
    for (const exponent of [0.5, 1.5, 2, 3, -0.5, -1.5, -2, -3, 1.7, -6]) {
      const f = evaluator(power(symbol('x'), exponent), ['x'])
      for (const x of [0.3, 1, 7.1, 1e-40, 1e40]) {
        const expected = x ** exponent
        expect(Math.abs(f(Float64Array.of(x)) - expected), `${x} ^ ${exponent}`).toBeLessThan(5e-16 * expected)
      }
      for (const x of [0, -0, Infinity]) expect(Math.abs(f(Float64Array.of(x)))).toBe(Math.abs(x ** exponent))
    }
  })

  it('gives 0 for no terms, and 1 for no factors', () => {
    expect([evaluate(sum()), evaluate(product())]).toEqual([0, 1])
  })
})
