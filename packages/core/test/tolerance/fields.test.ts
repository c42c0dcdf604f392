// How far nodes must be where the weights around targets are known: by the formula, for two leaves and for all nodes of a sphere.

import { eachField, eachReach, unitOf } from '@manybody/core/near'
import { expect, it } from 'vitest'
import { blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { orderPoints } from '../../src/methods/ranges/order.ts'
import { weightsOfNodes } from '../../src/methods/tolerance/proxies.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(5)

function treeOf(count: number, weight: (point: number) => number) {
  const position = numbersBetween(next, 3 * count, -1, 1)
  const tree = blockTree(count)
  const points = { position, dimension: 3, lengths: [] }
  orderPoints(points, tree)
  fitBoxes(points, tree)
  const ordered = Float64Array.from(
    Array.from(tree.order).flatMap((point) => [...position.subarray(3 * point, 3 * point + 3)]),
  )
  const weights = Float64Array.from(tree.order, weight)
  const { share, others, centre } = weightsOfNodes(tree, { position: ordered, weight: weights }, 3)
  return {
    tree,
    weights: {
      share: (node: number) => share[node] as number,
      others: (node: number) => others[node] as number,
      centre: (node: number, axis: number) => centre[3 * node + axis] as number,
    },
  }
}

it('gives a leaf the field of its sibling, and its own without its heaviest point', () => {
  const { tree, weights } = treeOf(16, (point) => (point === 5 ? 1e3 : 1 + (point % 3)))
  const fields: number[] = []
  eachField(tree, 3, weights, (_, field) => fields.push(field))
  expect(fields).toHaveLength(3)
  const unit = unitOf(tree, 3)
  const half2 = (node: number) =>
    [3, 4, 5].reduce((sum, n) => sum + (tree.boxes[8 * node + n] as number) ** 2, 0) / unit
  const [total = 0, first = 0, b = 0] = [0, 1, 2].map(weights.share)
  const places = [...tree.order.subarray(0, 8)].map((point) => (point === 5 ? 1e3 : 1 + (point % 3)))
  const a = (first * (places.reduce((sum, x) => sum + x) - Math.max(...places))) / places.reduce((sum, x) => sum + x)
  const apart2 =
    [0, 1, 2].reduce((sum, n) => sum + (weights.centre(2, n) - (tree.boxes[8 + n] as number)) ** 2, 0) / unit
  expect(half2(0)).toBeCloseTo(1, 12)
  expect(fields[1]).toBeCloseTo((a / total / half2(1) + b / total / (apart2 + half2(2))) ** 0.4, 12)
})

it('knows the weight of a node without its heaviest point to all digits, however heavy that is', () => {
  const { tree, weights } = treeOf(64, (point) => (point === 20 ? 1e20 : point === 41 ? 7 : 1))
  const nodes = tree.boxes.length / 8
  const unit = 1 / (1e20 + 69)
  for (let node = 0; node < nodes; node++) {
    const [first, last] = [tree.links[16 * node + 12] as number, tree.links[16 * node + 13] as number]
    const points = [...tree.order.subarray(first, last)]
    const light = points.reduce((sum, point) => sum + (point === 20 ? 0 : point === 41 ? 7 : 1), 0)
    const expected = points.includes(20) ? light : light - (points.includes(41) ? 7 : 1)
    expect(weights.others(node) / (expected * unit)).toBeCloseTo(1, 12)
  }
})

it('makes heavy nodes wait for a larger distance than light ones, and none for less than 0.9 allows', () => {
  const { tree, weights } = treeOf(400, (point) => (point < 200 ? 1 : 1000))
  const far: { far2: number; near2: number; share: number }[] = []
  eachReach(tree, 3, 0.5, weights, (node, far2, near2) => far.push({ far2, near2, share: weights.share(node) }))
  const unit = unitOf(tree, 3)
  for (const [node, { far2, near2, share }] of far.entries()) {
    const radius2 = [3, 4, 5].reduce((sum, n) => sum + (tree.boxes[8 * node + n] as number) ** 2, 0) / unit
    expect(near2).toBeCloseTo(radius2 / 0.81, 12)
    expect(far2).toBeCloseTo((radius2 ** 0.6 * (share / weights.share(0)) ** 0.4) / 0.25, 10)
  }
})

it('without weights, makes a long node wait for a larger distance than a cube with the same diagonal', () => {
  const boxOf = (...half: number[]) => ({ boxes: Float64Array.of(0, 0, 0, ...half, 0, 0) })
  const radiusOf = (...half: number[]) => {
    let far = 0
    eachReach(boxOf(...half), 3, 0.5, undefined, (_, far2, near2) => {
      far = far2
      expect(near2).toBe(0)
    })
    return Math.sqrt(far) * 0.5
  }
  // The radius of the whole set is the unit.
  expect(radiusOf(2, 2, 2)).toBeCloseTo(1, 12)
  expect(radiusOf(2, 1, 1)).toBeCloseTo((Math.sqrt(3) * ((64 + 1 + 1) / 3) ** (1 / 6)) / Math.sqrt(6), 12)
  expect(radiusOf(2, 0, 0)).toBeCloseTo((Math.sqrt(3) * (64 / 3) ** (1 / 6)) / 2, 12)
})

it.each([true, false])('makes a node wait that is 1e30 times smaller than the set, with weights: %s', (weighted) => {
  const boxes = new Float64Array(3 * 8)
  boxes.fill(1, 3, 6)
  boxes.fill(1e-30, 8 + 3, 8 + 6)
  const weights = weighted ? { share: () => 1e-30, others: () => 0, centre: () => 0 } : undefined
  const reaches: number[] = []
  eachReach({ boxes }, 3, 0.5, weights, (_, ...reach) => reaches.push(...reach.slice(0, weighted ? 2 : 1)))
  for (const reach of reaches) expect(Math.fround(reach)).toBeGreaterThan(0)
})
