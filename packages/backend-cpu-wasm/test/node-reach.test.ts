// The distances of nodes from the module against those from core: the same to the last bit of float32, whatever the points, the
// weights and the sequence of the threads' parts.

import { describe, expect, it } from 'vitest'
import {
  type BlockTree,
  blockTree,
  boxStride,
  firstAt,
  lastAt,
  linkStride,
  skipAt,
  treeBytes,
} from '../../core/src/methods/ranges/block-tree.ts'
import { fitBoxes } from '../../core/src/methods/ranges/boxes.ts'
import { orderPoints } from '../../core/src/methods/ranges/order.ts'
import { type NodeWeights, nodeFields, nodeReaches, unitOf } from '../../core/src/methods/tolerance/fields.ts'
import { weightsOfNodes } from '../../core/src/methods/tolerance/proxies.ts'
import { byPlace } from '../../core/src/methods/tolerance/weighted-points.ts'
import { ModuleWriter } from '../src/compile/expressions/module-writer.ts'
import { defineReach } from '../src/compile/proxies/node-reach.ts'
import { vectorOf } from '../src/compile/wasm/vector.ts'
import { cutLevels, taskBytes } from '../src/design/order-layout.ts'
import { openingBytes, openingNumbers, schemeBytes, schemeNumbers } from '../src/design/proxy-layout.ts'
import { spread } from './support/points.ts'

const opening = 0.55

interface Case {
  readonly dimension: number
  readonly sameSet: boolean
  readonly grid: boolean
}

/** The tasks that put points in order, level by level: the first place, the place after the last, and the node. */
function tasksOf({ links }: BlockTree, levels: number): readonly (readonly [number, number, number])[] {
  const task = (node: number) =>
    [links[node * linkStride + firstAt] as number, links[node * linkStride + lastAt] as number, node] as const
  const tasks = [task(0)]
  for (let number = 0; number < 2 ** levels - 1; number++) {
    const [, last, node] = tasks[number] as readonly [number, number, number]
    const leaf = links[node * linkStride + skipAt] === node + 1
    const children = [node + 1, links[(node + 1) * linkStride + skipAt] as number]
    tasks.push(...children.map((child) => (leaf ? ([last, last, node] as const) : task(child))))
  }
  return tasks
}

/** The reaches, the fields and the unit that the module writes, from nodes that have been weighed. */
function reachIn(tree: BlockTree, points: number, { share, others, centre }: NodeWeights, given: Case) {
  const { dimension, sameSet, grid } = given
  const writer = new ModuleWriter({ vector: vectorOf('f64'), shared: false, fused: false, tile: 256 })
  defineReach({ writer, dimension, sameSet }, 'source')
  const nodes = tree.boxes.length / boxStride
  const levels = cutLevels(points)
  const tasks = tasksOf(tree, levels)
  const sizes = {
    block: 8 * 64,
    nodes: treeBytes(points).nodes,
    openings: nodes * openingBytes,
    scheme: schemeBytes,
    around: 8 * nodes,
    sourceTasks: tasks.length * taskBytes,
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
  const view = new DataView(memory.buffer)
  const entries: Readonly<Record<string, number>> = {
    ...at,
    sourceLastTasks: at.sourceTasks + (2 ** levels - 1) * taskBytes,
    gridBytes: grid ? 40 : 0,
  }
  for (const [name, offset] of writer.block) view.setUint32(at.block + offset, entries[name] as number, true)
  new Uint8Array(memory.buffer).set(new Uint8Array(tree.boxes.buffer, tree.boxes.byteOffset, sizes.nodes), at.nodes)
  const fieldAt = (node: number) => at.nodes + node * openingBytes + 60
  for (let node = 0; node < nodes; node++) {
    const own = at.openings + node * openingBytes
    for (let axis = 0; axis < dimension; axis++)
      view.setFloat64(own + axis * openingNumbers.axis + 8, centre[node * dimension + axis] as number, true)
    view.setFloat64(own + openingNumbers.reach, share[node] as number, true)
    const skip = (tree.links[node * linkStride + skipAt] as number) - node
    view.setUint32(own + openingNumbers.skip, skip * openingBytes, true)
    view.setFloat32(fieldAt(node), others[node] as number, true)
  }
  for (const [number, task] of tasks.entries())
    new Uint32Array(memory.buffer, at.sourceTasks + number * taskBytes, 3).set(task)
  view.setFloat64(at.scheme + schemeNumbers.nearness, 1 / (opening * opening), true)
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(writer.module.encode()), { env: { memory } })
  const { reachTop, reach } = exports as Record<string, (...numbers: number[]) => void>
  reachTop?.(at.block, 0, 0, 1)
  // Backwards, by turns.
  for (let unit = 2 ** levels - 1; unit >= 0; unit--) reach?.(at.block, 0, unit, unit + 1)
  const floats = (offset: number) =>
    Float32Array.from({ length: nodes }, (_, node) => view.getFloat32(offset + node * openingBytes, true))
  return {
    far2: floats(at.openings + openingNumbers.reach),
    near2: floats(at.openings + openingNumbers.reach + 4),
    fields: floats(at.nodes + 60),
    scale: view.getFloat64(at.scheme + schemeNumbers.scale, true),
  }
}

const weightSets: Readonly<Record<string, (count: number) => Float64Array>> = {
  'even weights': (count) => Float64Array.from(spread(count, 7, 0.5, 2)),
  'both signs': (count) => Float64Array.from(spread(count, 8, -1, 1)),
  'one heavy point': (count) => Float64Array.from({ length: count }, (_, n) => (n === 5 ? 1e20 : 1)),
  'no weight': (count) => new Float64Array(count),
}

const pointSets: Readonly<Record<string, (length: number) => Float64Array>> = {
  'in a cube': (length) => Float64Array.from(spread(length, 1)),
  'in clusters within clusters': (length) => Float64Array.from(spread(length, 2), (x, n) => x * 2 ** -((n >> 4) % 40)),
  coincident: (length) => new Float64Array(length).fill(0.3),
  'not finite': (length) =>
    Float64Array.from(spread(length, 5), (x, n) => [Number.NaN, Number.POSITIVE_INFINITY][n % 997] ?? x),
}

describe.each(Object.entries(pointSets))('points %s', (_, makePoints) => {
  it.each(Object.entries(weightSets))('with %s have the reaches and the fields of core', (_, makeWeights) => {
    for (const dimension of [3, 2])
      for (const count of [1, 9, 500, 9000]) {
        const position = makePoints(count * dimension)
        const tree = blockTree(count)
        orderPoints({ position, dimension, lengths: [] }, tree)
        fitBoxes({ position, dimension, lengths: [] }, tree)
        const exact = weightsOfNodes(tree, byPlace(tree.order, position, [makeWeights(count)], dimension), dimension)
        // The module keeps them in float32.
        const weights = { ...exact, others: new Float32Array(exact.others) }
        for (const [sameSet, grid] of [
          [true, false],
          [true, true],
          [false, false],
        ] as const) {
          const found = reachIn(tree, count, weights, { dimension, sameSet, grid })
          const known = sameSet && !grid ? weights : undefined
          const { far2, near2 } = nodeReaches(tree, dimension, opening, known)
          const fields = known ? nodeFields(tree, dimension, known) : new Float64Array(far2.length).fill(1)
          expect(found.far2).toEqual(new Float32Array(far2))
          expect(found.near2).toEqual(new Float32Array(near2))
          expect(found.fields).toEqual(new Float32Array(fields))
          expect(found.scale).toBe(1 / unitOf(tree, dimension))
        }
      }
  })
})
