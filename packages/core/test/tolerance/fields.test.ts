// How far nodes must be where the weights around targets are known: by the formula, for two leaves and for all nodes of a sphere.

import { expect, it } from 'vitest'
import { blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { orderPoints } from '../../src/methods/ranges/order.ts'
import { nodeFields, nodeReaches, unitOf } from '../../src/methods/tolerance/fields.ts'
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
  return { tree, weights: weightsOfNodes(tree, { position: ordered, weight: weights }, 3) }
}

it('gives a leaf the field of its sibling, and its own without its heaviest point', () => {
  const { tree, weights } = treeOf(16, (point) => (point === 5 ? 1e3 : 1 + (point % 3)))
  const fields = nodeFields(tree, 3, weights)
  expect(fields).toHaveLength(3)
  const unit = unitOf(tree, 3)
  const half2 = (node: number) =>
    [3, 4, 5].reduce((sum, n) => sum + (tree.boxes[8 * node + n] as number) ** 2, 0) / unit
  const [total = 0, first = 0, b = 0] = weights.share
  const places = [...tree.order.subarray(0, 8)].map((point) => (point === 5 ? 1e3 : 1 + (point % 3)))
  const a = (first * (places.reduce((sum, x) => sum + x) - Math.max(...places))) / places.reduce((sum, x) => sum + x)
  const apart2 =
    [0, 1, 2].reduce((sum, n) => sum + ((weights.centre[6 + n] as number) - (tree.boxes[8 + n] as number)) ** 2, 0) /
    unit
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
    expect((weights.others[node] as number) / (expected * unit)).toBeCloseTo(1, 12)
  }
})

it('makes heavy nodes wait for a larger distance than light ones, and none for less than 0.9 allows', () => {
  const { tree, weights } = treeOf(400, (point) => (point < 200 ? 1 : 1000))
  const { far2, near2 } = nodeReaches(tree, 3, 0.5, weights)
  const unit = unitOf(tree, 3)
  const [total = 0] = weights.share
  for (const [node, share] of weights.share.entries()) {
    const radius2 = [3, 4, 5].reduce((sum, n) => sum + (tree.boxes[8 * node + n] as number) ** 2, 0) / unit
    expect(near2[node]).toBeCloseTo(radius2 / 0.81, 12)
    expect(far2[node]).toBeCloseTo((radius2 ** 0.6 * (share / total) ** 0.4) / 0.25, 10)
  }
})

it('without weights, makes a long node wait for a larger distance than a cube with the same diagonal', () => {
  const boxOf = (...half: number[]) => ({ boxes: Float64Array.of(0, 0, 0, ...half, 0, 0) })
  const radiusOf = (...half: number[]) => {
    const { far2, near2 } = nodeReaches(boxOf(...half), 3, 0.5, undefined)
    expect([...near2]).toEqual([0])
    return Math.sqrt(far2[0] as number) * 0.5
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
  const share = new Float64Array(3).fill(1e-30)
  const weights = weighted ? { share, others: new Float64Array(3), centre: new Float64Array(9) } : undefined
  const { far2, near2 } = nodeReaches({ boxes }, 3, 0.5, weights)
  for (const reach of weighted ? [...far2, ...near2] : far2) expect(Math.fround(reach)).toBeGreaterThan(0)
})
