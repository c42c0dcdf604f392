// Transforms in a plane: Bessel functions by their integrals, tails with known values, and splits with little above the band.

import { describe, expect, it } from 'vitest'
import { besselJ, hankelFactor } from '../../src/methods/mesh/split/bessel.ts'
import { circles } from '../../src/methods/mesh/split/circles.ts'
import { gaussLegendre } from '../../src/methods/mesh/split/quadrature.ts'
import { splitOf } from '../../src/methods/mesh/split/split.ts'

/** Places on both sides of each change of formula. */
const places = [1e-9, 0.01, 0.7, 1.999, 2, 3.3, 7.999, 8, 17, 31.99, 32, 90, 1000.5]

describe('Bessel functions', () => {
  it.each([0, 1] as const)('of order %i are the integrals over a circle', (order) => {
    for (const x of places) {
      const nodes = 2 * Math.ceil(x + 60)
      let total = 0
      for (let n = 0; n < nodes; n++) {
        const angle = (2 * Math.PI * n) / nodes
        total += Math.cos(x * Math.sin(angle) - order * angle) / nodes
      }
      expect(Math.abs(besselJ(order, x) - total)).toBeLessThan(1e-14)
    }
    expect(besselJ(order, 0)).toBe(1 - order)
  })
  it('of both kinds have their Wronskian', () => {
    const [zero, one] = [new Float64Array(2), new Float64Array(2)]
    for (const x of places) {
      hankelFactor(0, x, zero)
      hankelFactor(1, x, one)
      const [[j0 = 0, y0 = 0], [j1 = 0, y1 = 0]] = [[...zero], [...one]]
      expect(((j1 * y0 - j0 * y1) * Math.PI * x) / 2).toBeCloseTo(1, 13)
    }
  })
})

describe('transforms of whole functions', () => {
  const reach = 1.3
  const { nodes, weights } = gaussLegendre(160)
  const within = (f: (r: number) => number) =>
    nodes.reduce((sum, x, n) => sum + ((weights[n] as number) * reach * f((reach * (x + 1)) / 2)) / 2, 0)
  const frequencies = [0.05, 0.7, 4, 31]
  it('of 1/r and of its vectors are 2 pi/k', () => {
    for (const k of frequencies) {
      const scalar = circles.tail((r) => 1 / r, k, { reach, along: false })
      const vector = circles.tail((r) => r ** -2, k, { reach, along: true })
      expect((k * scalar) / (2 * Math.PI) + k * within((r) => besselJ(0, k * r))).toBeCloseTo(1, 12)
      expect((k * vector) / (2 * Math.PI) + k * within((r) => besselJ(1, k * r))).toBeCloseTo(1, 12)
    }
  })
  it('of the logarithm are 2 pi/k^2', () => {
    for (const k of frequencies) {
      const tail = circles.tail((r) => -Math.log(r), k, { reach, along: false })
      const inside = k * (within((r) => besselJ(1, k * r)) - reach * Math.log(reach) * besselJ(1, k * reach))
      expect((k * k * tail) / (2 * Math.PI) + inside).toBeCloseTo(1, 11)
    }
  })
})

describe.each([
  ['log(r)', (r: number) => Math.log(r), (r: number) => r ** -2],
  ['1/r', (r: number) => 1 / r, (r: number) => r ** -3],
  ['r^-6', (r: number) => r ** -6, (r: number) => r ** -8],
  ['exp(-4r)', (r: number) => Math.exp(-4 * r), (r: number) => Math.exp(-4 * r) / r],
] as const)('the split of %s in a plane', (_, law, force) => {
  it.each([
    ['potential', law, false],
    ['force', force, true],
  ] as const)('has little above the band, and meets the law at the reach: %s', (_, value, along) => {
    const split = splitOf(value, { reach: 0.4, band: 50, terms: 14, along, dimension: 2 })
    const size = Math.abs(split.transform(50 / 8))
    for (const k of [1.01, 1.3, 2, 4]) expect(Math.abs(split.transform(k * 50)) / size).toBeLessThan(1e-5)
    expect(Math.abs(split.smooth(0.4 * (1 - 1e-9)) / value(0.4) - 1)).toBeLessThan(1e-4)
    expect(split.smooth(0.41)).toBe(value(0.41))
  })
})
