// The estimated share of pairs near each other, before points are put in order, against the pairs that walks hand out.

import { blockPoints } from '@manybody/core/backend'
import { nearLengths, nearTried, nearTries } from '@manybody/core/near'
import { expect, it } from 'vitest'
import { blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { walkWithin } from '../../src/methods/ranges/cutoff-walk.ts'
import { nearShare } from '../../src/methods/ranges/near-share.ts'
import { orderPoints, type Points } from '../../src/methods/ranges/order.ts'
import { random as randomOf } from '../support/random.ts'

const random = randomOf(3)
const count = 4096
const uniform = (dimension: number) => Float64Array.from({ length: count * dimension }, () => random())
const centres = Float64Array.from({ length: 30 }, () => random())
const clusters = uniform(3).map(
  (x, n) => 0.04 * (x - 0.5) + (centres[((Math.floor(n / 3) * 7) % 10) * 3 + (n % 3)] ?? 0),
)

/** The share that walks hand out. */
function shareOf(points: Points, reach: number): number {
  const { dimension, lengths } = points
  const tree = blockTree(count)
  orderPoints(points, tree)
  fitBoxes(points, tree)
  let pairs = 0
  for (let block = 0; block * blockPoints < count; block++)
    walkWithin(tree, tree.blocks.subarray(block * 8, block * 8 + 6), { reach, dimension, lengths }, (first, last) => {
      pairs += (last - first) * blockPoints
    })
  return pairs / count ** 2
}

/** The share of sources within reach of the box of a block, averaged over every eighth block of targets. */
function pickedOf(points: Points, reach: number): number {
  const { position, dimension, lengths } = points
  const tree = blockTree(count)
  orderPoints(points, tree)
  fitBoxes(points, tree)
  const blocks = Array.from({ length: count / blockPoints / 8 }, (_, n) => 64 * n)
  const isNear = (block: number, source: number) => {
    const gaps = Array.from({ length: dimension }, (_, axis) => {
      const straight = (position[source * dimension + axis] as number) - (tree.blocks[block + axis] as number)
      const length = lengths[axis]
      const apart = length === undefined ? straight : straight - length * Math.round(straight / length)
      return Math.max(0, Math.abs(apart) - (tree.blocks[block + 3 + axis] as number))
    })
    return Math.hypot(...gaps) <= reach
  }
  const near = blocks.map((block) => Array.from({ length: count }, (_, n) => n).filter((n) => isNear(block, n)).length)
  return near.reduce((sum, n) => sum + n, 0) / (count * blocks.length)
}

it.each([
  ['in a cube', { position: uniform(3), dimension: 3, lengths: [] }],
  ['in a periodic box', { position: uniform(3), dimension: 3, lengths: [1, 1, 1] }],
  ['in a square', { position: uniform(2), dimension: 2, lengths: [] }],
  ['in clusters', { position: clusters, dimension: 3, lengths: [] }],
] as const)('is right to a tenth for points %s', (_, points) => {
  for (const reach of [0.01, 0.05, 0.1, 0.2, 0.3, 0.45])
    expect(Math.abs(nearShare(points, points, { cutoff: reach }) - shareOf(points, reach))).toBeLessThan(0.1)
  for (const reach of [0.05, 0.2, 0.45]) {
    const picked = nearShare(points, points, { cutoff: reach, picked: true })
    expect(Math.abs(picked - pickedOf(points, reach))).toBeLessThan(0.1)
  }
})

it('is small for the nearest points, whatever the cutoff, and 1 where all points coincide or are not finite', () => {
  const cube = { position: uniform(3), dimension: 3, lengths: [] }
  expect(nearShare(cube, cube, { kept: 4 })).toBeLessThan(0.1)
  expect(nearShare(cube, cube, { kept: 4, cutoff: 2 })).toBeLessThan(0.1)
  for (const x of [0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const alike = { position: new Float64Array(3 * count).fill(x), dimension: 3, lengths: [] }
    expect(nearShare(alike, alike, { cutoff: 0.1 })).toBe(1)
    expect(nearShare(alike, alike, { kept: 4 })).toBe(1)
    expect(nearShare(alike, alike, { kept: 4, fewEqual: true })).toBe(x === 0.5 ? 0 : 1)
  }
})

/** The estimate by its definition. */
function definedShare(points: Points, nearness: Parameters<typeof nearShare>[2]): number {
  const { position, dimension, lengths } = points
  const { edges, kept } = nearLengths(dimension, count, count, nearness)
  const tried = (fractions: readonly number[]) =>
    fractions.map((fraction) => {
      const first = Math.floor(fraction * count) * dimension
      return Array.from(position.subarray(first, first + dimension))
    })
  const near = tried(nearTried.targets).map((target) => {
    const gaps = tried(nearTried.sources).map((source) =>
      source.map((x, axis) => {
        const straight = x - (target[axis] as number)
        const length = lengths[axis]
        return Math.fround(Math.abs(length ? straight - length * Math.floor(straight / length + 0.5) : straight))
      }),
    )
    const spacing = gaps.map((gap) => Math.max(...gap)).sort((a, b) => a - b)[nearTries.nearest - 1] as number
    const reach = Math.min(nearness.cutoff ?? Number.POSITIVE_INFINITY, spacing * kept)
    return gaps.filter((gap) => Math.hypot(...gap.map((x) => Math.max(0, x - spacing * edges))) <= reach).length
  })
  return near.reduce((sum, n) => sum + n, 0) / (near.length * nearTries.sources)
}

it('is the share that its definition says, in open space and in boxes by turns', () => {
  for (let n = 0; n < 40; n++)
    for (const [dimension, lengths] of [
      [3, []],
      [3, [1, 2, 1.5]],
      [2, []],
      [2, [1, 1]],
    ] as const) {
      const position = Float32Array.from(uniform(dimension), (x) => 3 * x * x)
      const points = { position, dimension, lengths }
      const nearness = { cutoff: n % 4 ? random() : undefined, kept: n % 3 ? undefined : 8, picked: n % 2 === 0 }
      expect(nearShare(points, points, nearness)).toBe(definedShare(points, nearness))
    }
})
