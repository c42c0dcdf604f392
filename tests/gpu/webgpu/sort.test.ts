// The order of points along Hilbert's curve, as a device makes it, on the software GPU: by cells, with crowded cells divided.

import type { Dimension } from '@manybody/core'
import { expect, test } from 'vitest'
import { orderingShaders } from '../../../packages/backend-webgpu/src/compile/designs/ordering-shaders.ts'
import { keysWords, orderWords } from '../../../packages/backend-webgpu/src/design/counting-sort.ts'
import { curvePlaces, mostInCell } from '../../../packages/backend-webgpu/src/design/curve-cells.ts'
import { boundsWords } from '../../../packages/backend-webgpu/src/design/order-layout.ts'
import type { Shader } from '../../../packages/backend-webgpu/src/design/shader.ts'
import { type BoxSpace, lengthValues } from '../../../packages/backend-webgpu/src/design/space.ts'
import { ordering } from '../../../packages/backend-webgpu/src/designs/ordering.ts'
import { findAdapter } from '../../../packages/backend-webgpu/src/run/host/adapter.ts'
import { openHost } from '../../../packages/backend-webgpu/src/run/host/host.ts'
import { wordsAfter } from '../../support/gpu/dispatched.ts'
import { numbers } from '../../support/numbers.ts'

const host = await openHost(await findAdapter({}))

type Position = Float32Array<ArrayBuffer>

/** The order of points, and the cell of each: its number among the cells of the last level. */
async function arranged(
  position: Position,
  dimension: Dimension,
  lengths?: readonly number[],
): Promise<{ readonly order: readonly number[]; readonly cells: readonly number[] }> {
  const count = position.length / dimension
  const slab = lengths?.includes(0) ?? false
  const space: BoxSpace = { dimension, periodic: lengths !== undefined, ...(slab && { slab }) }
  const [boxX = 0, boxY = 0, boxZ = 0] = lengths ?? []
  const shaders = orderingShaders('points', space)
  const orderFirst = 5
  const countsFirst = orderFirst + orderWords(count)
  const dispatches = ordering('points', space, count, { orderFirst, countsFirst }).map(({ shader, values, size }) => ({
    shader: shaders[shader] as Shader,
    values: { ...values, ...lengthValues(space, { boxX, boxY, boxZ }) },
    size,
  }))
  const words = curvePlaces(count, countsFirst).end
  // Memory of earlier runs is not cleared.
  const order = new Uint32Array(words).fill(0xdeadbeef)
  const arrays = { 'points.position': position, bounds: boundsWords, keys: keysWords(count), order }
  return {
    order: [...(await wordsAfter(host, dispatches, arrays, 'order', orderFirst + count)).subarray(orderFirst)],
    cells: [...(await wordsAfter(host, dispatches, arrays, 'keys', count))],
  }
}

const inOrder = (cells: readonly number[]): number[] =>
  [...cells.keys()].sort((a, b) => (cells[a] as number) - (cells[b] as number) || a - b)

/** The most points of a cell. */
function fullest(cells: readonly number[]): number {
  const counts = new Map<number, number>()
  for (const cell of cells) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  return Math.max(...counts.values())
}

/** The mean distance of neighbours in the order. */
function apart(position: Position, order: readonly number[], dimension: Dimension): number {
  const steps = order.slice(1).map((point, n) => {
    const before = order[n] as number
    const apart = Array.from({ length: dimension }, (_, axis) => {
      return (position[dimension * point + axis] as number) - (position[dimension * before + axis] as number)
    })
    return Math.hypot(...apart)
  })
  return steps.reduce((sum, step) => sum + step, 0) / steps.length
}

const spread = (dimension: Dimension, count: number, seed: number): Position =>
  Float32Array.from(numbers(dimension * count, seed))

const sets: Readonly<Record<string, (n: number, x: number) => number>> = {
  'evenly spread points': (_, x) => x,
  'points in one place': () => 0.3,
  'half of the points in one place': (n, x) => (n % 6 < 3 ? 0.3 : x),
  'a clump': (n, x) => (n % 4 === 0 ? x : 0.7 + x ** 3 / 500),
  'all but three in a corner': (n, x) => (n < 9 ? 1000 : x),
  'clumps in a clump': (n, x) => (n % 6 < 2 ? x : 0.5 + (n % 6 < 4 ? x / 100 : x / 5000)),
  'a wide range': (_, x) => 1e30 * (x - 0.5) ** 9,
}

test.each(
  Object.entries(sets).flatMap(([name, move]) =>
    ([2, 3] as const).map((dimension) => [name, dimension, move] as const),
  ),
)('%s of %i-D are in the order of cells, and points of a cell in that of their indices', async (_, dimension, move) => {
  for (const count of [1, 2, 3, 700, 1024, 5000]) {
    const position = spread(dimension, count, count).map((x, n) => move(n, x))
    const { order, cells } = await arranged(position, dimension)
    expect(order).toEqual(inOrder(cells))
    expect(Math.max(...cells)).toBeLessThan(count)
    expect((await arranged(position, dimension)).order).toEqual(order)
  }
})

test.each(['a clump', 'all but three in a corner', 'clumps in a clump'])(
  'crowded cells are divided: %s',
  async (name) => {
    const position = spread(3, 20000, 1).map((x, n) => (sets[name] as (n: number, x: number) => number)(n, x))
    expect(fullest((await arranged(position, 3)).cells)).toBeLessThanOrEqual(2 * mostInCell)
  },
)

test('points of crowded cells are near each other, because cells are divided in space twice', async () => {
  const position = spread(3, 20000, 1).map((x, n) => (n < 9 ? 1000 : x))
  const { order } = await arranged(position, 3)
  const near = apart(
    position,
    order.filter((n) => n > 2),
    3,
  )
  // Points of a unit cube in any order are 0.66 apart, and neighbours on a grid of as many 0.04.
  expect(near).toBeLessThan(0.15)
})

test('a heap of points in one place is divided by their indices', async () => {
  const position = spread(3, 20000, 1).map((x, n) => (n < 3 * 10000 ? 0.3 : x))
  expect(fullest((await arranged(position, 3)).cells)).toBeLessThanOrEqual(mostInCell)
})

test.each([2, 3] as const)('neighbours in the order are near each other, in %i-D', async (dimension) => {
  const count = 4096
  const position = spread(dimension, count, 3)
  const near = apart(position, (await arranged(position, dimension)).order, dimension)
  // The distance of neighbours on a grid is count ** (-1 / dimension).
  expect(near * count ** (1 / dimension)).toBeLessThan(2)
  // In a clump, distances shrink with its size.
  const clump = position.map((x, n) => (n < dimension ? 1 : x / 64))
  const { order } = await arranged(clump, dimension)
  expect(
    64 *
      apart(
        clump,
        order.filter((n) => n > 0),
        dimension,
      ) *
      count ** (1 / dimension),
  ).toBeLessThan(2)
})

/** All cells of a cube. */
const lattice = (dimension: Dimension, side: number) =>
  Float32Array.from({ length: dimension * side ** dimension }, (_, n) => {
    const axis = n % dimension
    return Math.floor(Math.floor(n / dimension) / side ** axis) % side
  })

test.each([2, 3] as const)('the curve goes from each cell to a neighbour, in %i-D', async (dimension) => {
  const side = 16
  const points = lattice(dimension, side)
  const slab = Array.from({ length: dimension }, (_, axis) => (axis === 0 ? side : 0))
  for (const lengths of [undefined, Array<number>(dimension).fill(side), slab]) {
    const { order, cells } = await arranged(points, dimension, lengths)
    const boxed = lengths && lengths !== slab
    expect(new Set(cells).size / cells.length).toBeGreaterThan(boxed ? 1 - 1e-9 : 0.8)
    const steps = order.slice(1).map((point, n) => {
      const before = order[n] as number
      return [0, 1, 2].slice(0, dimension).reduce((sum, axis) => {
        const [a, b] = [points[before * dimension + axis] as number, points[point * dimension + axis] as number]
        return sum + Math.abs(a - b)
      }, 0)
    })
    // In a box, each cell has the width of a lattice cell. Along open axes, the cells end at the outermost points.
    expect(steps.filter((step) => step !== 1).length / steps.length).toBeLessThan(boxed ? 1e-9 : 0.2)
  }
})

test('points outside a box are in the cells of their images inside', async () => {
  const lengths = [1, 2, 4]
  // Numbers that can be moved by a box in float32 without rounding.
  const inside = spread(3, 300, 1).map((x, n) => (Math.floor(1024 * x) / 1024) * (lengths[n % 3] as number))
  const outside = inside.map((x, n) => x + (lengths[n % 3] as number) * ((n % 7) - 3))
  expect(await arranged(outside, 3, lengths)).toEqual(await arranged(inside, 3, lengths))
})

test('numbers that are not finite have an order', async () => {
  const position = spread(3, 3000, 2).map(
    (x, n) => (n % 50 === 7 ? [NaN, Infinity, -Infinity, 3e38][n % 4] : x) as number,
  )
  expect((await arranged(position, 3)).order.toSorted((a, b) => a - b)).toEqual([...Array(3000).keys()])
})
