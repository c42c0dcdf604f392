// The choice of tiles and loops for points and threads, against rates measured on a machine of 16 cores.

import { expect, test } from 'vitest'
import { oncePays, onceTile } from '../src/run/plans/once-model.ts'

/** Billions of interactions a second of gravity: all pairs, and each pair once in tiles of 32, 64, 128 and 256 points. */
const measured = [
  { threads: 16, points: 1024, all: 5.4, once: { 32: 4.1, 64: 4.5, 128: 4.0, 256: 3.6 } },
  { threads: 16, points: 2048, all: 10.7, once: { 32: 8.2, 64: 9.7, 128: 8.4, 256: 9.1 } },
  { threads: 16, points: 4096, all: 12.8, once: { 32: 15.6, 64: 15.9, 128: 16.0, 256: 16.9 } },
  { threads: 16, points: 8192, all: 13.4, once: { 32: 18.2, 64: 17.8, 128: 19.2, 256: 20.5 } },
  { threads: 16, points: 16384, all: 13.5, once: { 32: 17.8, 64: 20.6, 128: 21.3, 256: 22.7 } },
  { threads: 8, points: 2048, all: 4.8, once: { 32: 6.9, 64: 6.8, 128: 7.6, 256: 6.0 } },
  { threads: 8, points: 4096, all: 6.2, once: { 32: 8.9, 64: 9.2, 128: 9.0, 256: 9.6 } },
  { threads: 4, points: 2048, all: 2.9, once: { 32: 4.45, 64: 4.8, 128: 4.3, 256: 5.15 } },
  { threads: 1, points: 512, all: 0.61, once: { 32: 0.73, 64: 0.84, 128: 0.82, 256: 0.83 } },
] as const

test.each(measured)('$points points on $threads threads run at 0.95 of the best rate or more', (row) => {
  const { threads, points, all, once } = row
  const rate = oncePays(points, threads) ? once[onceTile(points, threads) as keyof typeof once] : all
  expect(rate / Math.max(all, ...Object.values(once))).toBeGreaterThan(0.95)
})
