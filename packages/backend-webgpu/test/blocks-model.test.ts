// When runs visit blocks of near points by default on a graphics card. tests/gpu checks the runs themselves.

import { expect, test } from 'vitest'
import { type AllPairs, mostShare } from '../src/plans/blocks-model.ts'

const loop = (points: number, more: Partial<AllPairs> = {}): AllPairs => ({
  ...{ targets: points, sources: points, once: false, lists: false },
  ...more,
})

/** Timed on an NVIDIA H200: number of points, share of the pairs that blocks compute, and whether they were faster. */
test.each([
  [loop(8192), 0.0281, false],
  [loop(12288), 0.0337, true],
  [loop(16384), 0.0824, true],
  [loop(16384), 0.5409, false],
  [loop(65536), 0.4452, true],
  [loop(16384, { once: true }), 0.0824, true],
  [loop(16384, { once: true }), 0.2103, false],
  [loop(65536, { once: true }), 0.1574, true],
  [loop(65536, { once: true }), 0.4452, false],
  [loop(8192, { lists: true }), 0.0281, false],
  [loop(12288, { lists: true }), 0.0337, true],
  [loop(16384, { lists: true }), 0.2103, false],
  [loop(65536, { lists: true }), 0.1574, true],
  [loop(65536, { lists: true }), 0.4452, false],
])('%o with a share of %d: %s', (all, share, faster) => {
  expect(share < mostShare(all)).toBe(faster)
})

test('few targets or few sources keep all pairs, and no points are no reason for blocks', () => {
  expect(mostShare(loop(0))).toBe(0)
  expect(mostShare({ ...loop(1e6), targets: 8 })).toBeLessThan(0)
  expect(mostShare({ ...loop(1e6), sources: 8 })).toBeLessThan(0)
})
