// Walks to the nearest points, and nodes that are counted as a whole.

import { countWithin, type DomainOptions, nearest, pairTerm, reduce, sum } from '@manybody/core'
import { type BlockTree, blockPoints, deepest } from '@manybody/core/backend'
import { keptPower } from '@manybody/core/expression'
import { surelyWithin } from '@manybody/core/near'
import { describe, expect, it } from 'vitest'
import { walkWithin } from '../../src/methods/ranges/cutoff-walk.ts'
import { walkNearest } from '../../src/methods/ranges/nearest-walk.ts'
import type { Points } from '../../src/methods/ranges/order.ts'
import { treeOf, uniform } from '../support/trees.ts'

function distance2({ position, dimension, lengths }: Points, i: number, j: number): number {
  let r2 = 0
  for (let axis = 0; axis < dimension; axis++) {
    const d = (position[j * dimension + axis] as number) - (position[i * dimension + axis] as number)
    const length = lengths[axis]
    r2 += (length === undefined ? d : d - length * Math.round(d / length)) ** 2
  }
  return r2
}

const ascending = (a: number, b: number) => a - b

/** The distances of each target, ascending. */
const sortedDistances = (points: Points) => {
  const count = points.position.length / points.dimension
  return Array.from({ length: count }, (_, i) =>
    Float64Array.from({ length: count }, (_, j) => distance2(points, i, j)).sort(),
  )
}

/** The number of targets with a miss among their k nearest, and the pairs that the walk hands out per target. */
function lostBy(
  walk: typeof walkNearest,
  points: Points,
  tree: BlockTree,
  k: number,
  sorted = sortedDistances(points),
) {
  const count = tree.order.length
  let [lost, met] = [0, 0]
  for (let block = 0; block * blockPoints < count; block++) {
    const targets = [...tree.order.subarray(block * blockPoints, (block + 1) * blockPoints)]
    const kept = targets.map((): number[] => [])
    // Somewhat farther, because this does not test rounding.
    const reach = () => 1.000001 * Math.sqrt(Math.max(...kept.map((list) => list[k - 1] ?? Number.POSITIVE_INFINITY)))
    walk(tree, tree.blocks.subarray(block * 8, block * 8 + 6), points, reach, (first, last) => {
      met += (last - first) * targets.length
      for (const [n, i] of targets.entries()) {
        const list = kept[n] as number[]
        for (const j of tree.order.subarray(first, last)) list.push(distance2(points, i, j))
        list.sort(ascending).splice(k)
      }
    })
    for (const [n, i] of targets.entries()) {
      if (sorted[i]?.subarray(0, k).some((r2, q) => r2 !== kept[n]?.[q])) lost++
    }
  }
  return { lost, met: met / count }
}

const sets: Readonly<Record<string, (count: number, dimension: number) => Float64Array>> = {
  'a cube': (count, dimension) => uniform(count * dimension, 1),
  'one place': (count, dimension) => new Float64Array(count * dimension).fill(0.3),
  'a line': (count, dimension) =>
    Float64Array.from({ length: count * dimension }, (_, n) => (n % dimension ? 0.5 : n / 99)),
  'a cluster in a cluster': (count, dimension) =>
    uniform(count * dimension, 2).map((x, n) => x * 2 ** -(Math.floor(n / dimension) % 40)),
}

describe.each(Object.entries(sets))('%s', (_, make) => {
  it.each([2, 3])('loses nothing that is near, from a fresh order and from any other, in %i-D', (dimension) => {
    for (const count of [0, 1, 8, 9, 100])
      for (const lengths of [[], [1, 1.5, 2].slice(0, dimension)]) {
        const points = { position: make(count, dimension), dimension, lengths }
        const sorted = sortedDistances(points)
        const any = Array.from({ length: count }, (_, n) => (n * 7) % count)
        for (const k of [1, 8, 120])
          for (const tree of [treeOf(points), treeOf(points, any)])
            expect(lostBy(walkNearest, points, tree, k, sorted).lost).toBe(0)
      }
  })
})

it('the test above notices a walk that loses a block, and one that stops too early', () => {
  const points = { position: uniform(1200, 4), dimension: 3, lengths: [] }
  const tree = treeOf(points)
  let blocks = 0
  const losing: typeof walkNearest = (sources, target, space, reach, take) =>
    walkNearest(sources, target, space, reach, (first, last) => {
      if (++blocks % 20 !== 5) take(first, last)
    })
  expect(lostBy(losing, points, tree, 8).lost).toBeGreaterThan(0)
  const short: typeof walkNearest = (sources, target, space, reach, take) =>
    walkNearest(sources, target, space, () => 0.5 * reach(), take)
  expect(lostBy(short, points, tree, 8).lost).toBeGreaterThan(0)
})

it('meets few pairs, because it goes to near blocks first', () => {
  for (const lengths of [[], [1, 1, 1]]) {
    const points = { position: uniform(3 * 2048, 5), dimension: 3, lengths }
    expect(lostBy(walkNearest, points, treeOf(points), 8, []).met).toBeLessThan(260)
  }
})

it('never leaves out a block with a number that is not finite', () => {
  const position = uniform(3 * 64, 6)
  position[3 * 5] = Number.NaN
  const points = { position, dimension: 3, lengths: [] }
  const tree = treeOf(points)
  const place = tree.order.indexOf(5)
  const found: number[] = []
  const target = Float64Array.of(9, 9, 9, 0, 0, 0)
  walkNearest(
    tree,
    target,
    points,
    () => 0.001,
    (first) => found.push(first),
  )
  expect(found).toEqual([place - (place % blockPoints)])
})

it('the depth of a tree has a limit', () => {
  for (const count of [1, 8, 9, 100, 8000]) {
    const position = Float64Array.from({ length: 3 * count }, (_, n) => 2 ** -(Math.floor(n / 3) / 8))
    const { links } = treeOf({ position, dimension: 3, lengths: [] })
    const ends: number[] = []
    let most = 0
    for (let node = 0; node * 16 < links.length; node++) {
      while (ends.length > 0 && (ends.at(-1) as number) <= node) ends.pop()
      ends.push(links[node * 16 + 14] as number)
      most = Math.max(most, ends.length)
    }
    expect(most).toBeLessThanOrEqual(deepest(count))
    expect(deepest(count)).toBeLessThanOrEqual(200)
  }
})

describe('nodes within a cutoff as a whole', () => {
  const within = 0.45
  it.each([[[]], [[1, 1, 1]]])('hold only pairs that count, in a box of %j', (lengths) => {
    const points = { position: uniform(3 * 2000, 3), dimension: 3, lengths }
    const tree = treeOf(points)
    const rule = { reach: within, within, dimension: 3, lengths }
    let [beyond, wholes, counted, met] = [0, 0, 0, 0]
    for (let block = 0; block < 250; block += 10) {
      const targets = [...tree.order.subarray(block * blockPoints, (block + 1) * blockPoints)]
      const own = block * blockPoints
      const pairs = (first: number, last: number) =>
        targets.flatMap((i) => [...tree.order.subarray(first, last)].map((j) => distance2(points, i, j)))
      const taken = (first: number, last: number) => {
        met += (last - first) * targets.length
        counted += pairs(first, last).filter((r2) => r2 <= within ** 2).length
      }
      walkWithin(tree, tree.blocks.subarray(block * 8, block * 8 + 6), { ...rule, own }, taken, (first, last) => {
        wholes += (last - first) * targets.length
        beyond += pairs(first, last).filter((r2) => r2 > within ** 2).length
        expect(own < first || own >= last).toBe(true)
      })
      counted -= targets
        .flatMap((i) => points.position.subarray(0, 2000).map((_, j) => Number(distance2(points, i, j) <= within ** 2)))
        .reduce((sum, row) => sum + row.reduce((a, b) => a + b, 0), 0)
    }
    expect(beyond).toBe(0)
    expect(counted).toBe(-wholes)
    expect(wholes).toBeGreaterThan(0.05 * met)
  })
  it('do not exist where rounding may exceed the cutoff', () => {
    const options = { precision: 'f32', dimension: 3, periodic: true, split: false, unit: 1 } as const
    expect(surelyWithin({ ...options, cutoff: 1, most: 10 })).toBeLessThan(1)
    expect(surelyWithin({ ...options, cutoff: 1, most: 1e7 })).toBeLessThan(0)
  })
})

it.each<[what: string, workload: Parameters<typeof keptPower>[0], power: 1 | 2 | undefined]>([
  ['neighbours', nearest(3), 2],
  ['neighbours within a cutoff', nearest(3, { cutoff: 1 }), 2],
  ['the least square', reduce('min', pairTerm('dx^2 + dy^2 + dz^2 + 0*dx')()), undefined],
  ['the least r2', reduce('min', pairTerm('r2')()), 2],
  ['the source at the least distance', reduce('argmin', pairTerm('r')()), 1],
  ['the least root', reduce('argmin', pairTerm('sqrt(r2)')()), 1],
  ['the greatest distance', reduce('max', pairTerm('r')()), undefined],
  ['the least inverse', reduce('min', pairTerm('1/r')()), undefined],
  ['a switched distance', reduce('min', pairTerm('r')(), { cutoff: 2, switchDistance: 1 } as DomainOptions), undefined],
  ['a sum', sum(pairTerm('r2')()), undefined],
  ['a count', countWithin(2), undefined],
])('knows of %s which power of the distance is kept', (_, workload, power) => {
  expect(keptPower(workload, 3)).toBe(power)
})
