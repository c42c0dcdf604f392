// WGSL spelled from expressions.

import { call, functionNames, functions, parse, symbol } from '@manybody/core/expression'
import { library } from '@manybody/core/shading'
import { expect, test } from 'vitest'
import { hostText, literal, preludeFor, wgslText } from '../../src/compile/wgsl/operators.ts'

const text = (expression: string) => wgslText(parse(expression, { names: ['a', 'b'] }))

test.each([
  ['a*(b + 1)', 'a * (b + 1.0)'],
  ['select(a < b, a, 2)', 'select(2.0, a, (a < b))'],
  ['step(a)', 'select(0.0, 1.0, 0.0 <= a)'],
  ['sqrt(a)', 'sqrt(a)'],
  ['a^0.3', 'realPower(a, 0.3)'],
  ['a^b', 'realPower(a, b)'],
  ['sin(a)', 'sine(a)'],
  ['tanh(a)', 'hyperbolicTangent(a)'],
])('%s', (expression, expected) => {
  expect(text(expression)).toBe(expected)
})

const builtIn = ['exp', 'abs', 'floor', 'ceil', 'round', 'select', 'sqrt', 'inverseSqrt', 'bitcast', 'f32']

test.each(functionNames)('%s calls only functions of WGSL, or functions in the shader', (name) => {
  const [x, condition] = [symbol('x'), call('less', symbol('x'), symbol('y'))]
  const code = wgslText(call(name, ...functions[name].parameters.map((type) => (type === 'number' ? x : condition))))
  const whole = preludeFor(code) + code
  const declared = [...whole.matchAll(/fn (\w+)\(/g)].map(([, called]) => called)
  const called = [...whole.matchAll(/\b(\w+)(?:<\w+>)?\(/g)].map(([, called]) => called)
  expect(called.filter((one) => ![...builtIn, ...declared].includes(one))).toEqual([])
})

test('a recurrence of parameters is not written out in a comment', () => {
  const members = Array.from({ length: 60 }, (_, n) => `t${n + 2} = 2*a*t${n + 1} - t${n}`)
  expect(hostText(parse(`t61; t0 = 1; t1 = a; ${members.join('; ')}`, { names: ['a'] }))).toBe('a long expression')
  expect(hostText(parse('a^2 + 1', { names: ['a'] }))).toBe('pow(a, 2) + 1')
})

test('a number beyond float32 is refused', () => {
  expect(literal(1e-10)).toBe('1e-10')
  expect(() => literal(1e39)).toThrow('float32 ends at 3.4e38')
})

test('a shader contains only the helpers that it calls', () => {
  expect(preludeFor('let a = sqrt(b);')).toBe('')
  expect(preludeFor('let a = sine(b);')).toContain('fn sine')
  expect(preludeFor('let a = realPower(b, c);')).not.toContain('fn sine')
})

test('no helper branches: software GPUs take minutes to compile branches', () => {
  const all = [...Object.keys(library), 'logarithm', 'angle', 'least', 'greatest'].map((name) => `${name}(`)
  const prelude = preludeFor(all.join('\n'))
  expect(prelude).toContain('fn angle(')
  expect(prelude).not.toMatch(/&&|\|\||\bif\b/)
})
