// Derivatives keep their digits where the law does: against differences of hundreds of digits, over whole domains and their tails,
// in float64 and in float32 steps.

import { describe, expect, it } from 'vitest'
import { differentiate } from '../../src/language/differentiate.ts'
import { evaluate, evaluateInSteps } from '../../src/language/evaluate.ts'
import { functions, type NumericName, numericNames } from '../../src/language/functions/table.ts'
import { toText } from '../../src/language/infix.ts'
import type { Expr } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { factor, simplify } from '../../src/language/simplify.ts'
import { exactValue } from '../support/exact.ts'

const canonical = (text: string) => simplify(parse(text, { names: ['x', 'y'] }))

const formats = {
  f64: { unit: 2 ** -53, least: 1e-280, most: 1e280, value: evaluate },
  f32: {
    unit: 2 ** -24,
    least: 1e-30,
    most: 1e30,
    value: (e: Expr, values: Readonly<Record<string, number>>) => evaluateInSteps(e, values, Math.fround),
  },
} as const

type Values = { readonly x: number; readonly y: number }

/**
 * The errors of a derivative that rounding does not explain. A function of a large value multiplies the rounding of its argument, as
 * `exp(-x^2)` does: the logarithm of the value says by how much.
 */
function faults(text: string, order: 1 | 2, samples: readonly Values[]): readonly string[] {
  const law = canonical(text)
  const first = factor(differentiate(law, 'x'))
  const derived = order === 1 ? first : factor(differentiate(first, 'x'))
  return samples.flatMap((given) => {
    const values = { x: Math.fround(given.x), y: Math.fround(given.y) }
    const truth = exactValue(law, values, { name: 'x', order })
    const size = Math.abs(truth)
    return Object.entries(formats).flatMap(([name, { unit, least, most, value }]) => {
      if (size > 0 && (size < least || size > most)) return []
      const error = Math.abs(value(derived, values) - truth) / (size || 1)
      if (error <= unit * (24 + 8 * Math.abs(Math.log(size || 1)))) return []
      return [`${toText(derived)} at ${values.x}, ${values.y} in ${name}: off by ${error.toExponential(1)} of ${truth}`]
    })
  })
}

const sizes = [
  1e-25, 1e-10, 1e-4, 0.03, 0.2, 0.6, 1.3, 2.1, 3.7, 5.3, 6.1, 8.2, 10.4, 14.3, 20.2, 25.8, 40.6, 80.3, 300.7,
]
const signs = sizes.flatMap((x) => [x, -x])
const along = (xs: readonly number[], y = 1.7): readonly Values[] => xs.map((x) => ({ x, y }))

/** Samples for functions that the samples of their domain do not suit. `y` is for functions of two operands. */
const particular: Readonly<Partial<Record<NumericName, readonly Values[]>>> = {
  tan: along(signs.filter((x) => Math.abs(x) < 30)),
  // Beyond, they are below the range of float64.
  erf: along(signs.filter((x) => Math.abs(x) < 26)),
  erfc: along(signs.filter((x) => Math.abs(x) < 26)),
  atan2: [...along(signs, 1.7), ...along(signs, -0.3), ...along(signs, 1e-3), ...along(signs, 40)],
  pow: [1.7, -2.3, 0.999, 1.001, 1e-3, 12].flatMap((y) => along(sizes, y)),
}
const samplesOf = (name: NumericName): readonly Values[] =>
  particular[name] ?? along(functions[name].domain === 'positive' ? sizes : signs)
const called = (name: NumericName) => `${name}(${['x', 'y'].slice(0, functions[name].operands.length)})`

describe('derivatives of functions', () => {
  it.each(numericNames)('the first one of %s is right over its domain', (name) => {
    expect(faults(called(name), 1, samplesOf(name))).toEqual([])
  })

  it.each(numericNames)('the second one of %s is right over its domain', (name) => {
    expect(faults(called(name), 2, samplesOf(name))).toEqual([])
  })

  it.each([
    ['pow(y, x)', along([-20, -3, -0.5, 1e-6, 0.5, 3, 20], 0.9)],
    ['atan2(y, x)', along(signs)],
    ['min(y, x)', along(signs)],
    ['max(y, x)', along(signs)],
  ])('those of %s by its second operand are right, too', (text, samples) => {
    expect([...faults(text, 1, samples), ...faults(text, 2, samples)]).toEqual([])
  })
})

describe('derivatives of laws', () => {
  const distances = [1e-6, 1e-3, 0.1, 0.4, 1.2, 2.5, 6, 10, 30, 100, 1000, 20_000]
  it.each([
    'tanh(r)',
    'tanh(r)^2',
    '1 - exp(-r)',
    '1 - exp(-r2)',
    'erfc(r)/r',
    'exp(-r)/r',
    'log(1 + r)',
    'log(1 + r2)',
    'log(1 + 1/r2)',
    'log(1 + exp(-r))',
    'sqrt(1 + r2) - 1',
    '(1 + r)^2.5 - 1',
    '(1 + r)^1.0001 - 1',
    'atan2(r, 3)',
    // Quotients that approach a constant, and so lose their slope in a difference.
    'r/(1 + r)',
    'r2/(1 + r2)',
    'r/sqrt(1 + r2)',
    '(r/(1 + r))^3',
    'r^4/(1 + r^4)',
    'y*r/(y + 3*r)',
    '1/(1 + exp(5 - r))',
    'r2/(r2 + y^2)^1.5',
  ])('that of %s is right at all distances', (law) => {
    // The law as a user writes it, by the squared distance, as forces are derived.
    const text = law.replaceAll(/\br2\b/g, 'x').replaceAll(/\br\b/g, 'sqrt(x)')
    expect(faults(text, 1, along(distances.map((r) => r * r)))).toEqual([])
  })

  it('are right beyond the point where a quotient of two functions is not', () => {
    const far = distances.filter((r) => r > 1).map((r) => ({ x: r, y: 1 }))
    for (const text of ['tanh(x)/x', 'erf(x)/x', 'log(1 + x)/x']) expect(faults(text, 1, far), text).toEqual([])
  })

  it('do not multiply a difference of near numbers out, unless by a power of two', () => {
    const near = { x: 1 + 2 ** -20, y: 1 }
    for (const [text, value] of [
      ['3*(x - y)^2', 6 * 2 ** -20],
      ['0.1*(x - y)^2', 0.2 * 2 ** -20],
      ['-5*(x - y)^2/2', -5 * 2 ** -20],
    ] as const)
      expect(formats.f32.value(factor(differentiate(canonical(text), 'x')), near) / value, text).toBeCloseTo(1, 6)
    expect(formats.f32.value(canonical('0.1*(x - y)'), near) / (0.1 * 2 ** -20)).toBeCloseTo(1, 6)
  })
})

it('sums over one denominator have no more terms, and keep others as they are', () => {
  const text = (law: string) => toText(factor(canonical(law)))
  expect(text('1/(1 + x) - x/(1 + x)^2')).toBe('(1 + x)^(-2)')
  expect(text('1 - x^2/(1 + x^2)')).toBe('1 / (x^2 + 1)')
  expect(text('1/(1 + x) - 2/(1 + x)^2')).toBe(text('(x - 1)/(1 + x)^2'))
  expect(text('1/(1 + x) + y/(1 + x)^2')).toMatch(/\(1 \+ x\)/)
})
