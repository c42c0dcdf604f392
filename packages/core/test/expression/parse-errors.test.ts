// The error for a fault in the text: line, column, a caret beneath it, the expected tokens, and the names in scope.

import { describe, expect, it } from 'vitest'
import { ExpressionError } from '../../src/ground/errors.ts'
import { parse } from '../../src/language/parse.ts'
import { simplify } from '../../src/language/simplify.ts'
import type { Scope } from '../../src/language/syntax/scope.ts'

const scope: Scope = { names: ['x', 'y'] }

function faultOf(text: string, within: Scope = scope): ExpressionError {
  try {
    parse(text, within)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`"${text}" was expected not to parse`)
}

describe('a parse error', () => {
  it.each([
    ['', 1, 1, 'expected a number, a name, a function or "(", got end of text'],
    ['x +', 1, 4, 'expected a number, a name, a function or "(", got end of text'],
    ['x + * y', 1, 5, 'expected a number, a name, a function or "(", got "*"'],
    ['(x + y', 1, 7, 'expected ")", got end of text'],
    ['x + y)', 1, 6, 'expected an operator, ";" or the end, got ")"'],
    ['x y', 1, 3, 'expected an operator, ";" or the end, got "y"'],
    ['x = y', 1, 3, 'expected an operator, ";" or the end, got "="'],
    ['x + q', 1, 5, 'unknown name "q"; names in scope: x, y, pi'],
    ['x + foo(y)', 1, 5, 'unknown function "foo"; functions: '],
    ['less(x, y)', 1, 1, 'unknown function "less"'],
    ['exp + 1', 1, 1, '"exp" is a function: write exp(...)'],
    ['x + exp()', 1, 5, 'expected 1 operand for exp, got 0'],
    ['exp(x, y)', 1, 1, 'expected 1 operand for exp, got 2'],
    ['1 + poly(x)', 1, 5, 'expected 2 to 65 operands for poly, got 1'],
    ['poly(x, y < 1)', 1, 1, 'expected a number'],
    ['atan2(x)', 1, 1, 'expected 2 operands for atan2, got 1'],
    ['step(x, y, 1)', 1, 1, 'expected 1 or 2 operands for step, got 3'],
    ['select(x < y, 1)', 1, 1, 'expected 3 operands for select, got 2'],
    ['min(x y)', 1, 7, 'expected "," or ")", got "y"'],
    ['exp(x', 1, 6, 'expected "," or ")", got end of text'],
    ['x # y', 1, 3, 'unexpected "#"'],
    ['x + 😀', 1, 5, 'unexpected "😀"'],
    ['x^2 + y**2', 1, 8, 'unexpected "**": write a^n'],
    ['x > 1 ? x : 1', 1, 7, 'unexpected "?": write select(condition, a, b)'],
    ['Math.exp(x)', 1, 5, 'unexpected ".": write sqrt(x), not Math.sqrt(x)'],
    ['x < y', 1, 1, 'expected a number, as in select(condition, a, b), got a condition'],
    ['x + (x < y)', 1, 3, 'expected a number, as in select(condition, a, b), got a condition'],
    ['x < y < 1', 1, 7, 'expected a number, as in select(condition, a, b), got a condition'],
    ['exp(x < y)', 1, 1, 'expected a number, as in select(condition, a, b), got a condition'],
    ['2x', 1, 2, 'expected an operator, ";" or the end, got "x"'],
    ['1.2.3', 1, 4, 'expected an operator, ";" or the end, got ".3"'],
    ['1e999', 1, 1, 'expected a number below 1.8e308, got "1e999"'],
  ])('in %j is at line %i, column %i', (text, line, column, reason) => {
    const fault = faultOf(text)
    expect(fault.message).toContain(reason)
    expect([fault.line, fault.column]).toEqual([line, column])
    expect(fault.text).toBe(text)
  })

  it('shows the line with a caret beneath the fault', () => {
    expect(faultOf('x +\n  y + q*2;\n').message).toBe(
      'Cannot parse expression: unknown name "q"; names in scope: x, y, pi (line 2, column 7)\n    y + q*2;\n        ^',
    )
  })

  it('counts lines that end with CRLF, and does not show the CR', () => {
    const fault = faultOf('x +\r\n  q*2;\r\na = 1')
    expect([fault.line, fault.column]).toEqual([2, 3])
    expect(fault.message.split('\n').slice(1)).toEqual(['    q*2;', '    ^'])
  })

  it('keeps the caret beneath the fault after tabs', () => {
    expect(faultOf('\tx + q').message.split('\n').slice(1)).toEqual(['  \tx + q', '  \t    ^'])
  })

  it('lists definitions, names and kinds of names in scope', () => {
    const open = { test: (name: string) => name.endsWith('_i'), describe: 'any attribute as name_i' }
    const fault = faultOf('q + a; a = m_i', { names: ['r'], open })
    expect(fault.message).toContain('names in scope: a, r, pi, and any attribute as name_i')
    expect(fault.expected).toEqual(['a', 'r', 'pi'])
  })

  it('occurs for text that is deeper than the limit of trees', () => {
    expect(() => simplify(parse(`x${'+x'.repeat(1023)}`, scope))).not.toThrow()
    expect(() => simplify(parse(`${'sqrt('.repeat(682)}x${')'.repeat(682)}`, scope))).not.toThrow()
    expect(faultOf('x+'.repeat(1025)).message).toContain('expected at most 2048 numbers, names and signs (line 1, ')
  })

  it('has a list of what was expected', () => {
    expect(faultOf('(x').expected).toEqual(['")"'])
    expect(faultOf('foo(x)').expected).toContain('select')
  })

  it('is a TypeError if the input is not text', () => {
    expect(() => parse(3 as unknown as string, scope)).toThrow(new TypeError('"expression" expected text, got 3'))
  })

  it('occurs for names that every JavaScript object has', () => {
    expect(faultOf('constructor').message).toContain('unknown name "constructor"')
    expect(faultOf('toString(x)').message).toContain('unknown function "toString"')
  })
})

describe('a message of an error', () => {
  it('shows part of a long line, with the caret below the fault', () => {
    const fault = faultOf(`${'x + '.repeat(500)}q${' + x'.repeat(400)}`)
    expect([fault.line, fault.column]).toEqual([1, 2001])
    const [, shown = '', caret = ''] = fault.message.split('\n')
    expect(shown).toMatch(/^ {2}\.\.\.(x \+ ){20}q( \+ x)*.*\.\.\.$/)
    expect(shown[caret.indexOf('^')]).toBe('q')
  })

  it.each([
    ['a name', 'a'.repeat(1e6)],
    ['a function', `${'a'.repeat(1e6)}(x)`],
    ['a number', `x ${'1'.repeat(1e6)}`],
    ['a name that is defined twice', `x; ${'a'.repeat(1e6)} = 1; ${'a'.repeat(1e6)} = 1`],
    ['very many definitions', `q; ${Array.from({ length: 500 }, (_, n) => `${'a'.repeat(1000)}${n} = 1`).join('; ')}`],
  ])('does not repeat a megabyte of %s', (_, text) => {
    expect(faultOf(text).message.length).toBeLessThan(5000)
  })
})
