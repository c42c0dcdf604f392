/**
 * The phases between the rows of real grids and their modes along z. Two rows are the parts of one complex line, and lines are transformed
 * in batches: numbers move between rows and lanes here.
 *
 * @module
 */
import { lineBytes } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'

interface Parts {
  readonly m: ModuleWriter
  readonly transform: Callable
}

/** Adds the phases `forwardZ` and `backZ`. A unit is a batch of lines. */
export function axisLines(parts: Parts): void {
  parts.m.phase('forwardZ', (code, args) => forwardZ(parts, code, args))
  parts.m.phase('backZ', (code, args) => backZ(parts, code, args))
}

/** Row pairs in one register. Rows are the parts of lines: even ones the real parts, odd ones the imaginary parts. */
interface Rows {
  /** The addresses of the rows, two for each lane. */
  readonly addresses: readonly Local[]
  /** Moves on along the rows. */
  next(): void
}

/**
 * The rows of a register, from its first row on.
 *
 * @param last if given, rows behind it are read as this one
 */
function rowsOf(
  m: ModuleWriter,
  code: FunctionBuilder,
  base: Node,
  first: Node,
  rowBytes: Node,
  last: Node | undefined,
): Rows {
  const addresses = Array.from({ length: 2 * m.vector.lanes }, (_, n) => {
    const row = code.let('i32', 'row', plus(first, n))
    const within = last ? op('select', last, row, op('i32.gt_u', row, last)) : row
    const address = code.local('i32', 'address')
    code.emit(set(address, plus(base, op('i32.mul', within, rowBytes))))
    return address
  })
  const next = () => code.emit(...addresses.map((one) => set(one, plus(get(one), m.vector.bytes))))
  return { addresses, next }
}

/** The lanes of the rows of one part: 0 for even ones, 1 for odd ones. */
const loadLanes = (
  { vector }: ModuleWriter,
  code: FunctionBuilder,
  { addresses }: Rows,
  part: 0 | 1,
  span?: Node,
): Node =>
  Array.from({ length: vector.lanes }).reduce<Node>(
    (register, _, lane) => {
      const address = get(addresses[2 * lane + part] as Local)
      return vector.loadLane(lane, 0, span ? plus(address, span) : address, register)
    },
    code.constant(vector.type, 0),
  )

const storeLanes = (
  { vector }: ModuleWriter,
  code: FunctionBuilder,
  { addresses }: Rows,
  part: 0 | 1,
  value: Node,
  span?: Node,
): void => {
  const register = code.let('v128', 'out', value)
  for (let lane = 0; lane < vector.lanes; lane++) {
    const address = get(addresses[2 * lane + part] as Local)
    code.emit(vector.storeLane(lane, 0, span ? plus(address, span) : address, register))
  }
}

/** Calls `write` for each register of a batch, with its bytes in the batch and its first row. */
function eachRegister(
  m: ModuleWriter,
  code: FunctionBuilder,
  unit: Node,
  write: (byte: Node, firstRow: Node) => void,
): void {
  const rowsInBatch = (2 * lineBytes) / m.vector.bytes
  code.for('byte', i32(0), i32(lineBytes), 16, (byte) => {
    const first = op('i32.div_u', times(byte, 2), i32(m.vector.bytes))
    write(byte, code.let('i32', 'first', plus(times(unit, rowsInBatch), first)))
  })
}

/** The numbers of the lines along z. @param rows the slot with the number of rows of the grids */
function linesAlongZ(
  m: Parts['m'],
  code: FunctionBuilder,
  { block }: PhaseArguments,
  rows: 'weightRows' | 'fieldRows',
) {
  const slot = (name: string) => m.slot(code, block, name)
  const numbers = {
    ...{ grids: slot('grids'), pitch: slot('pitch'), rows: slot(rows), n: slot('sizeZ'), modes: slot('modesZ') },
    ...{ wide: slot('wide'), wideSpan: slot('wideSpan'), rowBytes: slot('rowBytes'), passes: slot('passesZ') },
  }
  return { ...numbers, span: code.let('i32', 'span', times(numbers.n, lineBytes)) }
}

function forwardZ({ m, transform }: Parts, code: FunctionBuilder, args: PhaseArguments): void {
  const { scratch, first, last } = args
  const { grids, pitch, rows, n, modes, wide, wideSpan, rowBytes, passes, span } = linesAlongZ(
    m,
    code,
    args,
    'weightRows',
  )
  const { vector } = m
  code.for('unit', first, last, 1, (unit) => {
    eachRegister(m, code, unit, (byte, row) => {
      const from = rowsOf(m, code, grids, row, pitch, plus(rows, -1))
      code.for('k', i32(0), n, 1, (k) => {
        const to = code.let('i32', 'to', plus(plus(scratch, byte), times(k, lineBytes)))
        code.emit(at('v128.store', 0, to, loadLanes(m, code, from, 0)))
        code.emit(at('v128.store', 0, plus(to, span), loadLanes(m, code, from, 1)))
        from.next()
      })
    })
    const spare = plus(scratch, times(span, 2))
    const done = code.let('i32', 'done', call(transform, passes, i32(lineBytes), scratch, spare, span))
    eachRegister(m, code, unit, (byte, row) => {
      const to = rowsOf(m, code, wide, row, rowBytes, undefined)
      code.for('k', i32(0), modes, 1, (k) => {
        const [a, b] = pairOf(code, plus(done, byte), k, n, span)
        const halved = (x: Node) => vector.op('mul', x, vector.constant(code, 0.5))
        storeLanes(m, code, to, 0, halved(vector.op('add', a.re, b.re)))
        storeLanes(m, code, to, 0, halved(vector.op('sub', a.im, b.im)), wideSpan)
        storeLanes(m, code, to, 1, halved(vector.op('add', a.im, b.im)))
        storeLanes(m, code, to, 1, halved(vector.op('sub', b.re, a.re)), wideSpan)
        to.next()
      })
    })
  })
}

/** The address of mode -k. */
const oppositeOf = (line: Node, k: Node, n: Node): Node =>
  plus(line, times(op('select', op('i32.sub', n, k), i32(0), k), lineBytes))

/** Modes k and -k of a register of lines. */
function pairOf(code: FunctionBuilder, line: Node, k: Node, n: Node, span: Node) {
  const load = (address: Node) => {
    const place = code.let('i32', 'place', address)
    return {
      re: code.let('v128', 're', at('v128.load', 0, place)),
      im: code.let('v128', 'im', at('v128.load', 0, plus(place, span))),
    }
  }
  return [load(plus(line, times(k, lineBytes))), load(oppositeOf(line, k, n))] as const
}

function backZ({ m, transform }: Parts, code: FunctionBuilder, args: PhaseArguments): void {
  const { scratch, first, last } = args
  const { grids, pitch, rows, n, modes, wide, wideSpan, rowBytes, passes, span } = linesAlongZ(
    m,
    code,
    args,
    'fieldRows',
  )
  const { vector } = m
  code.for('unit', first, last, 1, (unit) => {
    code.emit(op('memory.fill', scratch, i32(0), times(span, 2)))
    eachRegister(m, code, unit, (byte, row) => {
      const from = rowsOf(m, code, wide, row, rowBytes, plus(rows, -1))
      const line = code.let('i32', 'line', plus(scratch, byte))
      code.for('k', i32(0), modes, 1, (k) => {
        // Of line a + i b: mode k is A + i B, and mode -k is conj(A) + i conj(B). All parts are exchanged.
        const load = (part: 0 | 1, behind?: Node) => code.let('v128', 'x', loadLanes(m, code, from, part, behind))
        const a = { re: load(0, wideSpan), im: load(0) }
        const b = { re: load(1, wideSpan), im: load(1) }
        const opposite = code.let('i32', 'opposite', oppositeOf(line, k, n))
        const to = code.let('i32', 'to', plus(line, times(k, lineBytes)))
        // Mode 0 is its own opposite, and is written last.
        code.emit(
          at('v128.store', 0, plus(opposite, span), vector.op('add', a.re, b.im)),
          at('v128.store', 0, opposite, vector.op('sub', b.re, a.im)),
          at('v128.store', 0, plus(to, span), vector.op('sub', a.re, b.im)),
          at('v128.store', 0, to, vector.op('add', a.im, b.re)),
        )
        from.next()
      })
    })
    const spare = plus(scratch, times(span, 2))
    const done = code.let('i32', 'done', call(transform, passes, i32(lineBytes), scratch, spare, span))
    eachRegister(m, code, unit, (byte, row) => {
      const to = rowsOf(m, code, grids, row, pitch, undefined)
      // The margin repeats the beginning of the row.
      const places = code.let('i32', 'places', op('i32.div_u', pitch, i32(vector.bytes)))
      const k = code.local('i32', 'k')
      code.emit(set(k, i32(0)))
      code.for('place', i32(0), places, 1, () => {
        const from = code.let('i32', 'from', plus(plus(done, byte), times(get(k), lineBytes)))
        storeLanes(m, code, to, 0, at('v128.load', 0, plus(from, span)))
        storeLanes(m, code, to, 1, at('v128.load', 0, from))
        to.next()
        const next = code.let('i32', 'next', plus(get(k), 1))
        code.emit(set(k, op('select', i32(0), next, op('i32.eq', next, n))))
      })
    })
  })
}
