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
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { overPoints } from './windows.ts'

/** Adds the phases `spread` and `gather`. */
export function gridPhases(m: ModuleWriter, form: GridForm): void {
  m.phase('spread', (code, { block, first, last }) => {
    const slot = (name: string) => m.slot(code, block, name)
    const [grids, pitch, planeBytes, planes] = [slot('grids'), slot('pitch'), slot('planeBytes'), slot('sizeX')]
    const [records, starts, rows] = [slot('records'), slot('starts'), slot('sizeY')]
    const [weights, weightBytes] = [slot('weights'), slot('weightBytes')]
    code.for('unit', first, last, 1, (unit) => {
      const x = code.let('i32', 'x', op('i32.rem_u', unit, planes))
      const plane = code.let('i32', 'plane', plus(grids, op('i32.mul', unit, planeBytes)))
      const end = code.let('i32', 'end', plus(plane, planeBytes))
      const weight = code.let('i32', 'weight', plus(weights, op('i32.mul', op('i32.div_u', unit, planes), weightBytes)))
      code.emit(op('memory.fill', plane, i32(0), planeBytes))
      code.for('piece', i32(0), i32(form.width), 1, (piece) => {
        const before = code.let('i32', 'before', op('i32.sub', x, piece))
        const from = op('select', plus(before, planes), before, op('i32.lt_s', before, i32(0)))
        const range = code.let('i32', 'range', plus(starts, times(op('i32.mul', from, rows), 4)))
        const lastPoint = at('i32.load', 0, plus(range, times(plus(rows, -1), 4)))
        code.for('n', at('i32.load', 0, plus(range, -4)), lastPoint, 1, (n) => {
          const record = code.let('i32', 'record', plus(records, times(n, recordLayout(form).bytes)))
          spreadPoint(m, code, form, { record, piece, weight, plane, end, pitch, planeBytes })
        })
      })
      foldMargins(m, code, block, { plane, end, pitch }, form)
    })
  })
  m.phase('gather', (code, args) => {
    const { block } = args
    const slot = (name: string) => m.slot(code, block, name)
    const [records, found] = [slot('records'), slot('found')]
    const [grids, gridBytes, planeBytes, pitch] = [slot('grids'), slot('gridBytes'), slot('planeBytes'), slot('pitch')]
    const planes = slot('sizeX')
    overPoints(m, code, args, (n) => {
      const record = code.let('i32', 'record', plus(records, times(n, recordLayout(form).bytes)))
      gatherPoint(m, code, form, { record, grids, gridBytes, planeBytes, planes, pitch, found })
    })
  })
}

/** Windows of a record, in memory and in registers. */
function zOf(code: FunctionBuilder, record: Node, { axis }: ReturnType<typeof recordLayout>): readonly Node[] {
  return Array.from({ length: axis / 16 }, (_, n) => code.let('v128', 'z', at('v128.load', 2 * axis + 16 * n, record)))
}

/** Calls `write` with the address of each row of a point's window in a plane, from the first grid point along z on. */
function overRows(
  code: FunctionBuilder,
  form: GridForm,
  {
    record,
    plane,
    end,
    pitch,
    planeBytes,
  }: Readonly<Record<'record' | 'plane' | 'end' | 'pitch' | 'planeBytes', Node>>,
  write: (row: Node, piece: number) => void,
): void {
  const { places } = recordLayout(form)
  const along = code.let('i32', 'along', at('i32.load', places + 8, record))
  const row = code.local('i32', 'row')
  code.emit(set(row, plus(plane, op('i32.mul', at('i32.load', places + 4, record), pitch))))
  for (let piece = 0; piece < form.width; piece++) {
    if (piece > 0) {
      const next = code.let('i32', 'next', plus(get(row), pitch))
      code.emit(set(row, op('select', op('i32.sub', next, planeBytes), next, op('i32.ge_u', next, end))))
    }
    write(code.let('i32', 'at', plus(get(row), along)), piece)
  }
}

function spreadPoint(
  m: ModuleWriter,
  code: FunctionBuilder,
  form: GridForm,
  given: Readonly<Record<'record' | 'piece' | 'weight' | 'plane' | 'end' | 'pitch' | 'planeBytes', Node>>,
): void {
  const { record, piece, weight } = given
  const { vector } = m
  const layout = recordLayout(form)
  const number = at('i32.load', layout.places + 12, record)
  const own = vector.loadSplat(0, plus(weight, times(number, vector.bytes)))
  const x = vector.loadSplat(0, plus(record, times(piece, vector.bytes)))
  const along = code.let('v128', 'weighted', vector.op('mul', own, x))
  const z = zOf(code, record, layout)
  overRows(code, form, given, (row, b) => {
    const y = vector.loadSplat(layout.axis + b * vector.bytes, record)
    const value = code.let('v128', 'value', vector.op('mul', along, y))
    for (const [n, share] of z.entries()) {
      const sum = vector.op('add', at('v128.load', 16 * n, row), vector.op('mul', value, share))
      code.emit(at('v128.store', 16 * n, row, sum))
    }
  })
}

/** Adds the margins of a plane's rows to their beginnings. */
function foldMargins(
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  { plane, end, pitch }: Readonly<Record<'plane' | 'end' | 'pitch', Node>>,
  { width }: GridForm,
): void {
  const { bytes } = m.vector
  const type = bytes === 8 ? 'f64' : 'f32'
  const rowBytes = code.let('i32', 'rowBytes', times(m.slot(code, block, 'sizeZ'), bytes))
  const row = code.local('i32', 'row')
  code.emit(set(row, plane))
  code.repeat(() => {
    const margin = code.let('i32', 'margin', plus(get(row), rowBytes))
    for (let n = 0; n < width - 1; n++) {
      const sum = op(`${type}.add`, at(`${type}.load`, n * bytes, get(row)), at(`${type}.load`, n * bytes, margin))
      code.emit(at(`${type}.store`, n * bytes, get(row), sum))
    }
    code.emit(set(row, plus(get(row), pitch)))
    return op('i32.lt_u', get(row), end)
  })
}

function gatherPoint(
  m: ModuleWriter,
  code: FunctionBuilder,
  form: GridForm,
  given: Readonly<Record<'record' | 'grids' | 'gridBytes' | 'planeBytes' | 'planes' | 'pitch' | 'found', Node>>,
): void {
  const { record, grids, gridBytes, planeBytes, planes, pitch, found } = given
  const { vector } = m
  const layout = recordLayout(form)
  const z = zOf(code, record, layout)
  const sums = form.fields.map(() => z.map(() => code.local('v128', 'sum')))
  for (const sum of sums.flat()) code.emit(set(sum, code.constant(vector.type, 0)))
  const x = code.local('i32', 'x')
  code.emit(set(x, at('i32.load', layout.places, record)))
  code.for('piece', i32(0), i32(form.width), 1, (piece) => {
    const plane = code.let('i32', 'plane', plus(grids, op('i32.mul', get(x), planeBytes)))
    const end = code.let('i32', 'end', plus(plane, planeBytes))
    const along = code.let('v128', 'along', vector.loadSplat(0, plus(record, times(piece, vector.bytes))))
    overRows(code, form, { record, plane, end, pitch, planeBytes }, (row, b) => {
      const y = vector.loadSplat(layout.axis + b * vector.bytes, record)
      const share = code.let('v128', 'share', vector.op('mul', along, y))
      let place = row
      for (const [f, registers] of sums.entries()) {
        if (f > 0) place = code.let('i32', 'place', plus(place, gridBytes))
        for (const [n, sum] of registers.entries())
          code.emit(set(sum, vector.op('add', get(sum), vector.op('mul', share, at('v128.load', 16 * n, place)))))
      }
    })
    const next = code.let('i32', 'next', plus(get(x), 1))
    code.emit(set(x, op('select', i32(0), next, op('i32.eq', next, planes))))
  })
  const number = at('i32.load', layout.places + 12, record)
  const to = code.let('i32', 'to', plus(found, times(number, sums.length * vector.bytes)))
  for (const [f, registers] of sums.entries()) writeSum(m, code, registers, z, to, f * vector.bytes)
}

/** Writes the sum of all lanes of registers times shares. */
function writeSum(
  m: ModuleWriter,
  code: FunctionBuilder,
  registers: readonly Local[],
  shares: readonly Node[],
  to: Node,
  offset: number,
): void {
  const { vector } = m
  const type = vector.bytes === 8 ? 'f64' : 'f32'
  const products = registers.map((sum, n) => vector.op('mul', get(sum), shares[n] as Node))
  const all = code.let(
    'v128',
    'all',
    products.reduce((a, b) => vector.op('add', a, b)),
  )
  const lane = (n: number) => laned(`${vector.type}.extract_lane`, [n], all)
  const lanes = Array.from({ length: vector.lanes }, (_, n) => lane(n))
  code.emit(
    at(
      `${type}.store`,
      offset,
      to,
      lanes.reduce((a, b) => op(`${type}.add`, a, b)),
    ),
  )
}
