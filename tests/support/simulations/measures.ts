// Histograms of pairs and weighted means. Every case runs on every backend.

import { type Engine, type Precision, periodic, radialDistribution, weightedMean } from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const places = (count: number) => Float32Array.from({ length: 3 * count }, (_, n) => ((n * 37) % 101) / 16)

/** Copies of a cell, shifted so that coordinates are rounded. */
function crystal(cell: readonly (readonly number[])[], sides: readonly number[], cells: readonly number[]): number[] {
  const places = cells.reduce<readonly (readonly number[])[]>(
    (all, count) => all.flatMap((place) => Array.from({ length: count }, (_, n) => [...place, n])),
    [[]],
  )
  return places.flatMap((place) =>
    cell.flatMap((point) => point.map((x, axis) => (x + (place[axis] as number)) * (sides[axis] as number) + 0.37)),
  )
}

const root3 = Math.sqrt(3)
const faces = [
  [0, 0, 0],
  [0, 0.5, 0.5],
  [0.5, 0, 0.5],
  [0.5, 0.5, 0],
]
const quarter = (point: readonly number[]) => point.map((x) => x + 0.25)
/** Crystals with shells at the edges of bins of 0.1, and the number of a point's neighbours at each distance below 2. */
const crystals = [
  {
    name: 'cubic, spacing 0.7',
    position: crystal([[0, 0, 0]], [0.7, 0.7, 0.7], [6, 6, 6]),
    lengths: [4.2, 4.2, 4.2],
    shells: [0.7, 0.7 * Math.SQRT2, 0.7 * root3, 1.4, 0.7 * Math.sqrt(5), 0.7 * Math.sqrt(6), 0.7 * Math.sqrt(8)].map(
      (distance, n) => [distance, [6, 12, 8, 6, 24, 24, 12][n] ?? 0] as const,
    ),
  },
  {
    name: 'triangular, spacing 1.1',
    position: crystal(
      [
        [0, 0],
        [0.5, 0.5],
      ],
      [1.1, 1.1 * root3],
      [6, 4],
    ),
    lengths: [6.6, 4.4 * root3],
    shells: [[1.1, 6] as const, [1.1 * root3, 6] as const],
  },
  {
    name: 'diamond, bonds of 0.8',
    position: crystal([...faces, ...faces.map(quarter)], [3.2 / root3, 3.2 / root3, 3.2 / root3], [3, 3, 3]),
    lengths: [9.6 / root3, 9.6 / root3, 9.6 / root3],
    shells: [
      [0.8, 4] as const,
      [1.6 * Math.sqrt(2 / 3), 12] as const,
      [0.8 * Math.sqrt(11 / 3), 12] as const,
      [3.2 / root3, 6] as const,
    ],
  },
]

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
      // 6 neighbours at 1, 12 at sqrt 2, 8 at sqrt 3; the neighbours at 2 are beyond the last bin. None is at an edge.
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
    'every distance of a crystal counts in the bin that begins there, although rounding moves it to either side',
    async (engine) => {
      for (const { name, position, lengths, shells } of crystals) {
        const dimension = lengths.length as 2 | 3
        const options = { bins: 20, farthest: 2, boundary: periodic(lengths) }
        const { count } = await radialDistribution(engine, { position, dimension }, options)
        const expected = new Float64Array(20)
        for (const [distance, neighbours] of shells)
          expected[Math.floor(10 * distance + 1e-9)] = (neighbours * position.length) / dimension / 2
        expect([...count], name).toEqual([...expected])
        const sets = { targets: { position, dimension }, sources: { position, dimension } }
        const around = await radialDistribution(engine, sets, options)
        // Each pair counts from both sides, and each point counts with itself.
        const twice = expected.map((pairs, bin) => 2 * pairs + (bin === 0 ? position.length / dimension : 0))
        expect([...around.count], `${name}, two sets`).toEqual([...twice])
      }
    },
  ],
  [
    'all pairs count, each in one bin, and the last bin has no upper edge',
    async (engine) => {
      const two = { position: [0, 0, 0, 2, 0, 0] }
      const { count } = await radialDistribution(engine, two, { bins: 50, farthest: 5, volume: 1 })
      expect([count.indexOf(1), count.reduce((a, b) => a + b)]).toEqual([20, 1])
      const end = await radialDistribution(engine, two, { bins: 4, farthest: 2, volume: 1 })
      expect([...end.count]).toEqual([0, 0, 0, 0])
      for (const dimension of [2, 3] as const) {
        const numbers = Float64Array.from({ length: 60 * dimension }, (_, n) => 500 * Math.sin(7919 * n) + 500)
        const set = { position: numbers, dimension }
        const all = { bins: 97, farthest: 2000, volume: 1 }
        const pairs = (of: { readonly count: Float64Array }) => of.count.reduce((sum, found) => sum + found)
        expect(pairs(await radialDistribution(engine, set, all))).toBe((60 * 59) / 2)
        const other = { position: numbers.slice(0, 7 * dimension).map((x) => x + 300), dimension }
        expect(pairs(await radialDistribution(engine, { targets: other, sources: set }, all))).toBe(7 * 60)
        // In float32, about one in a thousand of these distances falls into another bin.
        const narrow = { bins: 1000, farthest: 10, boundary: periodic([20, 25, 30].slice(0, dimension)) }
        const expected = new Float64Array(1000)
        for (let i = 0; i < 60; i++)
          for (let j = 0; j < i; j++) {
            const axes = narrow.boundary.kind === 'periodic' ? narrow.boundary.lengths : []
            const squares = axes.map((length, axis) => {
              const d = (numbers[i * dimension + axis] as number) - (numbers[j * dimension + axis] as number)
              return Math.min(...[-1, 0, 1].map((n) => (d - length * (Math.trunc(d / length) + n)) ** 2))
            })
            const bin = Math.floor(100 * Math.sqrt(squares.reduce((a, b) => a + b)))
            if (bin < 1000) expected[bin] = (expected[bin] as number) + 1
          }
        expect([...(await radialDistribution(engine, set, narrow)).count], `${dimension}-D`).toEqual([...expected])
      }
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
