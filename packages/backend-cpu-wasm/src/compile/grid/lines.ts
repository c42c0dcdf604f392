/**
 * The phases between the rows of real grids and their modes along z. Two rows are the parts of one complex line, and lines are transformed
 * in batches: numbers move between rows and lanes here.
 *
 * @module
 */
import { lineBytes } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'

interface Parts {
  readonly m: ModuleWriter
  readonly transform: Callable
}

/** Adds the phases `forwardZ` and `backZ`. A unit is a batch of lines. */
export function axisLines(parts: Parts): void {
  parts.m.phase('forwardZ', (code, args) => forwardZ(parts, code, args))
  parts.m.phase('backZ', (code, args) => backZ(parts, code, args))
}

/**
 * The rows of a register, from its first row on: their addresses, two for each lane. Rows are the parts of lines: even ones the real parts,
 * odd ones the imaginary parts.
 *
 * @param last if given, rows behind it are read as this one
 */
function rowsOf(
  { vector }: ModuleWriter,
  code: FunctionBuilder,
  base: Node,
  first: Node,
  rowBytes: Node,
  last?: Node,
): readonly Node[] {
  const within = (code: FunctionBuilder, row: Node) =>
    last ? value(code)`${row} as i32 > ${last} ? ${last} : ${row}` : row
  return Array.from(
    { length: 2 * vector.lanes },
    (_, n) => value(code)`
      let row = ${first} + ${n}
      var address = ${base} + ${within}(row) * ${rowBytes}
      address`,
  )
}

/** Moves on along rows. */
const nextOf =
  ({ vector }: ModuleWriter, rows: readonly Node[]) =>
  (code: FunctionBuilder): void =>
    write(code)`
    const rows = ${rows}
    unroll n of 0..${rows.length} { rows[n] = rows[n] as i32 + ${vector.bytes} }`

/** The lanes of the rows of one part: 0 for even ones, 1 for odd ones. */
const loadOf =
  ({ vector }: ModuleWriter, rows: readonly Node[], part: 0 | 1, behind: Node | 0 = 0) =>
  (code: FunctionBuilder): Node =>
    value(code)`
    lanes real = ${vector.type}
    const rows = ${rows}
    real[n of 0..${vector.lanes}: rows[2 * n + ${part}] + ${behind}]`

const storeOf =
  ({ vector }: ModuleWriter, rows: readonly Node[], part: 0 | 1, behind: Node | 0 = 0) =>
  (code: FunctionBuilder, register: Node): void =>
    write(code)`
    lanes real = ${vector.type}
    scalar number = ${vector.number}
    const rows = ${rows}
    let out: real = ${register}
    unroll n of 0..${vector.lanes} { number[rows[2 * n + ${part}] + ${behind}] = lane(out, n) }`

/** Visits each register of a batch, with its bytes in the batch and its first row. */
const eachRegister = (
  m: ModuleWriter,
  code: FunctionBuilder,
  unit: Node,
  visit: (code: FunctionBuilder, byte: Node, firstRow: Node) => void,
): void => write(code)`
  for byte in 0..${lineBytes} step 16 {
    let first = ${unit} * ${(2 * lineBytes) / m.vector.bytes} + byte * 2 / ${m.vector.bytes}
    ${visit}(byte, first)
  }`

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
  return { ...numbers, span: code.let('i32', 'span', value(code)`${numbers.n} * ${lineBytes}`) }
}

/** The address of mode -k. */
const oppositeOf = (code: FunctionBuilder, line: Node, k: Node, n: Node): Node => value(code)`
  ${line} + (${k} as i32 ? ${n} - ${k} : 0) * ${lineBytes}`

function forwardZ({ m, transform }: Parts, code: FunctionBuilder, args: PhaseArguments): void {
  const { scratch, first, last } = args
  const { grids, pitch, rows, n, modes, wide, wideSpan, rowBytes, passes, span } = linesAlongZ(
    m,
    code,
    args,
    'weightRows',
  )
  const read = (code: FunctionBuilder, unit: Node) =>
    eachRegister(m, code, unit, (code, byte, row) => {
      const from = rowsOf(m, code, grids, row, pitch, value(code)`${rows} + ${-1}`)
      write(code)`
        for k in 0..${n} {
          let to = ${scratch} + ${byte} + k * ${lineBytes}
          v128[to] = ${loadOf(m, from, 0)}() as v128
          v128[to + ${span}] = ${loadOf(m, from, 1)}() as v128
          ${nextOf(m, from)}()
        }`
    })
  /** Of line a + i b, modes k and -k give mode k of both. */
  const separate = (code: FunctionBuilder, unit: Node, done: Node) =>
    eachRegister(m, code, unit, (code, byte, row) => {
      const to = rowsOf(m, code, wide, row, rowBytes)
      write(code)`
        lanes real = ${m.vector.type}
        for k in 0..${modes} {
          let place = ${done} + ${byte} + k * ${lineBytes}
          let re = real[place]
          let im = real[place + ${span}]
          let opposite: i32 = ${oppositeOf}(${done} + ${byte}, k, ${n})
          let otherRe = real[opposite]
          let otherIm = real[opposite + ${span}]
          ${storeOf(m, to, 0)}((re + otherRe) * 0.5)
          ${storeOf(m, to, 0, wideSpan)}((im - otherIm) * 0.5)
          ${storeOf(m, to, 1)}((im + otherIm) * 0.5)
          ${storeOf(m, to, 1, wideSpan)}((otherRe - re) * 0.5)
          ${nextOf(m, to)}()
        }`
    })
  write(code)`
    for unit in ${first}..${last} {
      ${read}(unit)
      let done: i32 = ${transform}(${passes}, ${lineBytes}, ${scratch}, ${scratch} + ${span} * 2, ${span})
      ${separate}(unit, done)
    }`
}

function backZ({ m, transform }: Parts, code: FunctionBuilder, args: PhaseArguments): void {
  const { scratch, first, last } = args
  const { grids, pitch, rows, n, modes, wide, wideSpan, rowBytes, passes, span } = linesAlongZ(
    m,
    code,
    args,
    'fieldRows',
  )
  /** Of line a + i b: mode k is A + i B, and mode -k is conj(A) + i conj(B). All parts are exchanged. */
  const join = (code: FunctionBuilder, unit: Node) =>
    eachRegister(m, code, unit, (code, byte, row) => {
      const from = rowsOf(m, code, wide, row, rowBytes, value(code)`${rows} + ${-1}`)
      write(code)`
        lanes real = ${m.vector.type}
        let line = ${scratch} + ${byte}
        for k in 0..${modes} {
          let aRe: real = ${loadOf(m, from, 0, wideSpan)}()
          let aIm: real = ${loadOf(m, from, 0)}()
          let bRe: real = ${loadOf(m, from, 1, wideSpan)}()
          let bIm: real = ${loadOf(m, from, 1)}()
          let opposite: i32 = ${oppositeOf}(line, k, ${n})
          let to = line + k * ${lineBytes}
          // Mode 0 is its own opposite, and is written last.
          real[opposite + ${span}] = aRe + bIm
          real[opposite] = bRe - aIm
          real[to + ${span}] = aRe - bIm
          real[to] = aIm + bRe
          ${nextOf(m, from)}()
        }`
    })
  /** The margin of a row repeats its beginning. */
  const writeRows = (code: FunctionBuilder, unit: Node, done: Node) =>
    eachRegister(m, code, unit, (code, byte, row) => {
      const to = rowsOf(m, code, grids, row, pitch)
      write(code)`
        let places = ${pitch} / ${m.vector.bytes}
        var k = 0
        for place in 0..places {
          let from = ${done} + ${byte} + k * ${lineBytes}
          ${storeOf(m, to, 0)}(v128[from + ${span}])
          ${storeOf(m, to, 1)}(v128[from])
          ${nextOf(m, to)}()
          let next = k + 1
          k = next == ${n} ? 0 : next
        }`
    })
  write(code)`
    for unit in ${first}..${last} {
      memory.fill(${scratch}, 0, ${span} * 2)
      ${join}(unit)
      let done: i32 = ${transform}(${passes}, ${lineBytes}, ${scratch}, ${scratch} + ${span} * 2, ${span})
      ${writeRows}(unit, done)
    }`
}
