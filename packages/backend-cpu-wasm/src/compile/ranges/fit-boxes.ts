/**
 * The functions that fit boxes, as `fitBoxes` of `@manybody/core/backend` does: `leaf` ends the order of a block and fits its
 * box to its records, and `join` fits the box of a node to the boxes of its two children.
 *
 * Coordinates are those inside a periodic box, rounded to float64. The reach of walks allows for that.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/near'
import type { CoordinateBytes } from '../../design/design.ts'
import { numberAt, recordBytes, spaceNumbers } from '../../design/order-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers, type ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, get, i32, laneAt, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { loadPart, partsOf, swapRecords, whileIn } from './order-records.ts'
import { toNearest } from './walk.ts'

export interface FitOptions {
  readonly dimension: number
  readonly periodic: boolean
  /** Bytes of a coordinate in the records of points. */
  readonly coordinateBytes: CoordinateBytes
  /** Whether walks look up the boxes of blocks by their places. */
  readonly boxesOfBlocks: boolean
  /** Whether walks look up the least index of the points of a node. */
  readonly lowest: boolean
}

/** Halves are rounded up by more than their subtraction may have rounded them down. */
const up = 1 + 2 ** -50
/** Offset of half the edges in a box. */
const halfAt = 24

/** Defines both functions. */
export function defineFits(
  { module }: ModuleWriter,
  options: FitOptions,
): { readonly leaf: Callable; readonly join: Callable } {
  return {
    leaf: module.once('leaf', () => defineLeaf(module, options)),
    join: module.once('joinBoxes', () => defineJoin(module, options)),
  }
}

/** Two coordinates in a register, along `axis` and the next axis, at `offset` in a box. The last of three axes is alone. */
interface Part {
  readonly axis: number
  readonly offset: number
  /** Moves `x` by whole lengths to the image nearest to `origin`. */
  near(x: Node, origin: Node): Node
}

function partsIn(code: FunctionBuilder, space: Node, { dimension, periodic }: FitOptions): readonly Part[] {
  return partsOf(dimension).map((axis) => {
    const offset = 8 * axis
    if (!periodic) return { axis, offset, near: (x) => x }
    const length = code.let('v128', 'length', at('v128.load', spaceNumbers.lengths + offset, space))
    const share = code.let('v128', 'share', at('v128.load', spaceNumbers.shares + offset, space))
    const near = (x: Node, origin: Node) => toNearest('f64x2', op('f64x2.sub', x, origin), { length, share }, x)
    return { axis, offset, near }
  })
}

/** Writes the numbers of a part of some boxes, from its ends. */
function writeBox(code: FunctionBuilder, { offset }: Part, low: Node, high: Node, boxes: readonly Node[]): void {
  const [a, b] = [code.let('v128', 'low', low), code.let('v128', 'high', high)]
  const width = op('f64x2.mul', op('f64x2.sub', b, a), code.constant('f64x2', 0.5))
  const centre = code.let('v128', 'centre', op('f64x2.add', a, width))
  const most = op('f64x2.max', op('f64x2.sub', b, centre), op('f64x2.sub', centre, a))
  const half = code.let('v128', 'half', op('f64x2.mul', most, code.constant('f64x2', up)))
  for (const box of boxes)
    for (const [to, value] of [
      [offset, centre],
      [halfAt + offset, half],
    ] as const)
      code.emit(offset === 0 ? at('v128.store', to, box, value) : laneAt('v128.store64_lane', to, 0, box, value))
}

function defineLeaf(module: ModuleBuilder, options: FitOptions): Callable {
  const { coordinateBytes: bytes, boxesOfBlocks } = options
  const recordSize = recordBytes(bytes)
  const names = ['first', 'last', 'node', 'records', 'nodes', 'blocks', 'order', 'places', 'space']
  return module.define('leaf', Object.fromEntries(names.map((name) => [name, 'i32'])), undefined, (code) => {
    const argument = (name: string) => get(code.argument(name))
    const [first, last, nodes, order, places] = ['first', 'last', 'nodes', 'order', 'places'].map(argument) as [
      Node,
      Node,
      Node,
      Node,
      Node,
    ]
    const node = code.let('i32', 'link', plus(nodes, times(argument('node'), nodeBytes)))
    code.emit(at('i32.store', nodeLinks.first, node, first), at('i32.store', nodeLinks.last, node, last))
    code.emit(at('i32.store', nodeLinks.skip, node, plus(argument('node'), 1)))
    const [from, end] = [first, last].map((n) =>
      code.let('i32', 'at', plus(argument('records'), times(n, recordSize))),
    ) as [Node, Node]

    // There are few records, and most are in order already.
    const numberOf = (record: Node) => at('i32.load', numberAt(bytes), record)
    const before = code.local('i32', 'before')
    code.for('sorted', plus(from, recordSize), end, recordSize, (record) => {
      code.emit(set(before, op('i32.sub', record, i32(recordSize))))
      const next = () => plus(get(before), recordSize)
      whileIn(
        code,
        () => op('i32.and', op('i32.ge_u', get(before), from), op('i32.gt_u', numberOf(get(before)), numberOf(next()))),
        () => {
          swapRecords(code, bytes, get(before), code.let('i32', 'next', next()))
          code.emit(set(before, op('i32.sub', get(before), i32(recordSize))))
        },
      )
    })

    const parts = partsIn(code, argument('space'), options).map((part) => {
      const origin = code.let('v128', 'origin', loadPart(bytes, part.axis, from))
      const [low, high] = [code.local('v128', 'lowest'), code.local('v128', 'highest')]
      code.emit(set(low, origin), set(high, origin))
      return { ...part, origin, low, high }
    })
    if (options.lowest) code.emit(at('i32.store', nodeLinks.lowest, node, op('i32.shr_u', numberOf(from), i32(1))))
    const [place, lost] = [code.local('i32', 'place'), code.local('i32', 'lost')]
    code.emit(set(place, first), set(lost, i32(0)))
    code.for('record', from, end, recordSize, (record) => {
      const numbered = code.let('i32', 'numbered', numberOf(record))
      const number = code.let('i32', 'number', op('i32.shr_u', numbered, i32(1)))
      code.emit(at('i32.store', 0, plus(order, times(get(place), 4)), number))
      code.if(places, () => code.emit(at('i32.store', 0, plus(places, times(number, 4)), get(place))))
      code.emit(set(place, plus(get(place), 1)), set(lost, op('i32.or', get(lost), numbered)))
      for (const { axis, near, origin, low, high } of parts) {
        const x = code.let('v128', 'x', near(code.let('v128', 'x', loadPart(bytes, axis, record)), origin))
        code.emit(set(low, op('f64x2.pmin', get(low), x)), set(high, op('f64x2.pmax', get(high), x)))
      }
    })
    const box = boxesOfBlocks ? [plus(argument('blocks'), times(first, nodeBytes / blockPoints))] : []
    const boxes = [node, ...box.map((address) => code.let('i32', 'box', address))]
    for (const part of parts) {
      // A coordinate that is not finite makes the box NaN. Walks never skip such a box.
      code.if(op('i32.and', get(lost), i32(1)), () => code.emit(set(part.low, code.constant('f64x2', Number.NaN))))
      writeBox(code, part, get(part.low), get(part.high), boxes)
    }
  })
}

function defineJoin(module: ModuleBuilder, options: FitOptions): Callable {
  return module.define('joinBoxes', integers('node', 'nodes', 'space'), undefined, (code, { node, nodes, space }) => {
    const skipped = (of: Node) => plus(nodes, times(at('i32.load', nodeLinks.skip, of), nodeBytes))
    const left = code.let('i32', 'left', plus(node, nodeBytes))
    code.if(op('i32.ne', skipped(node), left), () => {
      const right = code.let('i32', 'right', skipped(left))
      if (options.lowest) {
        const [a, b] = [left, right].map((child) =>
          code.let('i32', 'lowest', at('i32.load', nodeLinks.lowest, child)),
        ) as [Node, Node]
        code.emit(at('i32.store', nodeLinks.lowest, node, op('select', a, b, op('i32.lt_u', a, b))))
      }
      for (const part of partsIn(code, space, options)) {
        const read = (name: string, box: Node, offset: number) =>
          code.let('v128', name, at('v128.load', offset + part.offset, box))
        const [here, other] = [read('here', left, 0), read('other', right, 0)]
        const [halfHere, halfThere] = [read('halfHere', left, halfAt), read('halfThere', right, halfAt)]
        const there = code.let('v128', 'there', part.near(other, here))
        const ends = (name: 'f64x2.min' | 'f64x2.max', by: 'f64x2.sub' | 'f64x2.add') =>
          op(name, op(by, here, halfHere), op(by, there, halfThere))
        writeBox(code, part, ends('f64x2.min', 'f64x2.sub'), ends('f64x2.max', 'f64x2.add'), [node])
      }
    })
  })
}
