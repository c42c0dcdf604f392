// Columns hold the numbers of single evaluations, bit for bit.

import { expect, it } from 'vitest'
import { columnsOf } from '../../src/language/columns.ts'
import { evaluator } from '../../src/language/evaluate.ts'
import { functions, numericNames } from '../../src/language/functions/table.ts'
import { parse } from '../../src/language/parse.ts'

const names = ['x', 'y', 'z']
const read = (text: string) => parse(text, { names })
const numbers = [0, -0, 1, -1, 0.5, -0.5, 1.5, 2.5, -3.7, 40, -800, 1e-300, 1e300, 1 / 0, -1 / 0, Number.NaN]
const rows = numbers.flatMap((x) => numbers.map((y, n) => [x, y, numbers[(5 * n + 3) % numbers.length] as number]))

const calls = numericNames.map((name) => `${name}(${names.slice(0, functions[name].operands.length)})`)
const conditions = ['x < y', 'x <= y', 'x == y', 'x < y && y <= z', 'x < y || y <= z', '!(x < y)']
const choices = conditions.map((condition) => `select(${condition}, y, z)`)
const operations = [
  'x + y*z - 2',
  '-x/y',
  'x^2',
  'x^3',
  'x^-1',
  'x^0.5',
  'x^-1.5',
  'x^1.5',
  'x^-2',
  'x^0.3',
  'x^5',
  '3',
  'y',
]

it.each([...calls, ...choices, ...operations])('%s', (text) => {
  const e = read(text)
  const { given, results, compute } = columnsOf([e, read('x + y')], rows.length)
  for (const [n, name] of names.entries()) given.get(name)?.set(rows.map((row) => row[n] as number))
  compute(rows.length)
  const value = evaluator(e, names)
  expect(results[0]).toEqual(Float64Array.from(rows, (row) => value(Float64Array.from(row))))
  expect(results[1]).toEqual(Float64Array.from(rows, ([x = 0, y = 0]) => x + y))
})

it('computes as many numbers as there are, and leaves the rest', () => {
  const { given, results, compute } = columnsOf([read('2*x')], 4)
  given.get('x')?.set([1, 2, 3, 4])
  compute(3)
  expect(results[0]).toEqual(Float64Array.of(2, 4, 6, 0))
})
