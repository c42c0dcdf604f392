// How text is read: the operator that binds first, and the side that it binds.

import { describe, expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { parse } from '../../src/language/parse.ts'

const values = { x: 3, y: 5, z: -2 }
const calculate = (text: string) => evaluate(parse(text, { names: Object.keys(values) }), values)

describe('arithmetic is parsed and evaluated', () => {
  it.each([
    ['x + y*z', 3 + 5 * -2],
    ['(x + y)*z', (3 + 5) * -2],
    ['x - y - z', 3 - 5 + 2],
    ['x - (y - z)', 3 - (5 + 2)],
    ['100/x/y', 100 / 3 / 5],
    ['100/(x/y)', 100 / (3 / 5)],
    ['x/y*z', (3 / 5) * -2],
    ['x*-y', -15],
    ['x - -y', 8],
    ['--x', 3],
    ['+x', 3],
    ['-+-x', 3],
    ['1.5e1 + .5 + 2.', 17.5],
    ['1E-1*2e+1', 2],
    ['2*pi', 2 * Math.PI],
  ])('%s', (text, expected) => {
    expect(calculate(text)).toBeCloseTo(expected, 12)
  })
})

describe('powers are parsed and evaluated', () => {
  it.each([
    ['2^3^2', 512],
    ['(2^3)^2', 64],
    ['-2^2', -4],
    ['(-2)^2', 4],
    ['2^-1', 0.5],
    ['2^-2^2', 2 ** -4],
    ['-x^2*y', -45],
    ['2*x^2', 18],
    ['x^y', 243],
    ['x^(1/2)', Math.sqrt(3)],
    ['x^-y', 3 ** -5],
    ['1/x^2', 1 / 9],
    ['inverseSqrt(x)*sqrt(x)', 1],
    ['pow(x, 2) + pow(2, x)', 17],
  ])('%s', (text, expected) => {
    expect(calculate(text)).toBeCloseTo(expected, 12)
  })
})

describe('logic is parsed and evaluated', () => {
  it.each([
    ['x < y', 1],
    ['x > y', 0],
    ['x <= 3', 1],
    ['x >= 3.5', 0],
    ['x == 3', 1],
    ['x != 3', 0],
    ['x + 2 == y', 1],
    ['x < y && y < x', 0],
    ['x < y || y < x', 1],
    // && binds more tightly than ||.
    ['x == 3 || x == 3 && x == 4', 1],
    ['(x == 3 || x == 3) && x == 4', 0],
    ['!(x == 3)', 0],
    ['!(x == 4) && y == 5', 1],
  ])('%s', (condition, expected) => {
    expect(calculate(`select(${condition}, 1, 0)`)).toBe(expected)
  })

  it('with numbers other than 0 as true conditions', () => {
    expect(calculate('select(x, 7, 8)')).toBe(7)
    expect(calculate('select(x - 3, 7, 8)')).toBe(8)
    expect(calculate('select(!(x - 3), 7, 8)')).toBe(7)
    expect(calculate('select(x && z + 2, 7, 8)')).toBe(8)
    expect(calculate('select(x && z, 7, 8)')).toBe(7)
  })

  it('with step(x) compared with 0, and step(edge, x) with an edge', () => {
    expect([calculate('step(z)'), calculate('step(0)'), calculate('step(x)')]).toEqual([0, 1, 1])
    expect([calculate('step(4, x)'), calculate('step(3, x)'), calculate('step(2, x)')]).toEqual([0, 1, 1])
  })
})
