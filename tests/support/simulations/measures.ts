// Histograms of pairs and weighted means. Every case runs on every backend.

import { type Engine, type Precision, periodic, radialDistribution, weightedMean } from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const places = (count: number) => Float32Array.from({ length: 3 * count }, (_, n) => ((n * 37) % 101) / 16)

export const measures: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'the distances of a cubic lattice are counted in their shells',
    async (engine) => {
      const side = 4
      const position = Float32Array.from({ length: 3 * side ** 3 }, (_, n) => {
        return Math.floor(Math.floor(n / 3) / side ** (n % 3)) % side
      })
      const options = { bins: 15, farthest: 1.95, boundary: periodic([side, side, side]) }
      const { r, count, g } = await radialDistribution(engine, { position }, options)
      expect([...r.slice(0, 2)].map((x) => x.toFixed(3))).toEqual(['0.065', '0.195'])
      // 6 neighbours at 1, 12 at sqrt 2, 8 at sqrt 3; those at 2 are beyond the last bin. None is at an edge.
      const shells = { 7: (64 * 6) / 2, 10: (64 * 12) / 2, 13: (64 * 8) / 2 }
      expect([...count]).toEqual(Array.from(r, (_, bin) => shells[bin as 7] ?? 0))
      const shell = (4 / 3) * Math.PI * ((11 * 0.13) ** 3 - (10 * 0.13) ** 3)
      expect(g[10]).toBeCloseTo((shells[10] * 64) / (((64 * 63) / 2) * shell), 10)
      const bonded = {
        ...options,
        exclusions: [
          [0, 1],
          [5, 6],
        ] as const,
      }
      expect((await radialDistribution(engine, { position }, bonded)).count[7]).toBe(shells[7] - 2)
      const two = { targets: { position: position.slice(0, 9) }, sources: { position } }
      const around = await radialDistribution(engine, two, { bins: 3, farthest: 1.2, volume: 64 })
      expect([...around.count], 'of a point at a corner and two on an edge; itself').toEqual([3, 0, 3 + 4 + 4])
    },
  ],
  [
    'weighted means are those of their definition, however large the scores are',
    async (engine) => {
      const count = 40
      const points = { position: places(count), height: Float32Array.from({ length: count }, (_, n) => (n % 7) - 2) }
      const expected: number[] = []
      for (let i = 0; i < count; i++) {
        const at = (j: number, axis: number) => points.position[3 * j + axis] as number
        const scores = Array.from({ length: count }, (_, j) => {
          const r2 = [0, 1, 2].reduce((sum, axis) => sum + (at(j, axis) - at(i, axis)) ** 2, 0)
          return j === i ? -Infinity : -r2 / (2 * 0.75 ** 2)
        })
        const most = Math.max(...scores)
        const weights = scores.map((score) => Math.exp(score - most))
        const all = weights.reduce((a, b) => a + b)
        const mean = (of: (j: number) => number) => weights.reduce((sum, w, j) => sum + w * of(j), 0) / all
        expected.push(
          mean((j) => points.height[j] as number),
          mean((j) => at(j, 0) - at(i, 0)),
        )
      }
      const parameters = { width: 0.75, shift: 3000 }
      for (const score of ['-r2/(2*width^2) + 0*shift', '-r2/(2*width^2) + shift']) {
        const { value } = await weightedMean(engine, { score, value: { a: 'height_j', b: 'dx' }, parameters }, points)
        expect(value).toHaveLength(2 * count)
        // In float32, scores of 3000 are rounded to 2e-4.
        const allowed = engine.device.info.precision === 'f64' ? 1e-10 : score.includes('0*') ? 2e-5 : 5e-3
        for (const [n, mean] of value.entries())
          expect(Math.abs(mean - (expected[n] as number)), `${score} ${n}`).toBeLessThan(allowed)
      }
      const { value } = await weightedMean(engine, { score: '-r2', value: 'height_j', cutoff: 1e-3 }, points)
      expect(value, 'without sources').toEqual(value.map(() => 0))
    },
  ],
]
