// The simplifier: same value, one form for equal expressions, and nothing left to do the second time.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { toText } from '../../src/language/infix.ts'
import { key } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { factor, simplify, substitute } from '../../src/language/simplify.ts'
import { random } from '../support/random.ts'
import { conditioned, randomExpression, randomValues } from '../support/random-expression.ts'

const scope = { names: ['x', 'y', 'z', 'r', 'r2', 's'] }
const canonical = (text: string) => key(simplify(parse(text, scope)))

describe('random trees', () => {
  const next = random(7)
  const trees = Array.from({ length: 3000 }, () => randomExpression(next, 4))

  it.each([
    ['simplify', simplify],
    ['factor', factor],
  ] as const)('keep their values in %s()', (_, rewrite) => {
    const sample = random(8)
    let compared = 0
    for (const tree of trees) {
      const rewritten = rewrite(tree)
      for (let n = 0; n < 4; n++) {
        const values = randomValues(sample)
        const expected = conditioned(tree, values)
        if (expected === undefined) continue
        compared++
        const got = evaluate(rewritten, values)
        if (!(Math.abs(got - expected) <= 1e-9 * Math.abs(expected)))
          expect.fail(`${toText(tree)} became ${toText(rewritten)}: ${expected} -> ${got} at ${JSON.stringify(values)}`)
      }
    }
    expect(compared).toBeGreaterThan(3000)
  })

  it('are not changed by a second simplify()', () => {
    for (const tree of trees) {
      const once = simplify(tree)
      if (key(simplify(once)) !== key(once))
        expect.fail(`${toText(tree)} became ${toText(once)}, then ${toText(simplify(once))}`)
    }
  })
})

describe('the canonical form', () => {
  it.each([
    ['x + y', 'y + x'],
    ['x*y*z', '(z*y)*x'],
    ['x + (y + z)', '(x + y) + z'],
    ['x + x + x', '3*x'],
    ['x - x', '0'],
    ['x*x*x', 'x^3'],
    ['x/x', '1'],
    ['x^2*x^-2', '1'],
    ['sqrt(x)*sqrt(x)', 'x'],
    ['2*(x + y)', '2*x + 2*y'],
    ['-(x - y)', 'y - x'],
    ['x/2', '0.5*x'],
    ['x/(y/z)', 'x*z/y'],
    ['(2*x)^3', '8*x^3'],
    ['(x*y)^2', 'x^2*y^2'],
    ['(x^3)^2', 'x^6'],
    ['sqrt(r2)^2', 'r2'],
    ['sqrt(r2^2)', 'r2'],
    ['sqrt(4*r2)', '2*sqrt(r2)'],
    ['sqrt(r^2)', 'r'],
    ['1/sqrt(r2)^3', 'r2^(-3/2)'],
    ['select(x < y, z, z)', 'z'],
    ['select(1 < 2, x, y)', 'x'],
    ['pow(x, 1 + 1)', 'x^2'],
    ['exp(0)*x + log(1)', 'x'],
    ['sqrt(2*x^3)', 'sqrt(2)*x^(3/2)'],
    ['sqrt(x^2)*x*sqrt(x^2)', 'x^3'],
    ['(y + (x^2)^(1/2)*x*(x^2)^(3/2))*0.5', '0.5*x^5 + y/2'],
    ['0*x', '0'],
    ['sqrt((x - y)^2)', 'abs(x - y)'],
    ['sqrt(4*x^2*y)', '2*abs(x)*sqrt(y)'],
    ['sqrt(x^2*y^2)', 'abs(x)*abs(y)'],
    ['(4*(x - y)^2)^(3/2)', '8*abs(x - y)^3'],
    ['((4*(x - y)^2)^(3/2))^2', '64*(x - y)^6'],
    ['sqrt(x^4)', 'x^2'],
    ['abs(x)^4', 'x^4'],
  ])('is the same for %s and %s', (a, b) => {
    expect(canonical(a)).toBe(canonical(b))
  })

  it.each([
    ['sqrt(x^2)', 'x'],
    ['(x^2)^(1/2)', 'x'],
    ['(x^4)^(1/4)', 'x'],
    ['sqrt(x^2*y)', 'x*sqrt(y)'],
    ['sqrt(x^2)*y', 'x*y'],
    ['1/sqrt(x^2)', '1/x'],
    ['x - y', 'y - x'],
    ['x/y', 'y/x'],
  ])('of %s differs from that of %s', (a, b) => {
    expect(canonical(a)).not.toBe(canonical(b))
  })
})

describe('roots of even powers', () => {
  it.each(['(x^2)^(1/2)', 'sqrt(x^2*r2)/sqrt(r2)', '(x^6)^(1/6)', '(x^2/4)^(1/2)*2', '1/(x^2)^(-1/2)'])(
    'are not negative: %s at -3 is 3',
    (text) => {
      expect(evaluate(simplify(parse(text, scope)), { x: -3, r2: 2 })).toBeCloseTo(3, 12)
    },
  )
})

describe('powers of quotients', () => {
  it.each([
    ['(s/r)^12', '(s^2 / r2)^6'],
    ['4*((s/r)^12 - (s/r)^6)', '4 * (s^2 / r2)^6 - 4 * (s^2 / r2)^3'],
    ['(s/x)^3', '(s / x)^3'],
    ['(2*s/x)^3', '8 * (s / x)^3'],
    ['(x^2/y^2)^(5/2)', '(x^2 * y^(-2))^2.5'],
    ['(x^2*y^2)^(5/2)', '(x^2 * y^2)^2.5'],
  ])('are not split: %s', (text, expected) => {
    const inSquares = substitute(parse(text, scope), { r: parse('sqrt(r2)', scope) })
    expect(toText(inSquares)).toBe(expected)
  })

  it('stay within the range of float32 although their parts do not', () => {
    const e = substitute(parse('(s/r)^12', scope), { r: parse('sqrt(r2)', scope) })
    expect(evaluate(e, { s: 1e-30, r2: 1e-60 })).toBeCloseTo(1, 12)
  })
})

describe('common factors', () => {
  it.each([
    ['x*y + x*z', 'x * (y + z)'],
    ['2*x^2*y - 4*x^3', '2 * x^2 * (y - 2 * x)'],
    ['x/s^2 + y/s^3', '(x + y / s) / s^2'],
    ['x + 1', '1 + x'],
    ['x*y - y*x', '0'],
  ])('are found in %s', (text, expected) => {
    const values = { x: 1.1, y: -0.7, z: 0.3, s: 2.3 }
    const factored = factor(simplify(parse(text, scope)))
    expect(evaluate(factored, values)).toBeCloseTo(evaluate(parse(expected, scope), values), 14)
    expect(key(factored).length).toBeLessThanOrEqual(key(factor(parse(expected, scope))).length)
  })
})
