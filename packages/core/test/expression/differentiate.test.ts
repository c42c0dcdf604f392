// Exact derivatives, each against central differences over ranges where the function is smooth.

import { describe, expect, it } from 'vitest'
import { differentiate } from '../../src/language/differentiate.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import { toText } from '../../src/language/infix.ts'
import { nodesOf } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { simplify } from '../../src/language/simplify.ts'
import { between, random } from '../support/random.ts'
import { conditioned, randomExpression, randomValues } from '../support/random-expression.ts'

const scope = { names: ['x', 'y', 'r2'] }
const canonical = (text: string) => simplify(parse(text, scope))

/** Fourth-order central difference of a function of one number. */
function slope(f: (x: number) => number, x: number): number {
  const h = 1e-3 * Math.max(1, Math.abs(x))
  return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)
}

it.each(['sqrt((x - y)^2)', 'sqrt(4*(x - y)^2)*y', '((x - y)^2)^(3/2)'])(
  'the slope of %s between equals is 0',
  (text) => {
    expect(evaluate(differentiate(canonical(text), 'x'), { x: 1.5, y: 1.5 })).toBe(0)
  },
)

it('the slope of a recurrence has each member once, and that of a polynomial has no powers', () => {
  const degree = 30
  const members = Array.from({ length: degree - 1 }, (_, n) => `t${n + 2} = 2*y*x*t${n + 1} - t${n}`)
  const derivative = differentiate(canonical(`t${degree}; t0 = 1; t1 = x; ${members.join('; ')}`), 'x')
  expect(nodesOf(derivative).size).toBeLessThan(degree ** 2)
  expect(toText(differentiate(canonical('y + x*(2 + x*(y + x*(4 + x*y)))'), 'x'))).not.toContain('^')
})

describe('derivatives', () => {
  it.each<[text: string, from: number, to: number]>([
    ['exp(x)', -3, 3],
    ['log(x)', 0.5, 5],
    ['sin(2*x)', -3, 3],
    ['cos(x*y)', -3, 3],
    ['tan(x)', -1, 1],
    ['tanh(x/2)', -3, 3],
    ['erf(x)', -3, 3],
    ['erfc(x)', -2, 2],
    ['abs(x)', 0.1, 3],
    ['abs(x)', -3, -0.1],
    ['atan2(x, y)', -3, 3],
    ['atan2(y, x)', 0.1, 3],
    ['atan2(x^2, x + 3)', 0.1, 3],
    ['min(x^2, 2)', 0.1, 1.3],
    ['min(x^2, 2)', 1.5, 3],
    ['max(x^2, 2)', 0.1, 1.3],
    ['max(x^2, 2)', 1.5, 3],
    ['max(y, x^3)', 1.3, 2],
    ['x^y', 0.5, 3],
    ['y^x', -2, 2],
    ['x^x', 0.5, 2],
    ['x^-3', 0.5, 2],
    ['x^2.5', 0.5, 2],
    ['sqrt(1 + x^2)', -2, 2],
    ['1/sqrt(1 + x^2)', -2, 2],
    ['(2/x)^12 - (2/x)^6', 1.5, 3],
    ['(y/sqrt(x))^6', 0.5, 3],
    ['select(x < 1, x^2, x^3)', 0.1, 0.9],
    ['select(x < 1, x^2, x^3)', 1.1, 2],
    ['exp(-x^2)*sin(3*x)/(1 + x^2)', -2, 2],
    ['poly(x, 1, -2, 3, y, 0.5)', -1, 1],
    ['poly(-2*x, 1, 2, y*x, 4, 5)', -1, 1],
    ['poly(exp(-x), y, 0, 2, 1, -3, y)', -1, 1],
    ['poly(1/x, 0, 0, 0, y, 2, -1, 3)', 0.5, 2],
    ['y*poly(x - 1.5, 1, sin(x), 2, y, exp(x))/x', 1, 2],
    ['poly(sin(x), 1, poly(cos(x), 1, 2, 3, y), 2, 3, y)', 0, 2],
  ])('of %s match finite differences between %f and %f', (text, from, to) => {
    const e = canonical(text)
    const derivative = differentiate(e, 'x')
    const next = random(3)
    for (let n = 0; n < 20; n++) {
      const [x, y] = [between(next, from + 0.01, to - 0.01), 1.7]
      const expected = slope((at) => evaluate(e, { x: at, y }), x)
      expect(Math.abs(evaluate(derivative, { x, y }) - expected)).toBeLessThan(1e-6 * Math.max(1, Math.abs(expected)))
    }
  })

  it.each(['sign(x)', 'floor(x)', 'ceil(x)', 'round(x)', 'step(x)', 'y', '3', 'select(x < 1, 2, 3)'])(
    'of %s is 0',
    (text) => {
      expect(toText(differentiate(canonical(text), 'x'))).toBe('0')
    },
  )

  it.each([
    ['x^2', '2 * x'],
    ['x*y', 'y'],
    ['1/x', '-1 / x^2'],
    ['x^y', 'y * pow(x, y - 1)'],
    ['(y/x)^6', '-6 * (y / x)^6 / x'],
  ])('of %s simplify to %s', (text, expected) => {
    const values = { x: 1.3, y: 0.7 }
    const derivative = differentiate(canonical(text), 'x')
    expect(evaluate(derivative, values)).toBeCloseTo(evaluate(canonical(expected), values), 14)
    expect(toText(derivative).length).toBeLessThanOrEqual(expected.length + 2)
  })

  it('of a polynomial have one product and one sum for each coefficient, in the order of Horner', () => {
    const powers = Array.from({ length: 9 }, (_, n) => n + 1)
    expect(toText(differentiate(canonical('poly(x, 1, 2, 3, 4, 5)'), 'x'))).toBe('2 + (6 + (12 + 20 * x) * x) * x')
    const derivative = toText(differentiate(canonical(`poly(x, 7, ${powers.map((n) => n / 10).join(', ')})`), 'x'))
    expect(derivative.match(/[*+]/g)).toHaveLength(2 * (powers.length - 1))
    const expected = powers.map((n) => ((n * n) / 10) * 0.7 ** (n - 1)).reduce((total, term) => total + term)
    expect(evaluate(parse(derivative, scope), { x: 0.7 })).toBeCloseTo(expected, 13)
  })

  it.each([
    ['log(1 - x^2)', 1.25],
    ['y*log(x)', -0.5],
    ['log(x*y)', -2],
    ['log(-x^3 + y)', 3],
    ['log(min(x, y) - 2)', 1],
    ['exp(log(x - 3))', 1],
  ])('of %s have a value only where it has one', (text, x) => {
    const derivative = differentiate(canonical(text), 'x')
    expect(evaluate(canonical(text), { x, y: 0.75 })).toBeNaN()
    expect(evaluate(derivative, { x, y: 0.75 })).toBeNaN()
  })

  it.each([
    ['log(sqrt(r2))', 'r2'],
    ['log(1 + r2)', 'r2'],
    ['log(x^2 + y^2)', 'x'],
    ['log(exp(x) + abs(x))', 'x'],
    ['log(2*sqrt(x))', 'x'],
    ['log(select(x < y, exp(x), 3))', 'x'],
  ])('of %s, which is never outside its domain, have no choice of their own', (text, variable) => {
    const derivative = toText(differentiate(canonical(text), variable))
    expect(derivative.match(/select/g) ?? []).toHaveLength(text.includes('select') ? 2 : 0)
  })

  it('of the logarithm of a quotient by a parameter are those of its variable part, times a choice of the parameter', () => {
    expect(toText(differentiate(canonical('log(sqrt(r2)/y)'), 'r2'))).toBe(
      '0.5 * select((0 <= 1 / y), 1, inverseSqrt(y)) / r2',
    )
  })

  it('do not split a power of a quotient, whose parts might leave the range of float32', () => {
    const derivative = toText(differentiate(canonical('(y^2/r2)^6'), 'r2'))
    expect(derivative).not.toMatch(/y\^12|r2\^\(?-?[67]/)
  })

  it('of random trees match converged finite differences', () => {
    const next = random(11)
    let compared = 0
    for (let n = 0; n < 3000; n++) {
      const e = simplify(randomExpression(next, 3))
      const values = randomValues(next)
      const at = (x: number) => evaluate(e, { ...values, x })
      const x = values.x as number
      const [expected, again] = [slope(at, x), slope((u) => at(x + (u - x) * 0.5) * 2, x)]
      const steady = Math.abs(expected - again) < 1e-7 * Math.abs(expected) && Math.abs(expected) < 1e3
      if (!steady || conditioned(e, values) === undefined) continue
      compared++
      const got = evaluate(differentiate(e, 'x'), values)
      if (!(Math.abs(got - expected) < 1e-5 * Math.max(1e-3, Math.abs(expected))))
        expect.fail(`d/dx ${toText(e)} = ${toText(differentiate(e, 'x'))}: ${got}, differences say ${expected}`)
    }
    expect(compared).toBeGreaterThan(300)
  })
})
