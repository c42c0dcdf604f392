// The table of accuracy: every function has an entry, ranges ascend, and the bound follows from the table.

import { expect, test } from 'vitest'
import { functionAccuracy, largestError } from '../../src/language/function-accuracy.ts'
import { functions } from '../../src/language/functions/table.ts'

const u = 2 ** -24

test('every function has an accuracy for ascending ranges', () => {
  for (const name of Object.keys(functions)) expect(functionAccuracy).toHaveProperty(name)
  for (const ranges of Object.values(functionAccuracy)) {
    const ends = ranges.map(({ upTo = Number.POSITIVE_INFINITY }) => upTo)
    expect(ends).toEqual([...ends].sort((a, b) => a - b))
  }
})

test('a bound is relative to the value, absolute, or infinite', () => {
  expect(largestError('add', 3, 1, 2)).toBeCloseTo(3 * u, 12)
  expect(largestError('cos', 0, Math.PI / 2)).toBeCloseTo(3 * u, 12)
  expect(largestError('sin', 0.5, 1e30)).toBe(Number.POSITIVE_INFINITY)
  expect(largestError('max', 2, 1, 2)).toBe(0)
  expect(largestError('log', Number.NEGATIVE_INFINITY, 0)).toBe(0)
  expect(largestError('pow', 0, 0, 2)).toBeLessThan(u)
})
