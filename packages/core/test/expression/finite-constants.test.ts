// A law with a number that is not finite is rejected when it is written, the same for every backend.

import { expect, test } from 'vitest'
import { ExpressionError } from '../../src/ground/errors.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { map } from '../../src/problem/workloads/particle.ts'

test.each([
  ['(-(mass_i - mass_i))^(-2)', '0^(-2) is Infinity'],
  ['r/(2 - 1 - 1)', '1 / 0 is Infinity'],
  ['log(r2 - r2)', 'log(0) is -Infinity'],
  ['select(r < 1, exp(1000), 0)', 'exp(1000) is Infinity'],
  ['(-2)^0.5*r', 'sqrt(-2) is NaN'],
])('%s is rejected, with the part that is not finite', (text, part) => {
  const write = () => pairTerm(text)
  expect(write).toThrow(ExpressionError)
  expect(write).toThrow(part)
})

test('constants in maps must be finite, too', () => {
  expect(() => map({ out: 'mass/0' })).toThrow(ExpressionError)
})

test('parts that depend on points or parameters are accepted', () => {
  expect(() => pairPotential('1/(mass_i - charge_i) + 1/d', { parameters: { d: 0 } })).not.toThrow()
  expect(() => pairTerm('0*log(0.5)*r + 1e-300*1e200')).not.toThrow()
})
