// Formulas on tapes: their values are those of the trees, bit for bit, also after a journey through JSON.

import { expect, it } from 'vitest'
import { evaluate } from '../../src/language/evaluate.ts'
import { functionNames } from '../../src/language/functions/table.ts'
import { constant, nodesOf, product, sum, symbol } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { type FormulaTape, play, playNamed } from '../../src/language/tape.ts'
import { namedTape, tapeOf } from '../../src/language/write-tape.ts'
import { random as randomOf } from '../support/random.ts'
import { randomExpression, randomValues } from '../support/random-expression.ts'

const filed = <T extends FormulaTape>(tape: T): T => JSON.parse(JSON.stringify(tape)) as T

it('a tape gives the values of its formulas, with every function among them', () => {
  const next = randomOf(49)
  const called = new Set<string>()
  for (let n = 0; n < 400; n++) {
    const formulas = [randomExpression(next, 5), randomExpression(next, 4)]
    const tape = filed(tapeOf(formulas))
    for (const node of nodesOf(...formulas)) if (node.kind === 'call') called.add(node.name)
    for (let m = 0; m < 4; m++) {
      const values = randomValues(next)
      expect(play(tape, values)).toEqual(formulas.map((e) => evaluate(e, values)))
    }
  }
  expect([...called].sort()).toEqual([...functionNames].sort())
})

it('the value of each step can be rounded, also that of a given name', () => {
  const { fround } = Math
  const tape = tapeOf([parse('sqrt(x)*y + 0.1', { names: ['x', 'y'] })])
  const [x, y] = [1 / 3, 0.7]
  const product = fround(fround(Math.sqrt(fround(x))) * fround(y))
  expect(play(tape, { x, y }, { round: fround })).toEqual([fround(product + fround(0.1))])
  const squared = tapeOf([parse('x^2*1e30', { names: ['x'] })])
  expect(play(squared, { x: 1e-20 }, { round: (value) => (value < 1e-30 ? 0 : value) })).toEqual([0])
})

it('equal steps are there once, and a tape of shared operands is as short as its tree', () => {
  const x = symbol('x')
  expect(tapeOf([product(x, x), sum(product(x, x), constant(1))]).steps).toEqual([
    'x',
    ['multiply', 0, 0],
    1,
    ['add', 2, 1],
  ])
  let e = sum(x, constant(1))
  for (let n = 0; n < 60; n++) e = sum(product(e, e), constant(n))
  expect(tapeOf([e]).steps.length).toBeLessThan(200)
})

it('named formulas read those before them, and other names are given', () => {
  const formulas = [
    { name: 'p0', expr: parse('G*h', { names: ['G', 'h'] }) },
    { name: 'p1', expr: parse('p0 + G', { names: ['p0', 'G'] }) },
  ]
  expect(playNamed(filed(namedTape(formulas)), { G: 2, h: 3 })).toEqual({ p0: 6, p1: 8 })
})

it('a name without a value is an error, unless all others have one', () => {
  const tape = tapeOf([parse('G*mass', { names: ['G', 'mass'] })])
  expect(() => play(tape, { G: 2 })).toThrow('expected a value for "mass", got G')
  expect(play(tape, { G: 2 }, { others: 1 })).toEqual([2])
})
