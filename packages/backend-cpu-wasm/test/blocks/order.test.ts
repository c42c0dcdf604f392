// The order of points from the module against the order of core: the same to the last place, whatever the points, the order
// before, and the sequence of the threads' parts.

import type { Precision } from '@manybody/core'
import { type BlockTree, treeBytes } from '@manybody/core/backend'
import { describe, expect, it } from 'vitest'
import { blockTree } from '../../../core/src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../../core/src/methods/ranges/boxes.ts'
import { orderPoints, type Points } from '../../../core/src/methods/ranges/order.ts'
import { ModuleWriter } from '../../src/compile/expressions/module-writer.ts'
import { orderPhases } from '../../src/compile/ranges/order-phases.ts'
import { defineOrder } from '../../src/compile/ranges/order-points.ts'
import { vectorOf } from '../../src/compile/wasm/vector.ts'
import {
  cutLevels,
  orderingBytes,
  spaceBytes,
  spaceNumbers,
  stackBytes,
  taskBytes,
} from '../../src/design/order-layout.ts'
import { spread } from '../support/points.ts'

type Given = Omit<Points, 'position'> & { readonly position: Float64Array | Float32Array }

/** The phases of the targets over memory with the points. `order` is the order before, if there is one. */
function orderIn(
  points: Given,
  precision: Precision,
  { order, coordinateBytes }: { readonly order: readonly number[] | undefined; readonly coordinateBytes: 4 | 8 },
) {
  const { position, dimension, lengths } = points
  const count = position.length / dimension
  const levels = cutLevels(count)
  const v = vectorOf(precision)
  const writer = new ModuleWriter({ vector: v, shared: false, fused: false, tile: 256 })
  const options = { dimension, periodic: lengths.length > 0, split: false, places: true }
  const fit = { coordinateBytes, boxesOfBlocks: true, lowest: true }
  defineOrder(writer, 'target', { ...options, ...fit })
  const { nodes, blocks, order: orderBytes } = treeBytes(count)
  const { records, tasks, most } = orderingBytes(count, coordinateBytes)
  const sizes = {
    block: 8 * 64,
    space: spaceBytes,
    position: position.length * v.bytes,
    tree: nodes + blocks + orderBytes,
    ...{ records, tasks, most },
    places: 4 * count,
    scratch: stackBytes,
  }
  let end = 64
  const at = Object.fromEntries(
    Object.entries(sizes).map(([name, bytes]) => {
      const address = end
      end += Math.ceil(bytes / 64) * 64 + 64
      return [name, address]
    }),
  ) as Record<keyof typeof sizes, number>
  const memory = new WebAssembly.Memory({ initial: Math.ceil(end / 65536) })
  const { buffer } = memory
  const view = new DataView(buffer)
  const entries: Readonly<Record<string, number>> = {
    space: at.space,
    'target.position': at.position,
    targetCount: count,
    targetNodes: at.tree,
    targetBlocks: at.tree + nodes,
    targetOrder: at.tree + nodes + blocks,
    targetRecords: at.records,
    targetTasks: at.tasks,
    targetLastTasks: at.tasks + (2 ** levels - 1) * taskBytes,
    targetMost: at.most,
    sourcePlaces: at.places,
  }
  for (const [name, offset] of writer.block) view.setUint32(at.block + offset, entries[name] as number, true)
  for (const [axis, length] of lengths.entries()) {
    view.setFloat64(at.space + spaceNumbers.lengths + 8 * axis, length, true)
    view.setFloat64(at.space + spaceNumbers.shares + 8 * axis, 1 / length, true)
  }
  const Numbers = precision === 'f64' ? Float64Array : Float32Array
  new Numbers(buffer, at.position, position.length).set(position)
  new Uint32Array(buffer, at.tasks, 3).set([0, count, 0])
  const tree = blockTree(count, buffer, at.tree)
  for (let place = 0; place < count; place++) tree.order[place] = order?.[place] ?? place
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(writer.module.encode()), { env: { memory } })
  for (const { name, units = Math.ceil(count / 256), level = -1 } of orderPhases('target')) {
    if (level >= levels) continue
    const last = units === 'tasks' ? 2 ** levels : Number(units)
    const phase = exports[name] as (block: number, scratch: number, first: number, last: number) => void
    // Backwards, by turns.
    for (let unit = last - 1; unit >= 0; unit--) phase(at.block, at.scratch, unit, unit + 1)
  }
  return { tree, places: new Uint32Array(buffer, at.places, count) }
}

const sets: Readonly<Record<string, (length: number, dimension: number) => Float64Array | Float32Array>> = {
  random: (length) => spread(length, 1),
  coincident: (length) => new Float64Array(length).fill(0.3),
  collinear: (length, dimension) => Float64Array.from({ length }, (_, n) => (n % dimension ? 0.5 : (n * 7919) % 1013)),
  'on a lattice': (length, dimension) =>
    Float64Array.from({ length }, (_, n) => (Math.floor(n / dimension) >> (2 * (n % dimension))) & 3),
  'in clusters within clusters': (length, dimension) =>
    Float64Array.from(spread(length, 2), (x, n) => x * 2 ** -(Math.floor(n / dimension) % 40)),
  'far away': (length) => Float64Array.from(spread(length, 3), (x) => 40 * (x - 0.5)),
  'very far away': (length) => Float64Array.from(spread(length, 4), (x) => Number.MAX_VALUE * (2 * x - 1)),
  'not finite': (length) =>
    spread(length, 5).map((x, n) => [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][n % 11] ?? x),
  'zero and less': (length) => Float64Array.from({ length }, (_, n) => (n % 3 ? -0 : 0)),
}

const linksOf = ({ links }: BlockTree) => links.filter((_, n) => n % 16 >= 12 && n % 16 < 15)

/** Number of boxes that differ from the expected ones. Core gives NaN only along the axis of a coordinate that is not finite. */
function others(boxes: Float64Array, expected: Float64Array, dimension: number): number {
  const axes = [0, 1, 2].slice(0, dimension)
  let wrong = 0
  for (let box = 0; box < boxes.length; box += 8) {
    const lost = axes.some((axis) => Number.isNaN(expected[box + axis] as number))
    for (const n of [...axes, ...axes.map((axis) => axis + 3)]) {
      const [is, should] = [boxes[box + n] as number, expected[box + n] as number]
      if (is !== should && !(Number.isNaN(is) && (lost || Number.isNaN(should)))) wrong++
    }
  }
  return wrong
}

/** Number of points that have no image in the box of a node that holds them. */
function outside({ position, dimension, lengths }: Given, { order, links, boxes }: BlockTree): number {
  let count = 0
  for (let node = 0; node < boxes.length / 8; node++)
    for (const point of order.subarray(links[node * 16 + 12], links[node * 16 + 13]))
      for (let axis = 0; axis < dimension; axis++) {
        const apart = (position[point * dimension + axis] as number) - (boxes[node * 8 + axis] as number)
        // Coordinates that exceed the box by so much have lost all digits of their place in it.
        if (Math.abs(apart) > 1e12) continue
        const near = Math.abs(apart - (lengths[axis] as number) * Math.round(apart / (lengths[axis] as number)))
        if (near > (boxes[node * 8 + 3 + axis] as number) + 1e-13) count++
      }
  return count
}

describe.each(Object.entries(sets))('points %s', (_, make) => {
  it.each([
    ['f32', 4],
    ['f32', 8],
    ['f64', 8],
  ] as const)(
    'have the order and the boxes of core in %s, with records of %i bytes for a coordinate',
    (precision, coordinateBytes) => {
      for (const [n, count] of [0, 1, 8, 9, 150, 8300].entries())
        for (const dimension of count > 1000 ? [2 + (n % 2)] : [2, 3])
          for (const lengths of coordinateBytes === 4 || (count > 1000 && precision === 'f32')
            ? [[]]
            : [[], [1, 1.5, 2].slice(0, dimension)]) {
            const given = make(count * dimension, dimension)
            const position = precision === 'f32' ? Float32Array.from(given) : Float64Array.from(given)
            const points = { position, dimension, lengths }
            const expected = blockTree(count)
            orderPoints(points, expected)
            fitBoxes(points, expected)
            const before = Array.from({ length: count }, (_, n) => (n * 5003) % count)
            for (const order of count < 100 ? [before] : [undefined, before]) {
              const { tree, places } = orderIn(points, precision, { order, coordinateBytes })
              expect(tree.order).toEqual(expected.order)
              expect(linksOf(tree)).toEqual(linksOf(expected))
              if (lengths.length > 0) expect(outside(points, tree)).toBe(0)
              else
                for (const boxes of ['boxes', 'blocks'] as const)
                  expect(others(tree[boxes], expected[boxes], dimension)).toBe(0)
              expect([...places].every((place, point) => tree.order[place] === point)).toBe(true)
            }
          }
    },
  )
})
