// The error bound that the sums of a loop keep.

import { expect, test } from 'vitest'
import { accumulationOf } from '../../src/plans/accumulation.ts'

test.each([
  // One chain, or as many as there are sources.
  [1000, 1000, 'running'],
  [1, 1000, 'running'],
  [1, 200, 'block'],
  // Chains of 256 terms, and no more than 256 of them.
  [256, 65536, 'block'],
  [257, 65536, 'running'],
  [255, 65536, 'running'],
  // More sources: chains as long as the number of blocks of 256.
  [1024, 262144, 'block'],
  [1025, 262144, 'running'],
  [1024, 65536, 'running'],
] as const)('sums in chains of %i of %i terms have the bound of %s sums', (chain, sources, expected) => {
  expect(accumulationOf(chain, sources)).toBe(expected)
})
