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
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/near'
import { loadPoints, mostLevels, numberAt, recordBytes, spaceNumbers, taskBytes } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, laneAt, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineHalve } from './cut-points.ts'
import { defineFits, type FitOptions } from './fit-boxes.ts'
import { partsOf, storePart } from './order-records.ts'

export interface OrderOptions extends FitOptions {
  /** Whether each coordinate is the sum of two floats. */
  readonly split: boolean
  /** Whether loops look up the places of points. */
  readonly places: boolean
}

/** Adds the phases of a side. */
export function defineOrder(writer: ModuleWriter, side: string, options: OrderOptions): void {
  defineLoad(writer, side, options)
  const { module } = writer
  const halve = module.once('halve', () => defineHalve(module, options.dimension, options.coordinateBytes))
  const { leaf, join } = defineFits(writer, options)

  const memory = (code: FunctionBuilder, block: Node) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [records, nodes, tasks] = [slot(`${side}Records`), slot(`${side}Nodes`), slot(`${side}Tasks`)]
    const places = options.places ? slot('sourcePlaces') : i32(0)
    const blocks = options.boxesOfBlocks ? slot(`${side}Blocks`) : i32(0)
    const rest = [records, nodes, blocks, slot(`${side}Order`), places, slot('space')]
    return {
      tasks,
      /** The tasks of the last level follow the tasks of the levels before. */
      lastTasks: () => slot(`${side}LastTasks`),
      nodes,
      space: slot('space'),
      leaf: (first: Node, last: Node, node: Node) => code.emit(call(leaf, first, last, node, ...rest)),
      halve: (first: Node, last: Node, node: Node) =>
        code.let('i32', 'cut', call(halve, first, last, node, records, nodes)),
    }
  }
  const read = (code: FunctionBuilder, task: Node) => ({
    first: code.let('i32', 'from', at('i32.load', 0, task)),
    last: code.let('i32', 'to', at('i32.load', 4, task)),
    node: code.let('i32', 'node', at('i32.load', 8, task)),
  })
  const write = (code: FunctionBuilder, task: Node, first: Node, last: Node, node: Node) =>
    code.emit(at('i32.store', 0, task, first), at('i32.store', 4, task, last), at('i32.store', 8, task, node))
  /** Whether places are one block. */
  const single = (first: Node, last: Node) => op('i32.le_u', op('i32.sub', last, first), i32(blockPoints))
  /** The node of the second part, if the first part ends at a place. */
  const second = (node: Node, first: Node, cut: Node) =>
    plus(node, op('i32.div_u', op('i32.sub', cut, first), i32(blockPoints / 2)))

  const cut = writer.module.define(
    `cut.${side}`,
    integers('block', 'first', 'last', 'before'),
    undefined,
    (code, { block, first, last, before }) => {
      const { tasks, leaf, halve } = memory(code, block)
      code.for('unit', first, last, 1, (unit) => {
        const number = code.let('i32', 'number', plus(unit, before))
        const task = code.let('i32', 'task', plus(tasks, times(number, taskBytes)))
        const { first, last, node } = read(code, task)
        const left = code.let('i32', 'left', plus(plus(tasks, times(number, 2 * taskBytes)), taskBytes))
        const right = code.let('i32', 'right', plus(left, taskBytes))
        code.if(
          single(first, last),
          () => {
            // A part is so small here only in a set with points far apart. It needs no further cut.
            code.if(op('i32.ne', first, last), () => leaf(first, last, node))
            for (const child of [left, right]) write(code, child, last, last, node)
          },
          () => {
            const cut = halve(first, last, node)
            write(code, left, first, cut, plus(node, 1))
            write(code, right, cut, last, second(node, first, cut))
          },
        )
      })
    },
  )
  for (let level = 0; level < mostLevels; level++)
    writer.phase(`cut${level}.${side}`, (code, { block, first, last }) =>
      code.emit(call(cut, block, first, last, i32(2 ** level - 1))),
    )

  writer.phase(`sort.${side}`, (code, { block, scratch, first, last }) => {
    const { lastTasks, nodes, space, leaf, halve } = memory(code, block)
    const tasks = lastTasks()
    const stack = code.let('i32', 'stack', scratch)
    const top = code.local('i32', 'top')
    const push = (first: Node, last: Node, node: Node) => {
      write(code, get(top), first, last, node)
      code.emit(set(top, plus(get(top), taskBytes)))
    }
    code.for('unit', first, last, 1, (unit) => {
      const task = read(code, plus(tasks, times(unit, taskBytes)))
      code.if(op('i32.ne', task.first, task.last), () => {
        code.emit(set(top, stack))
        push(task.first, task.last, task.node)
        code.repeat(() => {
          code.emit(set(top, op('i32.sub', get(top), i32(taskBytes))))
          const { first, last, node } = read(code, get(top))
          code.if(
            single(first, last),
            () => leaf(first, last, node),
            () => {
              const cut = halve(first, last, node)
              push(cut, last, second(node, first, cut))
              push(first, cut, plus(node, 1))
            },
          )
          return op('i32.ne', get(top), stack)
        })
        // Nodes are stored depth first, so this backward loop fits children before their parents.
        const root = code.let('i32', 'root', plus(nodes, times(task.node, nodeBytes)))
        const fitted = code.local('i32', 'fitted')
        const end = plus(nodes, times(at('i32.load', nodeLinks.skip, root), nodeBytes))
        code.emit(set(fitted, end))
        code.repeat(() => {
          code.emit(set(fitted, op('i32.sub', get(fitted), i32(nodeBytes))), call(join, get(fitted), nodes, space))
          return op('i32.ne', get(fitted), root)
        })
      })
    })
  })

  writer.phase(`join.${side}`, (code, { block }) => {
    const { tasks, lastTasks, nodes, space } = memory(code, block)
    const task = code.local('i32', 'task')
    code.emit(set(task, lastTasks()))
    code.repeat(() => {
      code.emit(set(task, op('i32.sub', get(task), i32(taskBytes))))
      const { first, last, node } = read(code, get(task))
      code.if(op('i32.ne', first, last), () => code.emit(call(join, plus(nodes, times(node, nodeBytes)), nodes, space)))
      return op('i32.ne', get(task), tasks)
    })
  })
}

/** The phase `load`. Its units are parts of the points in the order before. */
function defineLoad(writer: ModuleWriter, side: string, options: OrderOptions): void {
  const { dimension, periodic, split, coordinateBytes } = options
  const { bytes } = writer.vector
  writer.phase(`load.${side}`, (code, { block, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [records, order, largest] = [slot(`${side}Records`), slot(`${side}Order`), slot(`${side}Most`)]
    const [position, count, space] = [slot(`${side}.position`), slot(`${side}Count`), slot('space')]
    const lows = ['X', 'Y', 'Z'].slice(0, split ? dimension : 0).map((axis) => slot(`${side}.positionLow${axis}`))
    const promoted = (x: Node) => (bytes === 8 ? x : op('f64x2.promote_low_f32x4', x))
    const one = (offset: number, address: Node) => at(`v128.load${bytes === 8 ? 64 : 32}_zero`, offset, address)
    const zero = code.constant('f64x2', 0)
    const parts = partsOf(dimension).map((axis, n) => {
      const offset = 8 * axis
      /** The coordinates of this part, as float64. */
      const read = (point: Node, from: Node): Node => {
        const whole = bytes === 8 ? at('v128.load', 0, from) : promoted(at('v128.load64_zero', 0, from))
        const high = n === 0 ? whole : promoted(one(2 * bytes, from))
        const [a, b] = lows.slice(2 * n).map((low) => plus(low, times(point, bytes)))
        if (!a) return high
        const low = b ? laneAt(`v128.load${bytes === 8 ? 64 : 32}_lane`, 0, 1, b, one(0, a)) : one(0, a)
        return op('f64x2.add', high, promoted(low))
      }
      const ofSpace = (name: 'lengths' | 'shares') =>
        code.let('v128', name, at(n === 0 ? 'v128.load' : 'v128.load64_zero', spaceNumbers[name] + offset, space))
      const around = periodic ? { length: ofSpace('lengths'), share: ofSpace('shares') } : undefined
      const inside = (x: Node) => {
        if (!around) return x
        const images = op('f64x2.floor', op('f64x2.mul', x, around.share))
        return op('f64x2.sub', x, op('f64x2.mul', around.length, images))
      }
      return { axis, read, inside, most: code.local('v128', 'most') }
    })
    const finite = code.local('v128', 'finite')
    code.for('unit', first, last, 1, (unit) => {
      const from = code.let('i32', 'from', times(unit, loadPoints))
      const all = plus(from, loadPoints)
      code.emit(...parts.map(({ most }) => set(most, zero)))
      code.for('place', from, op('select', all, count, op('i32.lt_u', all, count)), 1, (place) => {
        const point = code.let('i32', 'point', at('i32.load', 0, plus(order, times(place, 4))))
        const from = code.let('i32', 'at', plus(position, times(point, dimension * bytes)))
        const to = code.let('i32', 'record', plus(records, times(place, recordBytes(coordinateBytes))))
        for (const [n, { axis, read, inside, most }] of parts.entries()) {
          const x = code.let('v128', 'x', read(point, from))
          const within = code.let('v128', 'inside', inside(x))
          const exists = code.let('v128', 'exists', op('f64x2.eq', op('f64x2.mul', within, zero), zero))
          code.emit(set(finite, n === 0 ? exists : op('v128.and', get(finite), exists)))
          code.emit(set(most, op('f64x2.pmax', get(most), op('v128.and', op('f64x2.abs', x), exists))))
          // A coordinate that is not finite has no right place, so any place will do.
          code.emit(storePart(coordinateBytes, axis, to, op('v128.and', within, exists)))
        }
        const lost = op('i32.ne', op('i64x2.bitmask', get(finite)), i32(3))
        code.emit(at('i32.store', numberAt(coordinateBytes), to, op('i32.or', op('i32.shl', point, i32(1)), lost)))
      })
      const ends = parts.flatMap(({ most }) => [0, 1].map((lane) => laned('f64x2.extract_lane', [lane], get(most))))
      code.emit(
        at(
          'f64.store',
          0,
          plus(largest, times(unit, 8)),
          ends.reduce((a, b) => op('f64.max', a, b)),
        ),
      )
    })
  })
}
