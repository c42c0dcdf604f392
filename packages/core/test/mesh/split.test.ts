// The split of radial functions: tail integrals with known values, smooth parts with little above the band, and sums that do not depend on
// the split.

import { describe, expect, it } from 'vitest'
import { periodicSplit } from '../../src/methods/mesh/periodic-split.ts'
import { fittedUntil, seriesAt } from '../../src/methods/mesh/split/chebyshev.ts'
import { fourierTail } from '../../src/methods/mesh/split/fourier-tail.ts'
import { gaussLegendre, integralFrom0, integralToInfinity } from '../../src/methods/mesh/split/quadrature.ts'
import type { Radial } from '../../src/methods/mesh/split/shells.ts'
import { spheres } from '../../src/methods/mesh/split/spheres.ts'
import { splitOf } from '../../src/methods/mesh/split/split.ts'
import { transformTable } from '../../src/methods/mesh/split/transform-table.ts'

describe('integrals', () => {
  it('of tails are those of closed forms, even where they converge as Abel limits alone', () => {
    const near = ([s, c]: readonly number[], expected: readonly number[]) => {
      expect(s).toBeCloseTo(expected[0] as number, 11)
      expect(c).toBeCloseTo(expected[1] as number, 11)
    }
    near(
      fourierTail(() => 1, 3),
      [1 / 3, 0],
    )
    near(
      fourierTail((z) => Math.exp(-z), 3),
      [3 / 10, 1 / 10],
    )
    near([0, fourierTail((z) => 1 / (1 + z * z), 3)[1]], [0, (Math.PI / 2) * Math.exp(-3)])
  })
  it('over an interval are exact for polynomials, and take singular ends', () => {
    const { nodes, weights } = gaussLegendre(12)
    const moment = (power: number) => nodes.reduce((sum, x, n) => sum + (weights[n] as number) * x ** power, 0)
    expect(moment(22)).toBeCloseTo(2 / 23, 14)
    expect(moment(23)).toBeCloseTo(0, 14)
    expect(integralFrom0((x) => x ** -0.5, 4)).toBeCloseTo(4, 12)
    expect(integralToInfinity((x) => x ** -3, 2)).toBeCloseTo(1 / 8, 13)
  })
  it('of the tail of 1/r is cos(k reach) / k^2', () => {
    for (const k of [0.7, 4, 31])
      expect((spheres.tail((r) => 1 / r, k, { reach: 1.3, along: false }) * k * k) / (4 * Math.PI)).toBeCloseTo(
        Math.cos(1.3 * k),
        11,
      )
  })
})

const laws: Readonly<Record<string, Radial>> = {
  '1/r': (r) => 1 / r,
  Yukawa: (r) => Math.exp(-4 * r) / r,
  'r^-6': (r) => r ** -6,
  'tanh r / r^1.7': (r) => Math.tanh(r) * r ** -1.7,
  'r^-3': (r) => r ** -3,
}
const options = { reach: 0.4, band: 50, terms: 14, along: false, dimension: 3 as const }

describe.each(Object.entries(laws))('the split of %s', (_, law) => {
  it.each([false, true])('has little above the band, and meets the law at the reach (vector: %s)', (along) => {
    const split = splitOf(law, { ...options, along })
    const size = Math.abs(split.transform(options.band / 8))
    for (const k of [1.01, 1.3, 2, 4]) expect(Math.abs(split.transform(k * options.band)) / size).toBeLessThan(1e-5)
    const below = split.smooth(options.reach * (1 - 1e-9))
    expect(Math.abs(below / law(options.reach) - 1)).toBeLessThan(1e-4)
    expect(split.smooth(0.41)).toBe(law(0.41))
  })
  it('has a transform that a table holds', () => {
    const split = splitOf(law, options)
    const table = transformTable(split.transform, 0.1, options.band)
    for (const k of [0.11, 1, 7, 33, 49]) {
      const scale = Math.abs(split.transform(1)) / k ** 2
      expect(Math.abs(table(k) - split.transform(k)) / scale).toBeLessThan(1e-11)
    }
  })
})

describe('a series that grows until it is enough', () => {
  const f = (x: number) => Math.exp(Math.sin(9 * x)) + x / 3
  it('holds the function, and takes each value once', () => {
    const asked: number[] = []
    const isEnough = (series: Float64Array) => series.slice(-4).every((c) => Math.abs(c) < 1e-14)
    const series = fittedUntil((x) => f(asked[asked.push(x) - 1] as number), 12, 768, isEnough)
    expect(series).toHaveLength(193)
    expect(new Set(asked).size).toBe(193)
    expect(asked).toHaveLength(193)
    for (const x of [-1, -0.37, 0, 0.81, 1]) expect(seriesAt(series, x)).toBeCloseTo(f(x), 12)
  })
  it('ends with the most terms', () => {
    expect(fittedUntil(Math.abs, 12, 50, () => false)).toHaveLength(49)
  })
})

describe('laws that a periodic sum cannot have', () => {
  const of = (law: Radial, along = false) => periodicSplit(law, splitOf(law, { ...options, along }), 1, 'this law')
  it('are refused with the reason', () => {
    expect(() => of(() => 1)).toThrow('"method" does not suit this law: it does not fall with the distance')
    expect(() => of((r) => Math.log(r))).toThrow('does not fall')
    expect(() => of((r) => 1 / r, true)).toThrow('does not fall')
    expect(() => of((r) => Math.exp(r))).toThrow('does not fall')
    expect(() => of((r) => 1 / Math.abs(r - 0.7))).toThrow('it oscillates or has a kink')
    expect(() => of((r) => Math.max(0, 1 - r))).toThrow('it oscillates or has a kink beyond 0.400')
    expect(() => of((r) => Math.sin(9 * r) / r)).toThrow('it oscillates or has a kink')
  })
  it('are not those with a kink within the reach', () => {
    expect(of((r) => Math.max(0, 0.3 - r)).modes()([0, 0, 0], 0)).toBe(0)
  })
  it('lose their mean if they fall slowly', () => {
    expect(of((r) => 1 / r)).toMatchObject({ slow: true, endless: false })
    expect(of((r) => r ** -3)).toMatchObject({ slow: true, endless: true })
    expect(of((r) => r ** -4)).toMatchObject({ slow: false, endless: false })
    expect(of((r) => 1 / (1 + r * r))).toMatchObject({ slow: true, endless: false })
    // The transform of exp(-4 r) / r at 0.
    const { modes, smooth } = of(laws.Yukawa as Radial)
    const short = 4 * Math.PI * integralFrom0((r) => (Math.exp(-4 * r) / r - smooth(r)) * r * r, options.reach)
    expect(modes()([0, 0, 0], 0) + short).toBeCloseTo((4 * Math.PI) / 16, 10)
  })
})
