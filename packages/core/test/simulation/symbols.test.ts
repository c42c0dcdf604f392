// Numbers of forces that shape the maps of a simulation.

import { describe, expect, it } from 'vitest'
import { constant, symbol } from '../../src/language/nodes.ts'
import { parse } from '../../src/language/parse.ts'
import { symbolsFor } from '../../src/simulation/numbers/symbols.ts'

const names = ['a', 'b', 'time', 'x']
const read = (text: string) => symbolsFor('forces0', { a: 2, b: 3 }, parse(text, { names }))

describe('a parameter stays a number in a map', () => {
  it.each([
    ['beside the time', 'cos(a*(1 + time))*b'],
    ['in an exponent', 'x^a*b'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual({ a: constant(2), b: symbol('forces0N1') })
  })

  it('beside the time in a recurrence', () => {
    const members = Array.from({ length: 100 }, (_, n) => `t${n + 2} = 2*x*t${n + 1} - t${n}`)
    const text = `sin(b) + t101; t0 = a; t1 = time; ${members.join('; ')}`
    expect(read(text)).toEqual({ a: constant(2), b: symbol('forces0N1') })
  })
})
