/**
 * Small sums through grids: sizes of each factor, windows of an even and an odd width, several weights and fields, and points at the edges
 * of the box and outside.
 *
 * @module
 */
import type { GridPoints, GridSum, GridTerm, GridWindow } from '@manybody/core/backend'
import { randomOf } from '../../random.ts'

export interface GridProblem {
  readonly name: string
  readonly sum: Omit<GridSum, 'precision'>
  readonly points: GridPoints
}

/** B-splines: their pieces are short polynomials, and any window must give the sums of its own modes. */
const quadratic: GridWindow = {
  ...{ width: 3, degree: 2 },
  pieces: Float64Array.from([1, 6, 1, 2, 0, -2, 1, -2, 1], (c) => c / 8),
}
const cubic: GridWindow = {
  ...{ width: 4, degree: 3 },
  pieces: Float64Array.from([1, 23, 23, 1, 3, 15, -15, -3, 3, -3, -3, 3, 1, -3, 3, -1], (c) => c / 48),
}

const lengths = [1, 2.5, 0.75] as const
/** In a plane, a grid has an extent along x and z. */
const flatLengths = [1, 1, 0.75] as const

/** A term, with factors that differ along the axes: even ones, or odd ones if it is turned. */
function term(weight: number, turned: boolean, [mx, my, mz]: GridSum['highest']): GridTerm {
  const factors: number[] = []
  for (let x = -mx; x <= mx; x++)
    for (let y = -my; y <= my; y++)
      for (let z = 0; z <= mz; z++)
        factors.push((turned ? x + 2 * y - 3 * z : 1) / (1 + x * x + 2 * y * y + 3 * z * z + x * y))
  return { weight, factors: Float64Array.from(factors), turned }
}

/** Some coordinates are far outside the box, at its faces, or at grid points. @param edges along each coordinate */
function positions(count: number, edges: readonly number[], seed: number): Float64Array {
  return randomOf(seed)
    .array(edges.length * count, -1.5, 2.5)
    .map((share, n) => (n % 11 === 0 ? 1 : n % 13 === 0 ? 0 : share) * (edges[n % edges.length] as number))
}

interface Outline extends Pick<GridSum, 'sizes' | 'highest' | 'window'> {
  readonly used?: NonNullable<GridSum['used']>
  /** 3 by default. */
  readonly dimension?: GridSum['dimension']
  readonly count: number
  readonly others?: number
  /** The weights of the terms of each field; negative ones are turned, and count from -1. */
  readonly fields: readonly (readonly number[])[]
}

function problem(name: string, { dimension = 3, count, others, fields, ...grid }: Outline, seed: number): GridProblem {
  const edges = dimension === 2 ? [flatLengths[0], flatLengths[2]] : lengths
  const weights = 1 + Math.max(...fields.flat().map((n) => (n < 0 ? -n - 1 : n)))
  return {
    name,
    sum: {
      ...{ dimension, lengths: dimension === 2 ? flatLengths : lengths, ...grid, weights },
      fields: fields.map((terms) => terms.map((n) => term(n < 0 ? -n - 1 : n, n < 0, grid.highest))),
    },
    points: {
      sources: positions(count, edges, seed),
      weights: Array.from({ length: weights }, (_, n) => randomOf(seed + n + 1).array(count, -1, 1)),
      targets: others === undefined ? undefined : positions(others, edges, seed + 9),
    },
  }
}

const vector = [[-1], [-1], [-1]]
const mixed = [[0, -2], [1], [1, -1]]

/** A grid with an empty part: no window reaches its last planes and rows. */
function partly(): GridProblem {
  const sizes = [20, 18, 12] as const
  const grid = { sizes, used: [12, 10, 12] as const, highest: [5, 4, 3] as const, window: cubic }
  const { sum, points, name } = problem('a grid with an empty part', { ...grid, count: 200, fields: vector }, 970)
  const random = randomOf(971)
  const within = (axis: 0 | 1) => (lengths[axis] * random.uniform(2, grid.used[axis] - 3)) / sizes[axis]
  const sources = points.sources.map((x, n) => (n % 3 === 2 ? x : within((n % 3) as 0 | 1)))
  return { name, sum, points: { ...points, sources } }
}

/** The same in a plane, where no window reaches the last rows. */
function partlyFlat(): GridProblem {
  const grid = { sizes: [20, 1, 16], used: [12, 1, 16], highest: [5, 0, 4], window: cubic } as const
  const outline = { ...grid, dimension: 2, count: 200, fields: [[-1], [-1]] } as const
  const { sum, points, name } = problem('a plane with an empty part', outline, 1000)
  const random = randomOf(1001)
  const sources = points.sources.map((x, n) => (n % 2 === 1 ? x : random.uniform(2, grid.used[0] - 3) / grid.sizes[0]))
  return { name, sum, points: { ...points, sources } }
}

export const gridProblems: readonly GridProblem[] = [
  problem('one set', { sizes: [16, 15, 12], highest: [4, 5, 3], window: cubic, count: 300, fields: vector }, 910),
  problem(
    'two sets, several weights',
    { sizes: [9, 10, 25], highest: [3, 4, 6], window: quadratic, count: 130, others: 70, fields: mixed },
    930,
  ),
  problem('one point', { sizes: [5, 6, 8], highest: [0, 2, 1], window: cubic, count: 1, fields: [[0]] }, 950),
  partly(),
  problem(
    'points in a plane',
    { dimension: 2, sizes: [15, 1, 16], highest: [5, 0, 4], window: cubic, count: 300, fields: [[-1], [-1]] },
    980,
  ),
  problem(
    'two sets in a plane, several weights',
    { dimension: 2, sizes: [9, 1, 25], highest: [3, 0, 6], window: quadratic, count: 130, others: 70, fields: mixed },
    990,
  ),
  partlyFlat(),
]
