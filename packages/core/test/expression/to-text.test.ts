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
})
