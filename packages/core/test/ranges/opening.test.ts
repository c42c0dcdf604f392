// The walk for sums with a tolerance: every source counts exactly once, directly or in a node that is far.

import { type BlockTree, blockPoints } from '@manybody/core/backend'
import { expect, it } from 'vitest'
import { blockTree } from '../../src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../src/methods/ranges/boxes.ts'
import { walkOpening } from '../../src/methods/ranges/opening-walk.ts'
import { orderPoints } from '../../src/methods/ranges/order.ts'
import { nodeReaches, unitOf } from '../../src/methods/tolerance/fields.ts'
import { weightCentres } from '../../src/methods/tolerance/proxies.ts'
import { random as randomOf } from '../support/random.ts'

const random = randomOf(23)
const count = 1500

function planted(position: Float64Array, dimension: number) {
  const points = position.length / dimension
  const tree = blockTree(points)
  orderPoints({ position, dimension, lengths: [] }, tree)
  fitBoxes({ position, dimension, lengths: [] }, tree)
  const ordered = new Float64Array(position.length)
  for (const [place, point] of tree.order.entries())
    ordered.set(position.subarray(point * dimension, (point + 1) * dimension), place * dimension)
  // Weight in the corners of boxes, so that its centre matters.
  const weight = Float64Array.from({ length: points }, () => random() ** 8)
  return { tree, position: ordered, centre: weightCentres(tree, { position: ordered, weight }, dimension) }
}

/** How far nodes must be by their edges alone. */
function reachOf(tree: BlockTree, dimension: number, opening: number) {
  return { ...nodeReaches(tree, dimension, opening, undefined), field: 1, unit: unitOf(tree, dimension) }
}

const sets: Readonly<Record<string, readonly [position: Float64Array, dimension: number]>> = {
  'a cube': [Float64Array.from({ length: 3 * count }, () => random()), 3],
  'a square': [Float64Array.from({ length: 2 * count }, () => random()), 2],
  clusters: [Float64Array.from({ length: 3 * count }, (_, n) => (Math.floor(n / 30) % 7) + random() ** 5), 3],
  'one place': [new Float64Array(3 * count), 3],
  'a line': [Float64Array.from({ length: 3 * count }, (_, n) => (n % 3 === 1 ? random() : 2)), 3],
  'few points': [Float64Array.from({ length: 3 * 5 }, () => random()), 3],
}

it.each(Object.entries(sets))('takes each source in %s once', (_, [position, dimension]) => {
  const { tree, position: ordered, centre } = planted(position, dimension)
  const points = position.length / dimension
  let [far, faults] = [0, 0]
  for (const opening of [0.3, 0.6, 1]) {
    const reach = reachOf(tree, dimension, opening)
    for (let block = 0; block * blockPoints < points; block += 7) {
      const target = tree.blocks.subarray(block * 8, block * 8 + 6)
      const excluded = block === 7 ? points - 1 : -1
      const met = new Uint8Array(points)
      let next = 0
      const meet = (first: number, last: number) => {
        if (first !== next) faults++
        next = last
        for (let place = first; place < last; place++) met[place] = (met[place] as number) + 1
      }
      walkOpening(
        tree,
        target,
        {
          ...{ dimension, reach, centre },
          hasProxies: (node) => (tree.links[node * 16 + 13] as number) - (tree.links[node * 16 + 12] as number) > 20,
          ...(excluded >= 0 && { opens: (first, last) => excluded >= first && excluded < last }),
        },
        meet,
        (node) => {
          far++
          const [first, last] = [tree.links[node * 16 + 12] as number, tree.links[node * 16 + 13] as number]
          meet(first, last)
          if (last - first <= 20 || (excluded >= first && excluded < last)) faults++
          // The distances to every target of the block, which are at least those to its box.
          const radius = Math.hypot(...tree.boxes.subarray(node * 8 + 3, node * 8 + 3 + dimension))
          for (let place = block * blockPoints; place < Math.min(points, (block + 1) * blockPoints); place++)
            for (const centres of [tree.boxes.subarray(node * 8), centre.subarray(node * dimension)]) {
              const x = ordered.subarray(place * dimension, (place + 1) * dimension)
              if (!(radius < opening * Math.hypot(...x.map((v, axis) => v - (centres[axis] as number))))) faults++
            }
        },
      )
      if (!met.every((times) => times === 1)) faults++
    }
  }
  expect(faults).toBe(0)
  if (['a cube', 'a square', 'clusters', 'a line'].includes(_)) expect(far).toBeGreaterThan(100)
})

it('opens boxes that are not finite', () => {
  const position = Float64Array.from({ length: 3 * 200 }, () => random())
  position[77] = Number.NaN
  const { tree, centre } = planted(position, 3)
  const target = Float64Array.of(50, 50, 50, 0, 0, 0)
  const direct: number[] = []
  const rule = { dimension: 3, reach: reachOf(tree, 3, 0.5), centre, hasProxies: () => true }
  walkOpening(
    tree,
    target,
    rule,
    (first, last) => direct.push(...tree.order.subarray(first, last)),
    () => {},
  )
  expect(direct).toContain(25)
  expect(direct.length).toBe(blockPoints)
})
