/**
 * The phases between grids of real numbers and their modes of low frequency, as `modes.ts` of core does on the host.
 *
 * Lines along y are side by side in a plane, with the modes along z in whole registers. Lines along z and x come in batches of `lineBytes`.
 * Of a complex array, the imaginary parts are `span` bytes behind.
 *
 * Only the planes along x and the rows along y that points use are in memory; lines through others are filled with zeros.
 *
 * @module
 */
import { type GridForm, lineBytes } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Callable, Node } from '../wasm/nodes.ts'
import { axisLines } from './lines.ts'
import { defineTransform } from './transform-line.ts'

interface ModesParts {
  readonly m: ModuleWriter
  readonly transform: Callable
}

/** Adds the phases `forwardZ`, `forwardY`, `forwardX`, `backX`, `backY` and `backZ`. */
export function modePhases(m: ModuleWriter, form: GridForm): void {
  const parts = { m, transform: defineTransform(m.module, m.vector) }
  axisLines(parts)
  m.phase('forwardY', (code, args) => alongY(parts, code, args, true))
  m.phase('backY', (code, args) => alongY(parts, code, args, false))
  m.phase('forwardX', (code, args) => forwardX(parts, code, args))
  m.phase('backX', (code, args) => backX(parts, code, args, form))
}

/** Copies bytes of both parts. */
const copyBoth = (
  code: FunctionBuilder,
  to: Node,
  toSpan: Node,
  from: Node,
  fromSpan: Node,
  bytes: Node,
): void => write(code)`
  memory.copy(${to}, ${from}, ${bytes})
  memory.copy(${to} + ${toSpan}, ${from} + ${fromSpan}, ${bytes})`

/** Clears bytes of both parts. */
const clearBoth = (code: FunctionBuilder, from: Node, span: Node, bytes: Node): void => write(code)`
  memory.fill(${from}, 0, ${bytes})
  memory.fill(${from} + ${span}, 0, ${bytes})`

/** The place of mode number k of `count` in a line of n: negative frequencies are at its end. */
const wrapped = (code: FunctionBuilder, k: Node, count: Node, n: Node): Node => value(code)`
  let shifted = ${k} - (${count} >> 1)
  let mode = i32.lt_s(shifted, 0) ? shifted + ${n} : shifted
  mode`

function alongY(
  { m, transform }: ModesParts,
  code: FunctionBuilder,
  { block, scratch, first, last }: PhaseArguments,
  forward: boolean,
): void {
  const slot = (name: string) => m.slot(code, block, name)
  const [n, modes, passes] = [slot('sizeY'), slot('modesY'), slot('passesY')]
  const [wide, wideSpan] = [slot('wide'), slot('wideSpan')]
  const [narrow, narrowSpan] = [slot('narrow'), slot('narrowSpan')]
  const row = slot('rowBytes')
  write(code)`
    const scratch = ${scratch} as i32
    let planeBytes = ${n} * ${row}
    let usedBytes = ${slot('rows')} * ${row}
    let modesBytes = ${modes} * ${row}
    for unit in ${first}..${last} {
      let plane = ${wide} + unit * usedBytes
      let low = ${narrow} + unit * modesBytes
      let spare = scratch + planeBytes * 2
      if ${forward} {
        ${copyBoth}(scratch, planeBytes, plane, ${wideSpan}, usedBytes)
        ${clearBoth}(scratch + usedBytes, planeBytes, planeBytes - usedBytes)
        let done: i32 = ${transform}(${passes}, ${row}, scratch, spare, planeBytes)
        for k in 0..${modes} {
          let mode = low + k * ${row}
          let place = done + ${wrapped}(k, ${modes}, ${n}) * ${row}
          ${copyBoth}(mode, ${narrowSpan}, place, planeBytes, ${row})
        }
      } else {
        memory.fill(scratch, 0, planeBytes * 2)
        for k in 0..${modes} {
          let mode = low + k * ${row}
          let place = scratch + ${wrapped}(k, ${modes}, ${n}) * ${row}
          ${copyBoth}(place, planeBytes, mode, ${narrowSpan}, ${row})
        }
        let done: i32 = ${transform}(${passes}, ${row}, scratch, spare, planeBytes)
        ${copyBoth}(plane, ${wideSpan}, done, planeBytes, usedBytes)
      }
    }`
}

/** A batch of lines along x, which is a unit of work: the number of its array, its bytes within a plane, and those of the plane. */
type Batch = (code: FunctionBuilder, array: Node, start: Node, width: Node, rest: Node) => void

const eachBatch = (
  m: ModuleWriter,
  code: FunctionBuilder,
  { block, first, last }: PhaseArguments,
  batch: Batch,
): void => write(code)`
  let rest = ${m.slot(code, block, 'modesY')} * ${m.slot(code, block, 'rowBytes')}
  let batches = (rest + ${lineBytes - 1}) / ${lineBytes}
  for unit in ${first}..${last} {
    let start = unit % batches * ${lineBytes}
    let width = min(rest - start, ${lineBytes})
    let array = unit / batches
    ${batch}(array, start, width, rest)
  }`

/** Copies registers of both parts. */
const copyLines = (
  code: FunctionBuilder,
  to: Node,
  toSpan: Node,
  from: Node,
  fromSpan: Node,
  width: Node,
): void => write(code)`
  let toOther = ${to} + ${toSpan}
  let fromOther = ${from} + ${fromSpan}
  for byte in 0..${width} step 16 {
    v128[${to} + byte] = v128[${from} + byte]
    v128[toOther + byte] = v128[fromOther + byte]
  }`

function forwardX({ m, transform }: ModesParts, code: FunctionBuilder, args: PhaseArguments): void {
  const { block, scratch } = args
  const slot = (name: string) => m.slot(code, block, name)
  const [n, planes, modes, passes] = [slot('sizeX'), slot('planes'), slot('modesX'), slot('passesX')]
  const [narrow, narrowSpan] = [slot('narrow'), slot('narrowSpan')]
  const [spectra, spectraSpan] = [slot('spectra'), slot('spectraSpan')]
  eachBatch(
    m,
    code,
    args,
    (code, array, start, width, rest) => write(code)`
      let span = ${n} * ${width}
      let from = ${narrow} + ${start} + ${array} * ${planes} * ${rest}
      for x in 0..${planes} {
        let to = ${scratch} + x * ${width}
        let line = from + x * ${rest}
        ${copyLines}(to, span, line, ${narrowSpan}, ${width})
      }
      let used = ${planes} * ${width}
      ${clearBoth}(${scratch} + used, span, span - used)
      let done: i32 = ${transform}(${passes}, ${width}, ${scratch}, ${scratch} + span * 2, span)
      let spectrum = ${spectra} + ${start} + ${array} * ${modes} * ${rest}
      for k in 0..${modes} {
        let line = done + ${wrapped}(k, ${modes}, ${n}) * ${width}
        let mode = spectrum + k * ${rest}
        ${copyLines}(mode, ${spectraSpan}, line, span, ${width})
      }`,
  )
}

/** Multiplies spectra by the factors of fields, and transforms them back. Their parts are exchanged, because that makes the inverse. */
function backX({ m, transform }: ModesParts, code: FunctionBuilder, args: PhaseArguments, { fields }: GridForm): void {
  const { block, scratch } = args
  const slot = (name: string) => m.slot(code, block, name)
  const [n, planes, modes, passes] = [slot('sizeX'), slot('planes'), slot('modesX'), slot('passesX')]
  const [narrow, narrowSpan] = [slot('narrow'), slot('narrowSpan')]
  const [spectra, spectraSpan, factors] = [slot('spectra'), slot('spectraSpan'), slot('factors')]
  /** A register of a field's modes: the sum of the products of its terms. */
  const field = (code: FunctionBuilder, f: number, place: Node, modesBytes: Node, to: Node, span: Node): void => {
    const terms = fields[f] ?? []
    const before = fields.slice(0, f).flat().length
    write(code)`
      lanes real = ${m.vector.type}
      const weights = ${terms.map(({ weight }) => weight)}
      const turned = ${terms.map(({ turned }) => Number(turned))}
      var re = real(0)
      var im = real(0)
      unroll n of 0..${terms.length} {
        let spectrum = ${spectra} + ${place} + ${modesBytes} * weights[n]
        let factor = v128[${factors} + ${place} + ${modesBytes} * (${before} + n)] as real
        let x = factor * (v128[spectrum] as real)
        let y = factor * (v128[spectrum + ${spectraSpan}] as real)
        if turned[n] == 1 {
          re = re - y
          im = im + x
        } else {
          re = re + x
          im = im + y
        }
      }
      v128[${to}] = im
      v128[${to} + ${span}] = re`
  }
  eachBatch(
    m,
    code,
    args,
    (code, array, start, width, rest) => write(code)`
      let span = ${n} * ${width}
      let modesBytes = ${modes} * ${rest}
      memory.fill(${scratch}, 0, span * 2)
      for k in 0..${modes} {
        let to = ${scratch} + ${wrapped}(k, ${modes}, ${n}) * ${width}
        let line = ${start} + k * ${rest}
        unroll f of 0..${fields.length} {
          if ${array} == f {
            for byte in 0..${width} step 16 {
              let place = line + byte
              let mode = to + byte
              ${field}(f, place, modesBytes, mode, span)
            }
          }
        }
      }
      let done: i32 = ${transform}(${passes}, ${width}, ${scratch}, ${scratch} + span * 2, span)
      let grid = ${narrow} + ${start} + ${array} * ${planes} * ${rest}
      for x in 0..${planes} {
        let line = done + x * ${width}
        let to = grid + x * ${rest}
        ${copyLines}(to, ${narrowSpan}, line, span, ${width})
      }`,
  )
}
