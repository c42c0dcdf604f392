// Values that are derived from an object.

import { expect, it, vi } from 'vitest'
import { Remembered } from '../src/ground/remember.ts'

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
