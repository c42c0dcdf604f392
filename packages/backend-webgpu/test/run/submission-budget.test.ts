// The amount of work in a submission, as far as results depend on it: sums that are never cut are added up in one order.

import { expect, test } from 'vitest'
import { submissionBudget } from '../../src/run/host/submission-budget.ts'

test.each([
  ['software', 1000],
  ['hardware', 2500],
] as const)('on %s, a run of %i points is one submission however busy the device was', (kind, points) => {
  const submission = submissionBudget(kind)
  for (let n = 0; n < 20; n++) submission.observe(points ** 2, 10_000)
  expect(submission.budget()).toBeGreaterThanOrEqual(points ** 2)
})

test('the budget adapts to slower and faster devices', () => {
  const submission = submissionBudget('hardware')
  const first = submission.budget()
  submission.observe(1e9, 10)
  expect(submission.budget()).toBe(8 * first)
  submission.observe(1e8, 1000)
  expect(submission.budget()).toBeLessThan(first)
})

test('work surely takes as long as the fastest work did, also after runs over no pairs', () => {
  const submission = submissionBudget('hardware')
  submission.observe(0, 1)
  expect(submission.atLeast(1e9)).toBe(0)
  submission.observe(1e9, 10)
  submission.observe(1e9, 20)
  expect(submission.atLeast(2e9)).toBeCloseTo(19)
})
