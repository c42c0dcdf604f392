/**
 * Phases over points: the grid row of each point, the order of rows, and the records of points in that order.
 *
 * @module
 */
import { type GridForm, recordLayout, unitPoints } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'

type Axis = 'X' | 'Y' | 'Z'

/** Adds the phases `locate`, `sort` and `window`. */
export function pointPhases(m: ModuleWriter, form: GridForm): void {
  m.phase('locate', (code, args) => {
    const { block } = args
    const [keys, positions] = ['keys', 'points'].map((name) => m.slot(code, block, name)) as [Node, Node]
    const rows = m.slot(code, block, 'sizeY')
    overPoints(m, code, args, (n) => {
      const point = code.let('i32', 'point', plus(positions, times(n, 24)))
      const place = (axis: Axis) => firstOf(m, code, block, axis, placeOf(m, code, block, axis, point), form.width)
      const [x, y] = [place('X'), place('Y')]
      code.emit(at('i32.store', 0, plus(keys, times(n, 4)), plus(op('i32.mul', x.wrapped, rows), y.wrapped)))
    })
  })
  m.phase('sort', (code, { block }) => sort(m, code, block))
  m.phase('window', (code, args) => {
    const { block } = args
    const [order, positions, records] = ['order', 'points', 'records'].map((name) => m.slot(code, block, name)) as [
      Node,
      Node,
      Node,
    ]
    const layout = recordLayout(form)
    overPoints(m, code, args, (n) => {
      const number = code.let('i32', 'number', at('i32.load', 0, plus(order, times(n, 4))))
      const point = code.let('i32', 'point', plus(positions, times(number, 24)))
      const record = code.let('i32', 'record', plus(records, times(n, layout.bytes)))
      for (const [index, axis] of (['X', 'Y', 'Z'] as const).entries()) {
        const { wrapped, place } = window(m, code, block, axis, point, form)
        writeWindow(m, code, block, place, record, index * layout.axis, form)
        const first = axis === 'Z' ? times(wrapped, m.vector.bytes) : wrapped
        code.emit(at('i32.store', layout.places + 4 * index, record, first))
      }
      code.emit(at('i32.store', layout.places + 12, record, number))
    })
  })
}

/** A loop over the points of some units. */
export function overPoints(
  m: ModuleWriter,
  code: FunctionBuilder,
  { block, first, last }: PhaseArguments,
  write: (n: Node) => void,
): void {
  const count = m.slot(code, block, 'count')
  const end = code.let('i32', 'last', times(last, unitPoints))
  const most = code.let('i32', 'most', op('select', end, count, op('i32.lt_u', end, count)))
  code.for('n', times(first, unitPoints), most, 1, write)
}

/** The place of a coordinate in grid points, for points outside the box by any distance. */
function placeOf(m: ModuleWriter, code: FunctionBuilder, block: Node, axis: Axis, point: Node): Node {
  const number = (name: string) => at('f64.load', m.offset(`${name}${axis}`), block)
  const offset = { X: 0, Y: 8, Z: 16 }[axis]
  const share = code.let('f64', 'share', op('f64.div', at('f64.load', offset, point), number('length')))
  const within = op('f64.sub', share, op('f64.floor', share))
  return code.let('f64', 'place', op('f64.mul', within, number('places')))
}

interface First {
  /** The first grid point of the window, as a float64 that may be negative. */
  readonly first: Node
  /** The same within the grid. */
  readonly wrapped: Node
}

function firstOf(m: ModuleWriter, code: FunctionBuilder, block: Node, axis: Axis, place: Node, width: number): First {
  const size = at('i32.load', m.offset(`size${axis}`), block)
  const first = code.let('f64', 'first', op('f64.ceil', op('f64.sub', place, float64(width / 2))))
  const whole = code.let('i32', 'whole', op('i32.trunc_sat_f64_s', first))
  const least = code.let('i32', 'least', op('select', plus(whole, size), whole, op('i32.lt_s', whole, i32(0))))
  const wrapped = op('select', op('i32.sub', least, size), least, op('i32.ge_s', least, size))
  return { first, wrapped: code.let('i32', 'wrapped', wrapped) }
}

function window(
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  axis: Axis,
  point: Node,
  { width }: GridForm,
): { readonly wrapped: Node; readonly place: Node } {
  const place = placeOf(m, code, block, axis, point)
  const { first, wrapped } = firstOf(m, code, block, axis, place, width)
  // Within each piece, from -1 to 1.
  const within = op('f64.add', op('f64.sub', first, place), float64(width / 2))
  const x = op('f64.sub', op('f64.mul', within, float64(2)), float64(1))
  const splat = m.vector.bytes === 8 ? op('f64x2.splat', x) : op('f32x4.splat', op('f32.demote_f64', x))
  return { wrapped, place: code.let('v128', 'x', splat) }
}

/** Evaluates the polynomials of the pieces, a register of pieces at a time. */
function writeWindow(
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  x: Node,
  record: Node,
  offset: number,
  form: GridForm,
): void {
  const { axis } = recordLayout(form)
  const pieces = m.slot(code, block, 'pieces')
  for (let register = 0; register < axis; register += 16) {
    const power = (n: number) => at('v128.load', n * axis + register, pieces)
    const value = code.local('v128', 'value')
    code.emit(set(value, power(form.degree)))
    for (let n = form.degree - 1; n >= 0; n--)
      code.emit(set(value, m.vector.op('add', m.vector.op('mul', get(value), x), power(n))))
    code.emit(at('v128.store', offset + register, record, get(value)))
  }
}

/** Points in the order of their rows. Afterwards, `starts` has at `row` the first place behind the row; the entry before row 0 is 0. */
function sort(m: ModuleWriter, code: FunctionBuilder, block: Node): void {
  const [keys, starts, order] = ['keys', 'starts', 'order'].map((name) => m.slot(code, block, name)) as [
    Node,
    Node,
    Node,
  ]
  const count = m.slot(code, block, 'count')
  const rows = code.let('i32', 'rows', op('i32.mul', m.slot(code, block, 'sizeX'), m.slot(code, block, 'sizeY')))
  const bytes = times(plus(rows, 1), 4)
  code.emit(op('memory.fill', plus(starts, -4), i32(0), bytes))
  const rowOf = (n: Node) => plus(starts, times(at('i32.load', 0, plus(keys, times(n, 4))), 4))
  code.for('n', i32(0), count, 1, (n) => {
    const row = code.let('i32', 'row', rowOf(n))
    code.emit(at('i32.store', 0, row, plus(at('i32.load', 0, row), 1)))
  })
  const total = code.local('i32', 'total')
  code.for('row', i32(0), rows, 1, (row) => {
    const place = code.let('i32', 'place', plus(starts, times(row, 4)))
    const points = code.let('i32', 'points', at('i32.load', 0, place))
    code.emit(at('i32.store', 0, place, get(total)), set(total, plus(get(total), points)))
  })
  code.for('n', i32(0), count, 1, (n) => {
    const row = code.let('i32', 'row', rowOf(n))
    const place = code.let('i32', 'place', at('i32.load', 0, row))
    code.emit(at('i32.store', 0, plus(order, times(place, 4)), n), at('i32.store', 0, row, plus(place, 1)))
  })
}

const float64 = (value: number): Node => ({ kind: 'constant', type: 'f64', value })
