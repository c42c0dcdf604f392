// Units of work by blocks: every thread has some, so that all end together, and no more than that, because large ones save pairs.

import { expect, it } from 'vitest'
import { loopPlan } from '../../src/run/plans/plan.ts'

const blockPoints = 8
const facts = { blocks: true, cancelsInertia: false, perTarget: 3, linear: true }
const guard = { parameters: {}, singular: false, perPair: false }
const unitsOf = (targets: number, threads: number, onceObstacle?: string) => {
  const shape = { dimension: 3, targets, sources: targets, sameSet: true, vectors: ['position'] } as const
  const plan = loopPlan({ variant: 'blocks' }, { guard, pair: { ...facts, onceObstacle } }, shape, { threads })
  return targets / (blockPoints * plan.unitBlocks)
}

it.each([1, 2, 4, 8, 16])('%i threads have four units each, of at least 256 points', (threads) => {
  expect(unitsOf(32_000, threads)).toBeGreaterThanOrEqual(Math.max(15, 3.75 * threads))
  expect(unitsOf(32_000, threads)).toBeLessThan(4 * Math.max(4, threads) + 1)
  expect(unitsOf(4000, threads)).toBeLessThanOrEqual(4000 / 256)
})

it('units have 256 points where no pair is met once', () => {
  expect(unitsOf(32_000, 1, 'its law is not symmetric')).toBe(125)
})
