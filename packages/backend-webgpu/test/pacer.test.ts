// How much work a submission holds, as far as results depend on it: what is never cut is added up in one order.

import { expect, test } from 'vitest'
import { pacer } from '../src/host/pace.ts'

test.each([
  ['software', 1000],
  ['hardware', 2500],
] as const)('on %s, a run of %i points is one submission however busy the device was', (kind, points) => {
  const pace = pacer(kind)
  for (let n = 0; n < 20; n++) pace.observe(points ** 2, 10_000)
  expect(pace.budget()).toBeGreaterThanOrEqual(points ** 2)
})

test('what a device does is learned in both directions', () => {
  const pace = pacer('hardware')
  const first = pace.budget()
  pace.observe(1e9, 10)
  expect(pace.budget()).toBe(8 * first)
  pace.observe(1e8, 1000)
  expect(pace.budget()).toBeLessThan(first)
})
