// Sums through a grid, and their fields by the grid of the host in float64.

import type { GridPoints, GridSum } from '../../src/contract/grid-sum.ts'
import { hostGridSum } from '../../src/methods/mesh/grid/host-grid.ts'
import { windowOf } from '../../src/methods/mesh/grid/window.ts'
import { numbersBetween, random } from './random.ts'

const next = random(11)
const between = (length: number, from: number, to: number) => numbersBetween(next, length, from, to)

interface Case {
  /** Of the points; 3 by default. */
  readonly dimension?: 2
  readonly sizes: GridSum['sizes']
  readonly highest: GridSum['highest']
  readonly width: number
  readonly points: number
  readonly others?: number
  /** The weights of the terms of each field; negative ones are turned, and count from -1. */
  readonly fields: readonly (readonly number[])[]
}

const cases: readonly Case[] = [
  { sizes: [16, 16, 16], highest: [4, 4, 4], width: 4, points: 300, fields: [[-1], [-1], [-1]] },
  { sizes: [9, 10, 15], highest: [3, 4, 6], width: 3, points: 7, fields: [[0]] },
  {
    sizes: [40, 6, 12],
    highest: [11, 1, 3],
    width: 5,
    points: 1000,
    others: 70,
    fields: [
      [0, -2],
      [1, 1],
    ],
  },
  { sizes: [25, 27, 30], highest: [6, 6, 7], width: 7, points: 257, others: 600, fields: [[2], [0], [-2, 1], [-3]] },
  { sizes: [12, 15, 16], highest: [0, 2, 0], width: 11, points: 1, fields: [[0]] },
  { dimension: 2, sizes: [16, 1, 20], highest: [5, 0, 6], width: 4, points: 300, fields: [[-1], [-1]] },
  {
    ...{ dimension: 2, sizes: [45, 1, 40], highest: [13, 0, 11], width: 7, points: 700, others: 60 },
    fields: [[0, -2], [1], [-1]],
  },
]

/** A case with many points, for a graphics card. */
const large: Case = {
  ...{ sizes: [90, 96, 100], highest: [22, 23, 24], width: 5, points: 50_000, others: 20_000 },
  fields: [[-1], [-1], [0, -2]],
}

/** Random factors. Those of a mode and its opposite are equal, or opposite if they are turned: fields are real then. */
function factorsOf([mx, my, mz]: GridSum['highest'], turned: boolean): Float64Array {
  const rows = (2 * mx + 1) * (2 * my + 1)
  const factors = between(rows * (mz + 1), -1, 1)
  const sign = turned ? -1 : 1
  for (let row = 0; row < rows; row++) {
    const [at, opposite] = [row * (mz + 1), (rows - 1 - row) * (mz + 1)]
    if (at === opposite) factors[at] = turned ? 0 : (factors[at] as number)
    else factors[at] = sign * (factors[opposite] as number)
  }
  return factors
}

export interface GridCase {
  readonly name: string
  readonly sum: GridSum
  readonly points: GridPoints
  /** The fields at the targets. */
  readonly truth: Float64Array
  /** The largest difference of fields from the truth, divided by the root of its mean square. */
  readonly error: (found: ArrayLike<number> | undefined) => number
}

export const gridCases: readonly GridCase[] = cases.map(caseOf)
export const largeGrid = (): GridCase => caseOf(large)

function caseOf(one: Case): GridCase {
  const { dimension = 3, sizes, highest, width } = one
  const lengths = [1, dimension === 2 ? 1 : 2.5, 0.7] as const
  const edges = dimension === 2 ? [1, 0.7] : lengths
  const weights = 1 + Math.max(...one.fields.flat().map((n) => (n < 0 ? -n - 1 : n)))
  const sum: GridSum = {
    ...{ dimension, lengths, sizes, highest, window: windowOf(width, 2), weights, precision: 'f32' },
    fields: one.fields.map((terms) =>
      terms.map((n) => ({ weight: n < 0 ? -n - 1 : n, factors: factorsOf(highest, n < 0), turned: n < 0 })),
    ),
  }
  // Some points are outside the box, at its edge, or at a grid point.
  const positions = (count: number) =>
    Float64Array.from(between(dimension * count, -1.5, 2.5), (x, n) => {
      const edge = edges[n % dimension] as number
      return n % 11 === 0 ? edge : n % 13 === 0 ? 0 : x * edge
    })
  const points = {
    sources: positions(one.points),
    weights: Array.from({ length: weights }, () => between(one.points, -1, 1)),
    targets: one.others === undefined ? undefined : positions(one.others),
  }
  const truth = hostGridSum(sum, points)
  const size = Math.sqrt(truth.reduce((all, x) => all + x * x, 0) / truth.length)
  const error: GridCase['error'] = (found) => {
    if (found?.length !== truth.length) return Number.POSITIVE_INFINITY
    return Math.max(...truth.map((x, n) => Math.abs(x - (found[n] as number)))) / size
  }
  return { name: `${sizes.join(' x ')}, window ${width}`, sum, points, truth, error }
}
