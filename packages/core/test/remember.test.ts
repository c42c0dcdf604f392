// Values that are derived from an object or a text.

import { expect, it, vi } from 'vitest'
import { Remembered } from '../src/ground/remember.ts'
import { RememberedTexts } from '../src/ground/remember-texts.ts'

it('makes each value once for each object and variant, also if it is undefined', () => {
  const known = new Remembered<object, number | undefined>()
  const [a, b] = [{}, {}]
  const make = vi.fn<() => number | undefined>(() => undefined)
  for (let n = 0; n < 2; n++) {
    for (const key of [a, b]) expect(known.of(key, make)).toBe(undefined)
    expect(known.of(a, () => 2, 'other')).toBe(2)
  }
  expect(make).toHaveBeenCalledTimes(2)
})

it('makes the value of a text once, until texts become too long together', () => {
  const known = new RememberedTexts<string>(6)
  const make = vi.fn((text: string) => `${text}!`)
  const of = (text: string) => known.of(text, () => make(text))
  for (const text of ['one', 'two', 'one', 'two']) expect(of(text)).toBe(`${text}!`)
  expect(make).toHaveBeenCalledTimes(2)
  of('3')
  of('one')
  expect(make).toHaveBeenCalledTimes(4)
  for (let n = 0; n < 2; n++) of('a long text')
  expect(make).toHaveBeenCalledTimes(5)
})
