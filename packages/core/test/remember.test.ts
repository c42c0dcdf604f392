// Values that are derived from an object or a text.

import { expect, it, vi } from 'vitest'
import { Remembered, RememberedTexts } from '../src/ground/remember.ts'

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

it('makes the value of a text once, until there are too many texts', () => {
  const known = new RememberedTexts<string>(2)
  const make = vi.fn((text: string) => `${text}!`)
  const of = (text: string) => known.of(text, () => make(text))
  for (const text of ['a', 'b', 'a', 'b']) expect(of(text)).toBe(`${text}!`)
  expect(make).toHaveBeenCalledTimes(2)
  of('c')
  of('a')
  expect(make).toHaveBeenCalledTimes(4)
})
