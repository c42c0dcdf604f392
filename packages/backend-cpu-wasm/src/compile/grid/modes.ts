/**
 * The phases between grids of real numbers and their modes of low frequency, as `modes.ts` of core does on the host.
 *
 * Lines along y are side by side in a plane, with the modes along z in whole registers. Lines along z and x come in batches of `lineBytes`.
 * Of a complex array, the imaginary parts are `span` bytes behind.
 *
 * @module
 */
import { type GridForm, lineBytes } from '../../design/grid-layout.ts'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
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
function copyBoth(code: FunctionBuilder, to: Node, toSpan: Node, from: Node, fromSpan: Node, bytes: Node): void {
  code.emit(op('memory.copy', to, from, bytes), op('memory.copy', plus(to, toSpan), plus(from, fromSpan), bytes))
}

/** The place of mode number k of `count` in a line of n: negative frequencies are at its end. */
function wrapped(code: FunctionBuilder, k: Node, count: Node, n: Node): Node {
  const shifted = code.let('i32', 'shifted', op('i32.sub', k, op('i32.shr_u', count, i32(1))))
  return code.let('i32', 'mode', op('select', plus(shifted, n), shifted, op('i32.lt_s', shifted, i32(0))))
}

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
  const planeBytes = code.let('i32', 'bytes', op('i32.mul', n, row))
  const modesBytes = code.let('i32', 'modesBytes', op('i32.mul', modes, row))
  code.for('unit', first, last, 1, (unit) => {
    const plane = code.let('i32', 'plane', plus(wide, op('i32.mul', unit, planeBytes)))
    const low = code.let('i32', 'low', plus(narrow, op('i32.mul', unit, modesBytes)))
    const spare = code.let('i32', 'spare', plus(scratch, times(planeBytes, 2)))
    const run = () => code.let('i32', 'done', call(transform, passes, row, scratch, spare, planeBytes))
    const each = (write: (mode: Node, place: Node) => void) =>
      code.for('k', i32(0), modes, 1, (k) => {
        const place = op('i32.mul', wrapped(code, k, modes, n), row)
        write(code.let('i32', 'mode', plus(low, op('i32.mul', k, row))), code.let('i32', 'place', place))
      })
    if (forward) {
      copyBoth(code, scratch, planeBytes, plane, wideSpan, planeBytes)
      const done = run()
      each((mode, place) => copyBoth(code, mode, narrowSpan, plus(done, place), planeBytes, row))
    } else {
      code.emit(op('memory.fill', scratch, i32(0), times(planeBytes, 2)))
      each((mode, place) => copyBoth(code, plus(scratch, place), planeBytes, mode, narrowSpan, row))
      copyBoth(code, plane, wideSpan, run(), planeBytes, planeBytes)
    }
  })
}

/** A batch of lines along x: the number of its array, and its bytes within a plane. */
function batchOf(
  m: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  unit: Node,
): { readonly array: Node; readonly start: Node; readonly width: Node; readonly rest: Node } {
  const rest = code.let('i32', 'rest', op('i32.mul', m.slot(code, block, 'modesY'), m.slot(code, block, 'rowBytes')))
  const batches = code.let('i32', 'batches', op('i32.div_u', plus(rest, lineBytes - 1), i32(lineBytes)))
  const start = code.let('i32', 'start', times(op('i32.rem_u', unit, batches), lineBytes))
  const left = code.let('i32', 'left', op('i32.sub', rest, start))
  const width = op('select', left, i32(lineBytes), op('i32.lt_u', left, i32(lineBytes)))
  return {
    array: code.let('i32', 'array', op('i32.div_u', unit, batches)),
    ...{ start, rest },
    width: code.let('i32', 'width', width),
  }
}

/** Copies registers of both parts. */
function copyLines(code: FunctionBuilder, to: Node, toSpan: Node, from: Node, fromSpan: Node, width: Node): void {
  const [too, from2] = [code.let('i32', 'to', plus(to, toSpan)), code.let('i32', 'from', plus(from, fromSpan))]
  code.for('byte', i32(0), width, 16, (byte) => {
    code.emit(
      at('v128.store', 0, plus(to, byte), at('v128.load', 0, plus(from, byte))),
      at('v128.store', 0, plus(too, byte), at('v128.load', 0, plus(from2, byte))),
    )
  })
}

function forwardX(
  { m, transform }: ModesParts,
  code: FunctionBuilder,
  { block, scratch, first, last }: PhaseArguments,
): void {
  const slot = (name: string) => m.slot(code, block, name)
  const [n, modes, passes] = [slot('sizeX'), slot('modesX'), slot('passesX')]
  const [narrow, narrowSpan] = [slot('narrow'), slot('narrowSpan')]
  const [spectra, spectraSpan] = [slot('spectra'), slot('spectraSpan')]
  code.for('unit', first, last, 1, (unit) => {
    const { array, start, width, rest } = batchOf(m, code, block, unit)
    const span = code.let('i32', 'span', op('i32.mul', n, width))
    const from = code.let('i32', 'from', plus(plus(narrow, start), op('i32.mul', op('i32.mul', array, n), rest)))
    code.for('x', i32(0), n, 1, (x) => {
      const to = code.let('i32', 'to', plus(scratch, op('i32.mul', x, width)))
      const line = code.let('i32', 'line', plus(from, op('i32.mul', x, rest)))
      copyLines(code, to, span, line, narrowSpan, width)
    })
    const spare = plus(scratch, times(span, 2))
    const done = code.let('i32', 'done', call(transform, passes, width, scratch, spare, span))
    const to = code.let('i32', 'spectrum', plus(plus(spectra, start), op('i32.mul', op('i32.mul', array, modes), rest)))
    code.for('k', i32(0), modes, 1, (k) => {
      const line = code.let('i32', 'line', plus(done, op('i32.mul', wrapped(code, k, modes, n), width)))
      copyLines(code, code.let('i32', 'mode', plus(to, op('i32.mul', k, rest))), spectraSpan, line, span, width)
    })
  })
}

/** Multiplies spectra by the factors of fields, and transforms them back. Their parts are exchanged, because that makes the inverse. */
function backX(
  { m, transform }: ModesParts,
  code: FunctionBuilder,
  { block, scratch, first, last }: PhaseArguments,
  { fields }: GridForm,
): void {
  const slot = (name: string) => m.slot(code, block, name)
  const [n, modes, passes] = [slot('sizeX'), slot('modesX'), slot('passesX')]
  const [narrow, narrowSpan] = [slot('narrow'), slot('narrowSpan')]
  const [spectra, spectraSpan, factors] = [slot('spectra'), slot('spectraSpan'), slot('factors')]
  code.for('unit', first, last, 1, (unit) => {
    const { array, start, width, rest } = batchOf(m, code, block, unit)
    const span = code.let('i32', 'span', op('i32.mul', n, width))
    const modesBytes = code.let('i32', 'modesBytes', op('i32.mul', modes, rest))
    code.emit(op('memory.fill', scratch, i32(0), times(span, 2)))
    code.for('k', i32(0), modes, 1, (k) => {
      const to = code.let('i32', 'to', plus(scratch, op('i32.mul', wrapped(code, k, modes, n), width)))
      const line = code.let('i32', 'line', plus(start, op('i32.mul', k, rest)))
      let term = 0
      for (const [f, terms] of fields.entries()) {
        const numbers = terms.map(() => term++)
        code.if(op('i32.eq', array, i32(f)), () =>
          code.for('byte', i32(0), width, 16, (byte) => {
            const place = code.let('i32', 'place', plus(line, byte))
            const [re, im] = product(m, code, terms, numbers, { place, spectra, spectraSpan, factors, modesBytes })
            const at0 = code.let('i32', 'at', plus(to, byte))
            code.emit(at('v128.store', 0, at0, im), at('v128.store', 0, plus(at0, span), re))
          }),
        )
      }
    })
    const spare = plus(scratch, times(span, 2))
    const done = code.let('i32', 'done', call(transform, passes, width, scratch, spare, span))
    const to = code.let('i32', 'field', plus(plus(narrow, start), op('i32.mul', op('i32.mul', array, n), rest)))
    code.for('x', i32(0), n, 1, (x) => {
      const line = code.let('i32', 'line', plus(done, op('i32.mul', x, width)))
      copyLines(code, code.let('i32', 'to', plus(to, op('i32.mul', x, rest))), narrowSpan, line, span, width)
    })
  })
}

/** A register of a field's modes. */
function product(
  m: ModuleWriter,
  code: FunctionBuilder,
  terms: GridForm['fields'][number],
  numbers: readonly number[],
  given: Readonly<Record<'place' | 'spectra' | 'spectraSpan' | 'factors' | 'modesBytes', Node>>,
): readonly [re: Node, im: Node] {
  const { place, spectra, spectraSpan, factors, modesBytes } = given
  const { vector } = m
  let [re, im]: [Node, Node] = [vector.constant(code, 0), vector.constant(code, 0)]
  for (const [n, { weight, turned }] of terms.entries()) {
    const spectrum = code.let('i32', 'spectrum', plus(plus(spectra, place), times(modesBytes, weight)))
    const factor = code.let(
      'v128',
      'factor',
      at('v128.load', 0, plus(plus(factors, place), times(modesBytes, numbers[n] as number))),
    )
    const x = vector.op('mul', factor, at('v128.load', 0, spectrum))
    const y = vector.op('mul', factor, at('v128.load', 0, plus(spectrum, spectraSpan)))
    re = turned ? vector.op('sub', re, y) : vector.op('add', re, x)
    im = vector.op('add', im, turned ? x : y)
  }
  return [re, im]
}
