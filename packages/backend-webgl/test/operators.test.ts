// The operator table of GLSL: spelling here, values in the conformance suite.

import { call, constant, functionNames, functions, parse, power, symbol } from '@manybody/core/expression'
import { library } from '@manybody/core/shading'
import { expect, test } from 'vitest'
import { dialects } from '../src/compile/glsl/dialect.ts'
import { glslOf, literal, preludeFor, typeOf } from '../src/compile/glsl/operators.ts'

const text = (source: string) => glslOf(parse(source, { names: ['x', 'y'] }))

test.for([
  ['x + 2*y', 'x + 2.0 * y'],
  ['1e-7', '1e-7'],
  ['select(x < y, x, 0)', 'choose((x < y), x, 0.0)'],
  ['round(x)', 'roundEven(x)'],
  ['tanh(x)', 'hyperbolicTangent(x)'],
  ['step(x)', 'choose(0.0 <= x, 1.0, 0.0)'],
  ['sin(x)', 'sine(x)'],
])('%s', ([source, expected]) => {
  expect(text(source as string)).toBe(expected)
})

test('powers', () => {
  expect(glslOf(power(symbol('x'), -0.5))).toBe('inversesqrt(x)')
  expect(glslOf(power(symbol('x'), -1.5))).toBe('realPower(x, -1.5)')
})

const builtIn = [
  'exp',
  'abs',
  'floor',
  'ceil',
  'sqrt',
  'inversesqrt',
  'floatBitsToInt',
  'intBitsToFloat',
  'float',
  'fract',
]

test.for(functionNames.flatMap((name) => [1, 2].map((version) => [name, version as 1 | 2] as const)))(
  '%s calls only functions of GLSL in WebGL%i, or functions in the shader',
  ([name, version]) => {
    const [x, condition] = [symbol('x'), call('less', symbol('x'), symbol('y'))]
    const code = glslOf(call(name, ...functions[name].parameters.map((type) => (type === 'number' ? x : condition))))
    const whole = preludeFor(code, version) + code
    const own = [
      ...builtIn,
      ...(/float roundEven/.test(dialects[version].functions) || version === 2 ? ['roundEven'] : []),
    ]
    const declared = [...whole.matchAll(/(?:float|bool) (\w+)\(/g)].map(([, called]) => called)
    const called = [...whole.matchAll(/\b(\w+)\(/g)].map(([, called]) => called)
    expect(called.filter((one) => ![...own, ...declared].includes(one))).toEqual([])
  },
)

test('conditions have type bool, numbers have type float', () => {
  expect(typeOf(call('less', symbol('x'), constant(1)))).toBe('bool')
  expect(typeOf(call('exp', symbol('x')))).toBe('float')
})

test('the shader declares the functions that GLSL lacks, and no others', () => {
  expect(preludeFor('x + 1.0', 2)).toBe('')
  expect(preludeFor('cosine(x)', 2)).toContain('float cosine(float x)')
  expect(preludeFor('errorFunction(x)', 2)).not.toContain('sine')
})

test('WebGL1 takes numbers apart without their bits', () => {
  const calls = 'logarithm(x) + angle(x, y)'
  expect(preludeFor(calls, 2)).toContain('floatBitsToInt')
  expect(preludeFor(calls, 1)).not.toMatch(/floatBitsToInt|intBitsToFloat|>>/)
})

test('a function comes after those that it calls', () => {
  const prelude = preludeFor('realPower(x, y)', 2)
  const places = ['float logarithmOf(', 'float logarithm(', 'float realPower('].map((start) => prelude.indexOf(start))
  expect(places).toEqual([...places].sort((a, b) => a - b))
  expect(places[0]).toBeGreaterThan(0)
})

test('a number beyond float32 is refused', () => {
  expect(() => literal(1e39)).toThrow(/Cannot write 1e\+39 in GLSL/)
})

test('no select becomes a branch, because SwiftShader takes time exponential in the number of branches', () => {
  expect(text('select(sin(x) < 0 && cos(y) < 1 || !(x < y), tan(x), erf(y))')).not.toMatch(/[?]|&&|[|][|]/)
  const calls = ['choose', 'both', 'either', 'tangent', 'angle', 'logarithm', ...Object.keys(library)].map(
    (n) => `${n}(`,
  )
  const roundEven = dialects[1].functions.slice(dialects[1].functions.indexOf('float roundEven'))
  const choices = `${roundEven}${preludeFor(calls.join(), 1)}${preludeFor(calls.join(), 2)}`
    .split(/[;{}]/)
    .filter((statement) => /[?]|&&|[|][|]|\bif\b/.test(statement))
  expect(choices.length).toBeGreaterThan(6)
  const simple = (choice: string) =>
    (!/[?]/.test(choice) || /^[^?]+[?] [\w.]+ : [\w.]+$/.test(choice)) &&
    !(/&&|[|][|]/.test(choice) && /\w\(/.test(choice))
  expect(choices.filter((choice) => !simple(choice))).toEqual([])
})
