/**
 * The function that cuts records in two, as `orderPoints` of `@manybody/core/backend` does: at the middle of the longest side
 * of the box around them, and then at the nearest whole block. The coordinates and numbers of records alone decide which part
 * they go to, not their order before.
 *
 * @module
 */
import { blockPoints, leastShare, nodeBytes, nodeLinks } from '@manybody/core/near'
import type { CoordinateBytes } from '../../design/design.ts'
import { numberAt, recordBytes } from '../../design/order-layout.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers, type ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { loadCoordinate, swapRecords } from './order-records.ts'

/** The function that cuts places in two, and links their node. It returns the first place of the second part. */
export function defineHalve(module: ModuleBuilder, dimension: number, bytes: CoordinateBytes): Callable {
  const select = defineSelect(module, bytes)
  const recordSize = recordBytes(bytes)
  const parameters = integers('first', 'last', 'node', 'records', 'nodes')
  return module.define('halve', parameters, 'i32', (code, { first, last, node, records, nodes }) => {
    const count = code.let('i32', 'count', op('i32.sub', last, first))
    const blocks = code.let('i32', 'blocks', op('i32.div_u', plus(count, blockPoints - 1), i32(blockPoints)))
    const link = code.let('i32', 'link', plus(nodes, times(node, nodeBytes)))
    code.emit(at('i32.store', nodeLinks.first, link, first), at('i32.store', nodeLinks.last, link, last))
    code.emit(at('i32.store', nodeLinks.skip, link, plus(node, op('i32.sub', times(blocks, 2), i32(1)))))
    const [from, end] = [first, last].map((n) => code.let('i32', 'at', plus(records, times(n, recordSize)))) as [
      Node,
      Node,
    ]
    const { offset, middle } = longest(code, { dimension, bytes }, from, end, count)

    const below = putFirst(code, bytes, offset, from, end, (x) => op('f64.lt', x, middle))

    const share = code.let('i32', 'share', op('i32.div_u', blocks, i32(1 / leastShare)))
    const fewest = code.let('i32', 'fewest', op('select', share, i32(1), op('i32.ne', share, i32(0))))
    const blockBytes = blockPoints * recordSize
    const nearest = code.let(
      'i32',
      'near',
      op('i32.div_u', plus(op('i32.sub', below, from), blockBytes / 2), i32(blockBytes)),
    )
    const mostBlocks = code.let('i32', 'mostBlocks', op('i32.sub', blocks, fewest))
    const smaller = (a: Node, b: Node) => code.let('i32', 'less', op('select', a, b, op('i32.lt_u', a, b)))
    const larger = (a: Node, b: Node) => code.let('i32', 'more', op('select', a, b, op('i32.gt_u', a, b)))
    const left = larger(fewest, smaller(mostBlocks, nearest))
    const cut = code.let('i32', 'cut', plus(from, times(left, blockBytes)))
    code.if(op('i32.ne', cut, below), () => {
      const isAfter = op('i32.gt_u', cut, below)
      const low = code.let('i32', 'low', op('select', below, from, isAfter))
      code.emit(call(select, low, op('select', end, below, isAfter), cut, offset))
    })
    code.return(plus(first, times(left, blockPoints)))
  })
}

/**
 * Moves the records before a cut to the front, and returns where the others start. No branch depends on a coordinate, because
 * no processor can predict the side of a record.
 */
function putFirst(
  code: FunctionBuilder,
  bytes: CoordinateBytes,
  offset: Node,
  from: Node,
  end: Node,
  isBefore: (x: Node, record: Node) => Node,
): Node {
  const second = code.local('i32', 'second')
  code.emit(set(second, from))
  code.for('record', from, end, recordBytes(bytes), (record) => {
    const x = code.let('f64', 'x', loadCoordinate(bytes, plus(record, offset)))
    const before = code.let('i32', 'before', isBefore(x, record))
    swapRecords(code, bytes, get(second), record)
    code.emit(set(second, plus(get(second), times(before, recordBytes(bytes)))))
  })
  return get(second)
}

/** The longest side of the box around records: the offset of its coordinate, and its middle. */
function longest(
  code: FunctionBuilder,
  { dimension, bytes }: { readonly dimension: number; readonly bytes: CoordinateBytes },
  from: Node,
  end: Node,
  count: Node,
): { readonly offset: Node; readonly middle: Node } {
  const recordSize = recordBytes(bytes)
  // One register holds all coordinates if they are float32, and two coordinates otherwise.
  const v = bytes === 4 ? 'f32x4' : 'f64x2'
  const lanes = 16 / bytes
  // The two halves of the records have extremes of their own, so that two chains of comparisons run side by side.
  const half = code.let('i32', 'half', times(op('i32.shr_u', plus(count, 1), i32(1)), recordSize))
  const apart = code.let('i32', 'apart', op('i32.sub', op('i32.sub', end, from), half))
  const ends = Array.from({ length: Math.ceil(dimension / lanes) }, (_, n) => {
    const extreme = (name: string) => {
      const local = code.local('v128', name)
      code.emit(set(local, at('v128.load', 16 * n, from)))
      return local
    }
    return {
      part: 16 * n,
      lanes: Math.min(lanes, dimension - lanes * n),
      low: [extreme('low'), extreme('low')],
      high: [extreme('high'), extreme('high')],
    } as const
  })
  const middle = code.let('i32', 'middle', plus(from, half))
  code.for('record', from, middle, recordSize, (record) => {
    const other = code.let('i32', 'other', plus(record, apart))
    for (const { part, low, high } of ends)
      for (const [n, address] of [record, other].entries()) {
        const x = code.let('v128', 'x', at('v128.load', part, address))
        const [a, b] = [low[n], high[n]] as [(typeof low)[0], (typeof high)[0]]
        code.emit(set(a, op(`${v}.pmin`, get(a), x)), set(b, op(`${v}.pmax`, get(b), x)))
      }
  })
  const [best, least, offset] = [code.local('f64', 'longest'), code.local('f64', 'least'), code.local('i32', 'offset')]
  code.emit(set(best, { kind: 'constant', type: 'f64', value: -1 }))
  for (const { part, lanes, low, high } of ends) {
    const lows = code.let('v128', 'low', op(`${v}.pmin`, get(low[0]), get(low[1])))
    const highs = code.let('v128', 'high', op(`${v}.pmax`, get(high[0]), get(high[1])))
    for (let lane = 0; lane < lanes; lane++) {
      const [a, b] = [lows, highs].map((register) => {
        const end = laned(`${v}.extract_lane`, [lane], register)
        return code.let('f64', 'end', bytes === 4 ? op('f64.promote_f32', end) : end)
      }) as [Node, Node]
      const length = code.let('f64', 'length', op('f64.sub', b, a))
      code.if(op('f64.gt', length, get(best)), () =>
        code.emit(set(best, length), set(least, a), set(offset, i32(part + bytes * lane))),
      )
    }
  }
  const halfOf = op('f64.mul', get(best), { kind: 'constant', type: 'f64', value: 0.5 })
  return { offset: get(offset), middle: code.let('f64', 'middle', op('f64.add', get(least), halfOf)) }
}

/**
 * The function that orders records so that none before `place` belongs after one behind it, by Hoare's selection. Numbers
 * decide between equal coordinates.
 */
function defineSelect(module: ModuleBuilder, bytes: CoordinateBytes): Callable {
  const recordSize = recordBytes(bytes)
  const parameters = integers('low', 'end', 'place', 'offset')
  return module.define('selectPlace', parameters, undefined, (code, { place, offset }) => {
    const [from, to] = [code.argument('low'), code.argument('end')]
    const numberOf = (record: Node) => at('i32.load', numberAt(bytes), record)
    code.repeat(() => {
      const records = op('i32.div_u', op('i32.sub', get(to), get(from)), i32(2 * recordSize))
      swapRecords(code, bytes, get(from), code.let('i32', 'middle', plus(get(from), times(records, recordSize))))
      const x = code.let('f64', 'x', loadCoordinate(bytes, plus(get(from), offset)))
      const number = code.let('i32', 'number', numberOf(get(from)))
      const after = putFirst(code, bytes, offset, plus(get(from), recordSize), get(to), (other, record) => {
        const lower = op('i32.and', op('f64.eq', other, x), op('i32.lt_u', numberOf(record), number))
        return op('i32.or', op('f64.lt', other, x), lower)
      })
      const found = code.let('i32', 'found', op('i32.sub', after, i32(recordSize)))
      swapRecords(code, bytes, get(from), found)
      code.if(
        op('i32.lt_u', found, place),
        () => code.emit(set(from, after)),
        () => code.emit(set(to, found)),
      )
      return op('i32.ne', found, place)
    })
  })
}
