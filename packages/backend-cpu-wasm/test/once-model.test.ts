// Which tiles and which loop suit points and threads, against rates measured on a machine of 16 cores.

import { expect, test } from 'vitest'
import { oncePays, onceTile } from '../src/plans/once-model.ts'

/** Billions of interactions a second of gravity: all pairs, and each pair once in tiles of 32, 64, 128 and 256 points. */
const measured = [
  { threads: 16, points: 1024, all: 3.9, once: { 32: 5.94, 64: 4.77, 128: 3.16, 256: 1.96 } },
  { threads: 16, points: 2048, all: 10.8, once: { 32: 10.1, 64: 9.57, 128: 6.44, 256: 4.37 } },
  { threads: 16, points: 4096, all: 13.1, once: { 32: 12.1, 64: 12.5, 128: 12.0, 256: 7.78 } },
  { threads: 16, points: 8192, all: 13.5, once: { 32: 12.9, 64: 13.9, 128: 14.2, 256: 13.3 } },
  { threads: 16, points: 32768, all: 15.3, once: { 32: 17.2, 64: 18.1, 128: 19.0, 256: 19.4 } },
  { threads: 8, points: 512, all: 2.11, once: { 32: 3.28, 64: 2.78, 128: 2.13, 256: 1.52 } },
  { threads: 8, points: 2048, all: 6.51, once: { 32: 6.39, 64: 6.7, 128: 6.49, 256: 3.86 } },
  { threads: 8, points: 4096, all: 7.28, once: { 32: 7.32, 64: 7.87, 128: 7.94, 256: 7.14 } },
  { threads: 4, points: 512, all: 3.03, once: { 32: 3.16, 64: 3.27, 128: 2.67, 256: 1.7 } },
  { threads: 4, points: 2048, all: 4.36, once: { 32: 4.44, 64: 4.79, 128: 4.93, 256: 4.53 } },
  { threads: 2, points: 1024, all: 2.74, once: { 32: 2.68, 64: 2.92, 128: 3.0, 256: 2.99 } },
  { threads: 2, points: 16384, all: 2.86, once: { 32: 2.78, 64: 3.05, 128: 3.22, 256: 3.34 } },
  { threads: 1, points: 512, all: 1.24, once: { 32: 1.22, 64: 1.26, 128: 1.31, 256: 1.25 } },
] as const

test.each(measured)('$points points on $threads threads run at 0.95 of the best rate or more', (row) => {
  const { threads, points, all, once } = row
  const rate = oncePays(points, threads) ? once[onceTile(points, threads) as keyof typeof once] : all
  expect(rate / Math.max(all, ...Object.values(once))).toBeGreaterThan(0.95)
})
