// Which tiles and which loop suit points and threads, against rates measured on a machine of 16 cores.

import { expect, test } from 'vitest'
import { oncePays, onceTile } from '../src/plans/once-model.ts'

/** Billions of interactions a second of gravity: all pairs, and each pair once in tiles of 32, 64, 128 and 256 points. */
const measured = [
  { threads: 16, points: 1024, all: 3.81, once: { 32: 6.32, 64: 4.82, 128: 3.62, 256: 2.97 } },
  { threads: 16, points: 2048, all: 8.35, once: { 32: 7.82, 64: 7.54, 128: 5.82, 256: 3.98 } },
  { threads: 16, points: 4096, all: 12.8, once: { 32: 13.5, 64: 13.9, 128: 13.2, 256: 8.67 } },
  { threads: 16, points: 8192, all: 13.4, once: { 32: 16.4, 64: 17.4, 128: 17.9, 256: 16.0 } },
  { threads: 16, points: 16384, all: 13.5, once: { 32: 16.9, 64: 18.2, 128: 18.9, 256: 18.1 } },
  { threads: 8, points: 2048, all: 5.73, once: { 32: 6.87, 64: 7.3, 128: 7.19, 256: 4.82 } },
  { threads: 8, points: 4096, all: 6.76, once: { 32: 8.77, 64: 8.94, 128: 9.41, 256: 8.71 } },
  { threads: 4, points: 2048, all: 3.04, once: { 32: 3.91, 64: 4.15, 128: 4.28, 256: 3.63 } },
  { threads: 1, points: 512, all: 0.61, once: { 32: 0.73, 64: 0.84, 128: 0.82, 256: 0.83 } },
] as const

test.each(measured)('$points points on $threads threads run at 0.95 of the best rate or more', (row) => {
  const { threads, points, all, once } = row
  const rate = oncePays(points, threads) ? once[onceTile(points, threads) as keyof typeof once] : all
  expect(rate / Math.max(all, ...Object.values(once))).toBeGreaterThan(0.95)
})
