// Each function needs two things that the compiler does not demand: a correct derivative and a place in random laws. A new function fails
// here until it has both.

import { call, differentiate, evaluate, functions, numericNames, simplify, symbol } from '@manybody/core/expression'
import { expect, test } from 'vitest'
import { sampled } from '../../packages/conformance/src/functions/arguments.ts'
import { numbers } from '../support/numbers.ts'
import { randomProblem } from '../support/random/problem.ts'

/** Fourth-order central difference. */
const slope = (f: (x: number) => number, x: number, h: number): number =>
  (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)

test.each(numericNames)('the derivative of %s is its slope, wherever it is steady', (name) => {
  const { operands } = functions[name]
  const names = ['x', 'y'].slice(0, operands.length)
  const e = simplify(call(name, ...names.map(symbol)))
  const ranges = sampled[name].ranges
  expect(ranges).toHaveLength(operands.length)
  let compared = 0
  for (const [k, along] of names.entries()) {
    const derivative = differentiate(e, along)
    const points = ranges.map(([from, to], n) => numbers(60, 7 * k + n + 1).map((u) => from + (to - from) * u))
    for (let n = 0; n < 60; n++) {
      const values = Object.fromEntries(names.map((one, k) => [one, points[k]?.[n] as number]))
      const f = (at: number) => evaluate(e, { ...values, [along]: at })
      const [at, wide, near] = [values[along] as number, 1e-3, 5e-4]
      const [expected, again] = [slope(f, at, near), slope(f, at, wide)]
      if (!(Math.abs(expected - again) < 1e-8 * (1 + Math.abs(expected)))) continue
      compared++
      expect(Math.abs(evaluate(derivative, values) - expected)).toBeLessThan(1e-8 * (1 + Math.abs(expected)))
    }
  }
  expect(compared).toBeGreaterThan(40)
})

test('random laws use every function', () => {
  const laws = Array.from({ length: 400 }, (_, n) => JSON.stringify(randomProblem(n + 1).workload)).join()
  expect(numericNames.filter((name) => !laws.includes(`${name}(`))).toEqual([])
})
