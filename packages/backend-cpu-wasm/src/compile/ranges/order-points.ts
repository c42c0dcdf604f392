/**
 * The phases that put the points of a side in order, as `orderPoints` of `@manybody/core/backend` does. The result depends
 * neither on the order before nor on the threads. They start from the order before, because most points are then in their
 * places.
 *
 * `load` makes a record of each point. `cut0`, `cut1` and so on each cut all tasks of a level in two. `sort` cuts the tasks of
 * the last level down to blocks, and fits the boxes of their nodes. `join` fits the boxes of the nodes above.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import { loadPoints, mostLevels, numberAt, recordBytes, spaceNumbers, taskBytes } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { define, value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, i32, laneAt, type Node, op, plus, times } from '../wasm/nodes.ts'
import { defineHalve } from './cut-points.ts'
import { defineFits, type FitOptions } from './fit-boxes.ts'
import { partsOf, storePart } from './order-records.ts'

export interface OrderOptions extends FitOptions {
  /** Whether each coordinate is the sum of two floats. */
  readonly split: boolean
  /** Whether loops look up the places of points. */
  readonly places: boolean
}

/** A task is two places and the node between them. */
const writeTask = (code: FunctionBuilder, task: Node, first: Node, last: Node, node: Node): void => write(code)`
  i32[${task}] = ${first}
  i32[${task} + 4] = ${last}
  i32[${task} + 8] = ${node}`

/** Adds the phases of a side. */
export function defineOrder(writer: ModuleWriter, side: string, options: OrderOptions): void {
  defineLoad(writer, side, options)
  const { module } = writer
  const halve = module.once('halve', () => defineHalve(module, options.dimension, options.coordinateBytes))
  const { leaf, join } = defineFits(writer, options)
  const slot = (name: string) => writer.offset(name)
  const given = (used: boolean, name: string) => (code: FunctionBuilder, block: Node) =>
    used ? writer.slot(code, block, name) : i32(0)
  const [records, nodes, tasks] = [slot(`${side}Records`), slot(`${side}Nodes`), slot(`${side}Tasks`)]
  const places = given(options.places, 'sourcePlaces')
  const blocks = given(options.boxesOfBlocks, `${side}Blocks`)

  const cut = define(module)`
    fn ${`cut.${side}`}(block, first, last, before) {
      let records = i32[block + ${records}]
      let nodes = i32[block + ${nodes}]
      let tasks = i32[block + ${tasks}]
      let places: i32 = ${places}(block)
      let blocks: i32 = ${blocks}(block)
      let order = i32[block + ${slot(`${side}Order`)}]
      let space = i32[block + ${slot('space')}]
      for unit in first..last {
        let number = unit + before
        let task = tasks + number * ${taskBytes}
        let from = i32[task]
        let to = i32[task + 4]
        let node = i32[task + 8]
        let left = tasks + number * ${2 * taskBytes} + ${taskBytes}
        let right = left + ${taskBytes}
        if to - from <= ${blockPoints} {
          // A part is so small here only in a set with points far apart. It needs no further cut.
          if from != to { ${leaf}(from, to, node, records, nodes, blocks, order, places, space) }
          ${writeTask}(left, to, to, node)
          ${writeTask}(right, to, to, node)
        } else {
          let cut: i32 = ${halve}(from, to, node, records, nodes)
          ${writeTask}(left, from, cut, node + 1)
          ${writeTask}(right, cut, to, node + (cut - from) / ${blockPoints / 2})
        }
      }
    }`
  for (let level = 0; level < mostLevels; level++)
    define(module)`
      fn ${`cut${level}.${side}`}(block, scratch, first, last) { ${cut}(block, first, last, ${2 ** level - 1}) }`

  // The tasks of the last level follow the tasks of the levels before.
  define(module)`
    fn ${`sort.${side}`}(block, scratch, first, last) {
      let records = i32[block + ${records}]
      let nodes = i32[block + ${nodes}]
      let places: i32 = ${places}(block)
      let blocks: i32 = ${blocks}(block)
      let order = i32[block + ${slot(`${side}Order`)}]
      let space = i32[block + ${slot('space')}]
      let tasks = i32[block + ${slot(`${side}LastTasks`)}]
      var top: i32
      for unit in first..last {
        let task = tasks + unit * ${taskBytes}
        let start = i32[task]
        let end = i32[task + 4]
        let whole = i32[task + 8]
        if start != end {
          top = scratch + ${taskBytes}
          ${writeTask}(scratch, start, end, whole)
          do {
            top -= ${taskBytes}
            let from = i32[top]
            let to = i32[top + 4]
            let node = i32[top + 8]
            if to - from <= ${blockPoints} {
              ${leaf}(from, to, node, records, nodes, blocks, order, places, space)
            } else {
              let cut: i32 = ${halve}(from, to, node, records, nodes)
              ${writeTask}(top, cut, to, node + (cut - from) / ${blockPoints / 2})
              top += ${taskBytes}
              ${writeTask}(top, from, cut, node + 1)
              top += ${taskBytes}
            }
          } while top != scratch
          // Nodes are stored depth first, so this backward loop fits children before their parents.
          let root = nodes + whole * ${nodeBytes}
          var fitted = nodes + i32[root + ${nodeLinks.skip}] * ${nodeBytes}
          do {
            fitted -= ${nodeBytes}
            ${join}(fitted, nodes, space)
          } while fitted != root
        }
      }
    }`

  define(module)`
    fn ${`join.${side}`}(block, scratch, first, last) {
      let nodes = i32[block + ${nodes}]
      let tasks = i32[block + ${tasks}]
      let space = i32[block + ${slot('space')}]
      var task = i32[block + ${slot(`${side}LastTasks`)}]
      do {
        task -= ${taskBytes}
        let node = nodes + i32[task + 8] * ${nodeBytes}
        if i32[task] != i32[task + 4] { ${join}(node, nodes, space) }
      } while task != tasks
    }`
}

/** The image of a coordinate inside the periodic box. */
const imageInside = (code: FunctionBuilder, x: Node, length: Node, share: Node): Node => value(code)`
  const x = ${x} as f64x2
  x - ${length} * floor(x * ${share})`
const itself = (_: FunctionBuilder, x: Node): Node => x

/** The phase `load`. Its units are parts of the points in the order before. */
function defineLoad(writer: ModuleWriter, side: string, options: OrderOptions): void {
  const { dimension, periodic, split, coordinateBytes } = options
  const { bytes } = writer.vector
  const slot = (name: string) => writer.offset(name)
  const lows = ['X', 'Y', 'Z'].slice(0, split ? dimension : 0).map((axis) => slot(`${side}.positionLow${axis}`))
  const lowBytes = bytes === 8 ? 'v128.load64_lane' : 'v128.load32_lane'
  const [two, one] =
    bytes === 8 ? (['v128.load', 'v128.load64_zero'] as const) : (['v128.load64_zero', 'v128.load32_zero'] as const)
  const promoted = (x: Node) => (bytes === 8 ? x : op('f64x2.promote_low_f32x4', x))
  /** The coordinates of an axis and the next one, as float64: 0 for an axis that the points lack. */
  const read = (_: FunctionBuilder, axis: number, from: Node, point: Node, lows: readonly Node[]): Node => {
    const high = promoted(at(axis + 1 < dimension ? two : one, axis * bytes, from))
    const [a, b] = lows.slice(axis).map((low) => plus(low, times(point, bytes)))
    if (!a) return high
    const low = at(one, 0, a)
    return op('f64x2.add', high, promoted(b ? laneAt(lowBytes, 0, 1, b, low) : low))
  }
  const inside = periodic ? imageInside : itself
  const store = (_: FunctionBuilder, axis: number, to: Node, part: Node) => storePart(coordinateBytes, axis, to, part)
  define(writer.module)`
    fn ${`load.${side}`}(block, scratch, first, last) {
      const axes = ${partsOf(dimension)}
      const lows = ${lows}
      let records = i32[block + ${slot(`${side}Records`)}]
      let order = i32[block + ${slot(`${side}Order`)}]
      let largest = i32[block + ${slot(`${side}Most`)}]
      let position = i32[block + ${slot(`${side}.position`)}]
      let count = i32[block + ${slot(`${side}Count`)}]
      let space = i32[block + ${slot('space')}]
      unroll axis of 0..${lows.length} { let low[axis] = i32[block + lows[axis]] }
      unroll axis of axes {
        if ${periodic} {
          let length[axis] = v128[space + ${spaceNumbers.lengths} + 8 * axis] as f64x2
          let share[axis] = v128[space + ${spaceNumbers.shares} + 8 * axis] as f64x2
        }
        var most[axis]: f64x2
      }
      var finite: v128
      for unit in first..last {
        let start = unit * ${loadPoints}
        unroll axis of axes { most[axis] = 0 }
        for place in start..min(start + ${loadPoints}, count) {
          let point = i32[order + place * 4]
          let from = position + point * ${dimension * bytes}
          let to = records + place * ${recordBytes(coordinateBytes)}
          unroll axis of axes {
            let given: f64x2 = ${read}(axis, from, point, low)
            let x: f64x2 = ${inside}(given, length[axis], share[axis])
            let exists = x * 0 == f64x2(0)
            if axis == 0 { finite = exists } else { finite &= exists }
            most[axis] = pmax(most[axis], abs(given) & exists)
            // A coordinate that is not finite has no right place, so any place will do.
            ${store}(axis, to, x & exists)
          }
          let lost = i64x2.bitmask(finite) != 3
          i32[to + ${numberAt(coordinateBytes)}] = point << 1 | lost
        }
        f64[largest + unit * 8] = max(axis of axes: max(lane(most[axis], 0), lane(most[axis], 1)))
      }
    }`
}
