// Text and back: the tree as text evaluates as the tree did.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { toText } from '../../src/language/infix.ts'
import { parse } from '../../src/language/parse.ts'
import { simplify } from '../../src/language/simplify.ts'
import { random } from '../support/random.ts'
import { randomExpression, randomValues, symbols } from '../support/random-expression.ts'

const scope = { names: symbols }

describe('toText', () => {
  it.each([
    ['x - (y - z)', 'x - (y - z)'],
    ['x - y - z', 'x - y - z'],
    ['-(x + y)', '-(x + y)'],
    ['(x*y)*(z/r2)', 'x * y * (z / r2)'],
    ['x/(y*z)', 'x / (y * z)'],
    ['-x^2', '-x^2'],
    ['(-x)^2', '(-x)^2'],
    ['x^-2', 'x^(-2)'],
    ['sqrt(x)/x^(1/2)', 'sqrt(x) / sqrt(x)'],
    ['1/sqrt(r2)', '1 / sqrt(r2)'],
    ['r2^(-1/2)', 'inverseSqrt(r2)'],
    ['select(x < y && !(z == 1), x, -y)', 'select(((x < y) && !((z == 1))), x, -y)'],
    ['x^y', 'pow(x, y)'],
    ['1e-7*x', '1e-7 * x'],
  ])('writes %j', (text, expected) => {
    expect(toText(parse(text, scope))).toBe(expected)
  })

  it.each([
    ['as they are', (e: ReturnType<typeof parse>) => e],
    ['simplified', simplify],
  ])('keeps the values of 2000 random trees %s', (_, form) => {
    const next = random(20)
    let compared = 0
    for (let n = 0; n < 2000; n++) {
      const tree = form(randomExpression(next, 4))
      const again = parse(toText(tree), scope)
      for (let sample = 0; sample < 3; sample++) {
        const values = randomValues(next)
        const expected = evaluate(tree, values)
        const close = Math.abs(evaluate(again, values) - expected) <= 1e-12 * Math.abs(expected)
        if (!close && Number.isFinite(expected)) expect.fail(`${toText(tree)} at ${JSON.stringify(values)}`)
        if (Number.isFinite(expected)) compared++
      }
    }
    expect(compared).toBeGreaterThan(3000)
  })

  it('writes each part of a long tree once', () => {
    const steps = Array.from({ length: 14 }, (_, n) => `t${n + 2} = 2*t1*t${n + 1} - t${n}`)
    const chebyshev = simplify(parse(`t15; t0 = 1; t1 = x/2; ${steps.join('; ')}`, scope))
    const text = toText(chebyshev)
    expect(text.length).toBeLessThan(1500)
    expect(text).toMatch(/; _0 = /)
    expect(evaluate(parse(text, scope), { x: 1.1 })).toBeCloseTo(Math.cos(15 * Math.acos(0.55)), 12)
    expect(toText(simplify(parse(text, scope)))).toBe(text)
  })

  it('writes conditions that occur more than once where they are used, because a definition is a number', () => {
    const pieces = Array.from({ length: 60 }, (_, n) => `select(exp(x) < 2 && y > 0, ${n}*x, exp(x)*y^${n + 1})`)
    const tree = simplify(parse(pieces.join(' + '), scope))
    const again = parse(toText(tree), scope)
    for (const x of [0.3, 0.9]) expect(evaluate(again, { x, y: 0.7 })).toBeCloseTo(evaluate(tree, { x, y: 0.7 }), 10)
  })
})
