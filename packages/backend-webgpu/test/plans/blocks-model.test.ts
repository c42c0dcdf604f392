// When runs visit blocks of near points by default on a graphics card. tests/gpu checks the runs themselves.

import { expect, test } from 'vitest'
import { type AllPairs, choosesInSequences, mostShare, type PairLoop } from '../../src/plans/blocks-model.ts'

const pairs = (points: number, loop: PairLoop = 'other'): AllPairs => ({ targets: points, sources: points, loop })

/**
 * Timed on an NVIDIA H200: the number of points, the share of the pairs that blocks compute (for nearest, an estimate), and
 * whether blocks were faster.
 */
test.each([
  [pairs(8192), 0.0281, false],
  [pairs(12288), 0.0337, true],
  [pairs(16384), 0.0824, true],
  [pairs(16384), 0.5409, false],
  [pairs(65536), 0.4452, true],
  [pairs(16384, 'once'), 0.0824, true],
  [pairs(16384, 'once'), 0.2103, false],
  [pairs(65536, 'once'), 0.1574, true],
  [pairs(65536, 'once'), 0.4452, false],
  [pairs(8192, 'lists'), 0.0104, false],
  [pairs(16384, 'lists'), 0.0182, true],
  [pairs(65536, 'lists'), 0.0052, true],
  [pairs(16384, 'bare lists'), 0.0052, false],
  [pairs(32768, 'bare lists'), 0.0052, true],
  [pairs(262144, 'bare lists'), 0.0026, true],
  [pairs(16384, 'bare extremes'), 0.0052, false],
  [pairs(32768, 'bare extremes'), 0.0026, true],
  [pairs(512, 'long lists'), 0.5, false],
  [pairs(1024, 'long lists'), 0.4, true],
  [pairs(8192, 'long lists'), 0.1, true],
  [pairs(65536, 'long lists'), 0.0052, true],
])('%o with a share of %d: %s', (all, share, faster) => {
  expect(share < mostShare(all)).toBe(faster)
})

/** Timed there, too: whether all pairs took ten times as long as the dispatches that choose and then have no points. */
test.each([
  [pairs(16384), false],
  [pairs(65536), true],
  [pairs(16384, 'once'), false],
  [pairs(65536, 'once'), true],
  [pairs(16384, 'bare lists'), false],
  [pairs(65536, 'bare lists'), true],
  [pairs(512, 'long lists'), false],
  [pairs(1024, 'long lists'), true],
])('%o chooses in sequences: %s', (all, chooses) => {
  expect(choosesInSequences(all)).toBe(chooses)
})

test('few targets or few sources take the loop over all pairs, and so do empty sets', () => {
  expect(mostShare(pairs(0))).toBe(0)
  expect(mostShare({ ...pairs(1e6), targets: 8 })).toBeLessThan(0)
  expect(mostShare({ ...pairs(1e6), sources: 8 })).toBeLessThan(0)
})
