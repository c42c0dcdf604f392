// Blocks of points: their order, their boxes, and walks that miss no pair.

import { type BlockTree, blockPoints, nodeCount } from '@manybody/core/backend'
import { type ReachOptions, reachOf } from '@manybody/core/near'
import { describe, expect, it } from 'vitest'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { walkWithin } from '../../src/methods/ranges/cutoff-walk.ts'
import type { Points } from '../../src/methods/ranges/order.ts'
import { random as randomOf } from '../support/random.ts'
import { treeOf, uniform } from '../support/trees.ts'

const sets: Readonly<Record<string, (count: number, dimension: number) => Float64Array>> = {
  'a cube': (count, dimension) => uniform(count * dimension, 1),
  'a cube as float32': (count, dimension) => uniform(count * dimension, 1).map(Math.fround),
  'one place': (count, dimension) => new Float64Array(count * dimension).fill(0.3),
  'a line': (count, dimension) =>
    Float64Array.from({ length: count * dimension }, (_, n) => (n % dimension ? 0.5 : n / 99)),
  'a cluster in a cluster': (count, dimension) =>
    uniform(count * dimension, 2).map((x, n) => x * 2 ** -(Math.floor(n / dimension) % 40)),
  'a lattice': (count, dimension) =>
    Float64Array.from(
      { length: count * dimension },
      (_, n) => (Math.floor(n / dimension) >> (2 * (n % dimension))) & 3,
    ),
  'points far outside': (count, dimension) => uniform(count * dimension, 3).map((x) => 40 * (x - 0.5)),
}

const counts = [0, 1, 7, 8, 9, 17, 150]

/** Pairs within a cutoff that walks over all blocks of targets do not hand out once; and how many pairs they hand out. */
function missed(
  targets: readonly [Points, BlockTree],
  sources: readonly [Points, BlockTree],
  cutoff: number,
  walk = walkWithin,
) {
  const [[here, from], [there, to]] = [targets, sources]
  const { dimension, lengths } = here
  const options: ReachOptions = {
    ...{ cutoff, dimension, precision: 'f64', periodic: lengths.length > 0, split: false, unit: 1 },
    most: Math.max(0, ...here.position.map(Math.abs), ...there.position.map(Math.abs)),
  }
  const rule = { reach: reachOf(options), dimension, lengths }
  let [lost, met] = [0, 0]
  for (let block = 0; block * blockPoints < from.order.length; block++) {
    const seen = new Uint8Array(to.order.length)
    walk(to, from.blocks.subarray(block * 8, block * 8 + 6), rule, (first, last) => {
      for (let place = first; place < last; place++) seen[place] = (seen[place] as number) + 1
    })
    for (const i of from.order.subarray(block * blockPoints, (block + 1) * blockPoints))
      for (const [place, j] of to.order.entries()) {
        let r2 = 0
        for (let axis = 0; axis < dimension; axis++) {
          const d = (there.position[j * dimension + axis] as number) - (here.position[i * dimension + axis] as number)
          const length = lengths[axis]
          r2 += (length === undefined ? d : d - length * Math.round(d * (1 / length))) ** 2
        }
        const times = seen[place] as number
        met += times
        if (times > 1 || (r2 <= cutoff ** 2 && times === 0)) lost++
      }
  }
  return { lost, met }
}

/** Any order, such as one of long ago. */
const shuffled = (count: number): number[] => {
  const keys = uniform(count, 9)
  return Array.from({ length: count }, (_, n) => n).sort((a, b) => (keys[a] as number) - (keys[b] as number))
}

describe.each(Object.entries(sets))('%s', (_, make) => {
  it.each([2, 3])('has each point in one place and inside its boxes, in %i-D', (dimension) => {
    for (const count of counts)
      for (const lengths of [[], [1, 1.5, 2].slice(0, dimension)]) {
        const points = { position: make(count, dimension), dimension, lengths }
        const tree = treeOf(points)
        expect([...tree.order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, n) => n))
        const seen: number[] = []
        let outside = 0
        for (let node = 0; node < nodeCount(count); node++) {
          const [first = 0, last = 0, skip = 0] = tree.links.subarray(node * 16 + 12)
          if (skip === node + 1) seen.push(first, last)
          else {
            // Children take turns, and together are their parent.
            const [left, right] = [node + 1, tree.links[(node + 1) * 16 + 14] as number]
            expect(tree.links[left * 16 + 12]).toBe(first)
            expect(tree.links[left * 16 + 13]).toBe(tree.links[right * 16 + 12])
            expect(tree.links[right * 16 + 13]).toBe(last)
          }
          for (const point of tree.order.subarray(first, last))
            for (let axis = 0; axis < dimension; axis++) {
              const apart =
                (points.position[point * dimension + axis] as number) - (tree.boxes[node * 8 + axis] as number)
              const length = lengths[axis]
              const near = length ? apart - length * Math.round(apart / length) : apart
              if (Math.abs(near) > (tree.boxes[node * 8 + 3 + axis] as number) + 1e-13) outside++
            }
        }
        expect(outside).toBe(0)
        // Blocks follow one another, and all but the last are full.
        expect(seen).toEqual(
          Array.from({ length: Math.ceil(count / 8) }, (_, b) => [8 * b, Math.min(8 * b + 8, count)]).flat(),
        )
      }
  })

  it.each([2, 3])('loses no pair with a fresh order or any other order, in %i-D', (dimension) => {
    for (const count of counts)
      for (const lengths of [[], [1, 1.5, 2].slice(0, dimension)]) {
        const points = { position: make(count, dimension), dimension, lengths }
        const fresh = treeOf(points)
        const stale = treeOf(points, shuffled(count))
        for (const cutoff of [1e-9, 0.1, 0.5]) {
          const { lost, met } = missed([points, fresh], [points, fresh], cutoff)
          expect(lost).toBe(0)
          const old = missed([points, stale], [points, stale], cutoff)
          expect(old.lost).toBe(0)
          expect(old.met).toBeGreaterThanOrEqual(met * 0.8)
          const other = { ...points, position: sets['a cube']?.(37, dimension) as Float64Array }
          expect(missed([points, fresh], [other, treeOf(other)], cutoff).lost).toBe(0)
        }
      }
  })
})

it('the order depends on the points alone, not on the sequence in which they are given', () => {
  // Where coordinates are equal, the numbers of points decide.
  for (const make of ['a cube', 'a cluster in a cluster', 'points far outside'].map((name) => sets[name]))
    for (const dimension of [2, 3]) {
      if (!make) throw new Error('there is no such set')
      const count = 301
      const [position, swapped] = [make(count, dimension), new Float64Array(count * dimension)]
      const other = (n: number) => (n * 100) % count
      for (let n = 0; n < count; n++)
        swapped.set(position.subarray(other(n) * dimension, (other(n) + 1) * dimension), n * dimension)
      // The coordinates in each block, as points at the same place may be exchanged.
      const blocksOf = (position: Float64Array) => {
        const { order } = treeOf({ position, dimension, lengths: [] })
        const places = [...order].map((point) => String(position.subarray(point * dimension, (point + 1) * dimension)))
        return Array.from({ length: Math.ceil(count / blockPoints) }, (_, n) =>
          places.slice(n * blockPoints, (n + 1) * blockPoints).sort(),
        )
      }
      expect(blocksOf(position)).toEqual(blocksOf(swapped))
    }
})

it('the test above notices a walk that loses a block', () => {
  const points = { position: uniform(600, 4), dimension: 3, lengths: [] }
  const tree = treeOf(points)
  let blocks = 0
  const losing: typeof walkWithin = (sources, target, rule, take) =>
    walkWithin(sources, target, rule, (first, last) => {
      if (++blocks % 50 !== 25) take(first, last)
    })
  expect(missed([points, tree], [points, tree], 0.2, losing).lost).toBeGreaterThan(0)
})

it('a walk leaves out most pairs of a large set', () => {
  const points = { position: uniform(3 * 4096, 5), dimension: 3, lengths: [1, 1, 1] }
  const { met } = missed([points, treeOf(points)], [points, treeOf(points)], 0.1)
  expect(met / 4096).toBeLessThan(250)
})

it('points that come closer and closer do not make a deep tree', () => {
  const count = 8000
  const position = Float64Array.from({ length: 3 * count }, (_, n) => 2 ** -(Math.floor(n / 3) / 8))
  const { links } = treeOf({ position, dimension: 3, lengths: [] })
  const ends: number[] = []
  let deepest = 0
  for (let node = 0; node < nodeCount(count); node++) {
    while (ends.length > 0 && (ends.at(-1) as number) <= node) ends.pop()
    ends.push(links[node * 16 + 14] as number)
    deepest = Math.max(deepest, ends.length)
  }
  expect(deepest).toBeLessThan(200)
})

it('a walk never leaves out a block with a number that is not finite', () => {
  const position = uniform(3 * 64, 6)
  const tree = treeOf({ position, dimension: 3, lengths: [] })
  const rule = { reach: 0.01, dimension: 3, lengths: [] }
  const bad = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const [n, value] of bad.entries()) {
    const changed = position.map((x, at) => (at === 3 * (tree.order[8 * n + 3] as number) + n ? value : x))
    fitBoxes({ position: changed, dimension: 3, lengths: [] }, tree)
    const found: number[] = []
    walkWithin(tree, tree.blocks.subarray(8 * 7, 8 * 7 + 6), rule, (first) => found.push(first))
    expect(found).toContain(8 * n)
  }
})

describe('the reach', () => {
  const options: ReachOptions = {
    ...{ cutoff: 2, precision: 'f32', dimension: 3, periodic: false, split: false, unit: 1, most: 0 },
  }
  it('exceeds the cutoff by the rounding of r2', () => {
    const random = randomOf(11)
    let beyond = 0
    let within = 0
    for (let n = 0; n < 20_000; n++) {
      // A pair with a rounded r2 equal to the square of the cutoff, or just below it.
      const d = [random(), random(), random()].map((x) => Math.fround(x))
      const [x, y, z] = d.map((v) => Math.fround(v * v)) as [number, number, number]
      const r2 = Math.fround(Math.fround(x + y) + z)
      const cutoff = Math.sqrt(r2)
      const distance = Math.hypot(...d)
      if (distance > cutoff) beyond++
      if (distance <= reachOf({ ...options, cutoff })) within++
    }
    expect(within).toBe(20_000)
    expect(beyond).toBeGreaterThan(1000)
  })
  it('grows with the coordinates if images or split coordinates are rounded', () => {
    const far = { ...options, most: 1e4 }
    expect(reachOf(far)).toBeLessThan(2.0001)
    expect(reachOf({ ...far, periodic: true })).toBeGreaterThan(2.01)
    expect(reachOf({ ...far, split: true })).toBeLessThan(2.0001)
    expect(reachOf({ ...far, precision: 'f64', periodic: true })).toBeLessThan(2.0001)
  })
  it('covers cutoffs whose squares are near the least float32', () => {
    expect(reachOf({ ...options, cutoff: 1e-22 })).toBeGreaterThan(1.0002e-22)
  })
})
