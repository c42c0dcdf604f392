/**
 * Phases over points: the grid row of each point, the order of rows, and the records of points in that order.
 *
 * @module
 */
import { type GridForm, recordLayout, unitPoints } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'

type Axis = 'X' | 'Y' | 'Z'

/** Adds the phases `locate`, `sort` and `window`. */
export function pointPhases(m: ModuleWriter, form: GridForm): void {
  m.phase('locate', (code, args) => {
    const { block } = args
    const [keys, positions] = ['keys', 'points'].map((name) => m.slot(code, block, name)) as [Node, Node]
    const rows = m.slot(code, block, 'rows')
    const row = (axis: Axis) => (code: FunctionBuilder, point: Node) =>
      firstOf(m, code, block, axis, placeOf(m, code, block, axis, point, form), form.width).wrapped
    overPoints(
      m,
      code,
      args,
      (n) => write(code)`
        let point = ${positions} + ${n} * ${8 * form.dimension}
        let x: i32 = ${row('X')}(point)
        if ${form.dimension === 2} {
          i32[${keys} + ${n} * 4] = x
        } else {
          let y: i32 = ${row('Y')}(point)
          i32[${keys} + ${n} * 4] = x * ${rows} + y
        }`,
    )
  })
  m.phase('sort', (code, { block }) => sort(m, code, block))
  m.phase('window', (code, args) => {
    const { block } = args
    const slots = ['order', 'points', 'records'].map((name) => m.slot(code, block, name))
    const [order, positions, records] = slots as [Node, Node, Node]
    const { bytes, axis: axisBytes, places } = recordLayout(form)
    const writeAxis = (code: FunctionBuilder, index: number, point: Node, record: Node) => {
      const axis = axesOf(form)[index] as Axis
      const { wrapped, place } = window(m, code, block, axis, point, form)
      writeWindow(m, code, block, place, record, index * axisBytes, form)
      const unit = axis === 'Z' ? m.vector.bytes : 1
      write(code)`i32[${record} + ${places + 4 * axes.indexOf(axis)}] = ${wrapped} * ${unit}`
    }
    const [count, near] = [m.slot(code, block, 'count'), args.scratch]
    const pointBytes = 8 * form.dimension
    // Points are in no order in memory. A loop that only moves them waits for many of them at once.
    write(code)`
      for unit in ${args.first}..${args.last} {
        let start = unit * ${unitPoints}
        let end = min(start + ${unitPoints}, ${count})
        for n in start..end {
          let point = ${positions} + i32[${order} + n * 4] * ${pointBytes}
          let to = ${near} + (n - start) * ${pointBytes}
          unroll axis of 0..${form.dimension} { f64[to + 8 * axis] = f64[point + 8 * axis] }
        }
        for n in start..end {
          let point = ${near} + (n - start) * ${pointBytes}
          let record = ${records} + n * ${bytes}
          unroll index of 0..${form.dimension} { ${writeAxis}(index, point, record) }
          i32[record + ${places + 12}] = i32[${order} + n * 4]
        }
      }`
  })
}

const axes: readonly Axis[] = ['X', 'Y', 'Z']

/** The axes of the grid that points have coordinates along. */
const axesOf = ({ dimension }: GridForm): readonly Axis[] => (dimension === 2 ? ['X', 'Z'] : axes)

/** A loop over the points of some units. */
export function overPoints(
  m: ModuleWriter,
  code: FunctionBuilder,
  { block, first, last }: PhaseArguments,
  each: (n: Node) => void,
): void {
  const count = m.slot(code, block, 'count')
  const body = (_: FunctionBuilder, n: Node) => each(n)
  write(code)`
    let last = ${last} * ${unitPoints}
    let most = min(last, ${count})
    for n in ${first} * ${unitPoints}..most { ${body}(n) }`
}

/** The place of a coordinate in grid points, for points outside the box by any distance. */
const placeOf = (
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  axis: Axis,
  point: Node,
  form: GridForm,
): Node => value(code)`
  let share = f64[${point} + ${8 * axesOf(form).indexOf(axis)}] / f64[${block} + ${m.offset(`length${axis}`)}]
  let place = (share - floor(share)) * f64[${block} + ${m.offset(`places${axis}`)}]
  place`

interface First {
  /** The first grid point of the window, as a float64 that may be negative. */
  readonly first: Node
  /** The same within the grid. */
  readonly wrapped: Node
}

function firstOf(m: ModuleWriter, code: FunctionBuilder, block: Node, axis: Axis, place: Node, width: number): First {
  const first = value(code)`
    let first = ceil(${place} as f64 - ${width / 2})
    first`
  const wrapped = value(code)`
    const size = i32[${block} + ${m.offset(`size${axis}`)}]
    let whole = i32.trunc_sat_f64_s(${first})
    let least = i32.lt_s(whole, 0) ? whole + size : whole
    let wrapped = i32.ge_s(least, size) ? least - size : least
    wrapped`
  return { first, wrapped }
}

function window(
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  axis: Axis,
  point: Node,
  form: GridForm,
): { readonly wrapped: Node; readonly place: Node } {
  const { width } = form
  const place = placeOf(m, code, block, axis, point, form)
  const { first, wrapped } = firstOf(m, code, block, axis, place, width)
  const number = m.vector.bytes === 8 ? 'f64' : 'f32'
  const inPiece = value(code)`
    lanes real = ${m.vector.type}
    scalar number = ${number}
    // Within each piece, from -1 to 1.
    const within = ${first} as f64 - ${place} as f64 + ${width / 2}
    let x = real(number(within * 2 - 1))
    x`
  return { wrapped, place: inPiece }
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
  const { degree } = form
  const { axis } = recordLayout(form)
  const pieces = m.slot(code, block, 'pieces')
  write(code)`
    lanes real = ${m.vector.type}
    unroll register of 0..${axis / 16} {
      var sum = v128[${pieces} + (${degree * axis} + 16 * register)] as real
      unroll n of 0..${degree} {
        sum = sum * (${x} as real) + (v128[${pieces} + ((${degree - 1} - n) * ${axis} + 16 * register)] as real)
      }
      v128[${record} + (${offset} + 16 * register)] = sum
    }`
}

/** Points in the order of their rows. Afterwards, `starts` has at `row` the first place behind the row; the entry before row 0 is 0. */
function sort(m: ModuleWriter, code: FunctionBuilder, block: Node): void {
  const slots = ['keys', 'starts', 'order', 'count', 'planes', 'rows'].map((name) => m.slot(code, block, name))
  const [keys, starts, order, count, planes, rowsOfPlane] = slots as [Node, Node, Node, Node, Node, Node]
  write(code)`
    let rows = ${planes} * ${rowsOfPlane}
    memory.fill(${starts} - 4, 0, (rows + 1) * 4)
    for n in 0..${count} {
      let row = ${starts} + i32[${keys} + n * 4] * 4
      i32[row] += 1
    }
    var total = 0
    for row in 0..rows {
      let place = ${starts} + row * 4
      let points = i32[place]
      i32[place] = total
      total += points
    }
    for n in 0..${count} {
      let row = ${starts} + i32[${keys} + n * 4] * 4
      let place = i32[row]
      i32[${order} + place * 4] = n
      i32[row] = place + 1
    }`
}
