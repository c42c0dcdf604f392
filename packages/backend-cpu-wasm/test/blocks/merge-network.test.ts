import { describe, expect, it } from 'vitest'
import { keptItems, mergedAtOnce, mergeLeast } from '../../src/compile/folds/merge-network.ts'

const exchange = (a: number, b: number) => [Math.min(a, b), Math.max(a, b)] as const

/** All lists of that many zeros and ones. A network that sorts these sorts all lists (Knuth, volume 3, theorem Z in 5.3.4). */
const zerosAndOnes = (count: number) =>
  Array.from({ length: 2 ** count }, (_, bits) => Array.from({ length: count }, (_, n) => (bits >> n) & 1))

describe('the network that merges items with the least so far', () => {
  it.each([8, 16, 32])('keeps the least %i, sorted', (count) => {
    for (const others of zerosAndOnes(mergedAtOnce))
      for (let zeros = 0; zeros <= count; zeros++) {
        const kept = Array.from({ length: count }, (_, n) => (n < zeros ? 0 : 1))
        const least = [...kept, ...others].sort().slice(0, count)
        expect(mergeLeast(kept, others, exchange)).toEqual(least)
      }
  })

  it('keeps at least as many as the place that is asked for', () => {
    for (let k = 1; k <= 32; k++) {
      expect(keptItems(k)).toBeGreaterThanOrEqual(k)
      expect([8, 16, 32]).toContain(keptItems(k))
    }
  })
})
