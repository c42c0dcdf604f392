/**
 * The phases between records of points and grids.
 *
 * A unit of `spread` is a plane of a grid: it visits the points with a window that reaches it. So the sums of a plane do not depend on the
 * threads. The rows of a grid along z have a margin, so that the window of a point lies in one piece of each row.
 *
 * @module
 */
import { type GridForm, recordLayout } from '../../design/grid-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Local, Node } from '../wasm/nodes.ts'
import { overPoints } from './windows.ts'

/** Adds the phases `spread` and `gather`. */
export function gridPhases(m: ModuleWriter, form: GridForm): void {
  m.phase('spread', (code, { block, first, last }) => {
    const slot = (name: string) => m.slot(code, block, name)
    const [grids, pitch, planeBytes, planes] = [slot('grids'), slot('pitch'), slot('planeBytes'), slot('planes')]
    const [records, starts, rows] = [slot('records'), slot('starts'), slot('rows')]
    const [weights, weightBytes] = [slot('weights'), slot('weightBytes')]
    const margins = (code: FunctionBuilder, plane: Node, end: Node) =>
      foldMargins(m, code, block, { plane, end, pitch }, form)
    const spread = (code: FunctionBuilder, record: Node, piece: Node, weight: Node, plane: Node, end: Node) =>
      spreadPoint(m, code, form, { record, piece, weight, plane, end, pitch, planeBytes })
    write(code)`
      for unit in ${first}..${last} {
        let x = unit % ${planes}
        let plane = ${grids} + unit * ${planeBytes}
        let end = plane + ${planeBytes}
        let weight = ${weights} + unit / ${planes} * ${weightBytes}
        memory.fill(plane, 0, ${planeBytes})
        for piece in 0..${form.width} {
          let before = x - piece
          const from = i32.lt_s(before, 0) ? before + ${planes} : before
          let range = ${starts} + from * ${rows} * 4
          for n in i32[range + ${-4}]..i32[range + (${rows} + ${-1}) * 4] {
            let record = ${records} + n * ${recordLayout(form).bytes}
            ${spread}(record, piece, weight, plane, end)
          }
        }
        ${margins}(plane, end)
      }`
  })
  m.phase('gather', (code, args) => {
    const { block } = args
    const slot = (name: string) => m.slot(code, block, name)
    const [records, found] = [slot('records'), slot('found')]
    const [grids, gridBytes, planeBytes, pitch] = [slot('grids'), slot('gridBytes'), slot('planeBytes'), slot('pitch')]
    const planes = slot('planes')
    overPoints(m, code, args, (n) => {
      const record = value(code)`
        let record = ${records} + ${n} * ${recordLayout(form).bytes}
        record`
      gatherPoint(m, code, form, { record, grids, gridBytes, planeBytes, planes, pitch, found })
    })
  })
}

type Given<Name extends string> = Readonly<Record<Name, Node>>

/** Registers of a window along z. */
const registersOf = (form: GridForm): number => recordLayout(form).axis / 16

/** Visits each row of a point's window in a plane, with its address from the first grid point along z on. */
const overRows = (
  code: FunctionBuilder,
  form: GridForm,
  { record, plane, end, pitch, planeBytes }: Given<'record' | 'plane' | 'end' | 'pitch' | 'planeBytes'>,
  visit: (code: FunctionBuilder, row: Node, piece: number) => void,
): void => write(code)`
  let along = i32[${record} + ${recordLayout(form).places + 8}]
  if ${form.dimension === 2} {
    let only = ${plane} + along
    ${visit}(only, 0)
  } else {
    var row = ${plane} + i32[${record} + ${recordLayout(form).places + 4}] * ${pitch}
    unroll piece of 0..${form.width} {
      if piece > 0 {
        let next = row + ${pitch}
        row = next >= ${end} ? next - ${planeBytes} : next
      }
      let at = row + along
      ${visit}(at, piece)
    }
  }`

/** The part of a window in one row, from its part in a plane. */
const shareOf =
  ({ vector }: ModuleWriter, form: GridForm, record: Node, piece: number) =>
  (code: FunctionBuilder, along: Node): Node => {
    if (form.dimension === 2) return along
    return value(code)`
      lanes real = ${vector.type}
      scalar number = ${vector.number}
      ${along} as real * real(number[${record} + ${recordLayout(form).axis + piece * vector.bytes}])`
  }

function spreadPoint(
  m: ModuleWriter,
  code: FunctionBuilder,
  form: GridForm,
  given: Given<'record' | 'piece' | 'weight' | 'plane' | 'end' | 'pitch' | 'planeBytes'>,
): void {
  const { record, piece, weight } = given
  const { type, bytes } = m.vector
  const { places, alongZ } = recordLayout(form)
  const rows = (code: FunctionBuilder, along: Node, z: readonly Node[]) =>
    overRows(
      code,
      form,
      given,
      (code, row, b) => write(code)`
        lanes real = ${type}
        scalar number = ${m.vector.number}
        const z = ${z}
        let value: real = ${shareOf(m, form, record, b)}(${along})
        unroll n of 0..${z.length} { real[${row} + 16 * n] += value * (z[n] as real) }`,
    )
  write(code)`
    lanes real = ${type}
    scalar number = ${m.vector.number}
    const point = i32[${record} + ${places + 12}]
    let weighted = real(number[${weight} + point * ${bytes}]) * real(number[${record} + ${piece} * ${bytes}])
    unroll n of 0..${registersOf(form)} { let z[n] = real[${record} + (${alongZ} + 16 * n)] }
    ${rows}(weighted, z)`
}

/** Adds the margins of a plane's rows to their beginnings. */
const foldMargins = (
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  { plane, end, pitch }: Given<'plane' | 'end' | 'pitch'>,
  { width }: GridForm,
): void => write(code)`
  scalar number = ${m.vector.number}
  let rowBytes = ${m.slot(code, block, 'sizeZ')} * ${m.vector.bytes}
  var row = ${plane}
  do {
    let margin = row + rowBytes
    unroll n of 0..${width - 1} { number[row + n * ${m.vector.bytes}] += number[margin + n * ${m.vector.bytes}] }
    row += ${pitch}
  } while row < ${end}`

function gatherPoint(
  m: ModuleWriter,
  code: FunctionBuilder,
  form: GridForm,
  given: Given<'record' | 'grids' | 'gridBytes' | 'planeBytes' | 'planes' | 'pitch' | 'found'>,
): void {
  const { record, grids, gridBytes, planeBytes, planes, pitch, found } = given
  const { type, bytes, lanes } = m.vector
  const { places, alongZ } = recordLayout(form)
  const [fields, registers] = [form.fields.length, registersOf(form)]
  const add = (code: FunctionBuilder, plane: Node, end: Node, along: Node, totals: readonly Local[]) =>
    overRows(
      code,
      form,
      { record, plane, end, pitch, planeBytes },
      (code, row, b) => write(code)`
        lanes real = ${type}
        scalar number = ${m.vector.number}
        const totals = ${totals}
        let share: real = ${shareOf(m, form, record, b)}(${along})
        unroll field of 0..${fields} {
          if field == 0 { let place[field] = ${row} } else { let place[field] = place[field - 1] + ${gridBytes} }
          unroll n of 0..${registers} {
            const at = field * ${registers} + n
            totals[at] = totals[at] as real + share * real[place[field] + 16 * n]
          }
        }`,
    )
  write(code)`
    lanes real = ${type}
    scalar number = ${m.vector.number}
    unroll n of 0..${registers} { let z[n] = real[${record} + (${alongZ} + 16 * n)] }
    unroll n of 0..${fields * registers} { var total[n]: real }
    unroll n of 0..${fields * registers} { total[n] = 0 }
    var x = i32[${record} + ${places}]
    for piece in 0..${form.width} {
      let plane = ${grids} + x * ${planeBytes}
      let end = plane + ${planeBytes}
      let along = real(number[${record} + piece * ${bytes}])
      ${add}(plane, end, along, total)
      let next = x + 1
      x = next == ${planes} ? 0 : next
    }
    const point = i32[${record} + ${places + 12}]
    let to = ${found} + point * ${fields * bytes}
    unroll field of 0..${fields} {
      let all = sum(n of 0..${registers}: total[field * ${registers} + n] * z[n])
      number[to + field * ${bytes}] = sum(n of 0..${lanes}: lane(all, n) as number)
    }`
}
