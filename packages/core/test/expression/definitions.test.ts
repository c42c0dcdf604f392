// Definitions after the expression: any order, any lines, each name once, none by itself.

import { describe, expect, it } from 'vitest'
import { ExpressionError } from '../../src/ground/errors.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import { parse } from '../../src/language/parse.ts'

const scope = { names: ['x', 'y'] }
const calculate = (text: string) => evaluate(parse(text, scope), { x: 3, y: 5 })

describe('definitions', () => {
  it('may come in any order', () => {
    expect(calculate('a + b; a = 2*b; b = x + 1')).toBe(12)
    expect(calculate('a + b; b = x + 1; a = 2*b')).toBe(12)
  })

  it('are substituted as values, not as text', () => {
    expect(calculate('2*a^2; a = x + y')).toBe(128)
    expect(calculate('1/a; a = x*y')).toBe(1 / 15)
  })

  it('may be unused, and may end with a semicolon', () => {
    expect(calculate('x; a = y;')).toBe(3)
  })

  it('may be used more than once, and in the middle of an expression', () => {
    expect(calculate('x + a*y - a; a = 2*c; c = x - 1')).toBe(3 + 4 * 5 - 4)
  })

  it.each(['\n', '\r\n', '\n\n\t'])('may be on separate lines (%j)', (line) => {
    expect(calculate(`a*b;${line}a = x +${line}1;${line}b = y${line}`)).toBe(20)
  })

  it.each([
    ['a; a = a + 1', '"a" is defined by itself: a -> a'],
    ['x; a = b; b = c; c = a', '"a" is defined by itself: a -> b -> c -> a'],
    ['x; a = 1; a = 2', 'expected a new name, as "a" is already defined, got "a"'],
    ['x; y = 1', 'expected a new name, as "y" is already defined, got "y"'],
    ['x; pi = 3', 'expected a new name, as "pi" is already defined, got "pi"'],
    ['x; 3 = y', 'expected a definition "name = expression", got "3"'],
    ['x; a', 'expected a definition "name = expression", got "a"'],
    ['x;; a = 1', 'expected a definition "name = expression", got ";"'],
    ['x; a = y < 1', 'expected a number, as in select(condition, a, b), got a condition'],
    ['x; a = unknown', 'unknown name "unknown"; names in scope: a, x, y, pi'],
    ['x; a = y y', 'expected an operator, ";" or the end, got "y"'],
    ['x; a =', 'expected a number, a name, a function or "(", got end of text'],
  ])('are refused in %j', (text, message) => {
    expect(() => parse(text, scope)).toThrow(ExpressionError)
    expect(() => parse(text, scope)).toThrow(message)
  })
})
