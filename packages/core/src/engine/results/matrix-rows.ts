/**
 * Interaction matrices in blocks of rows that fit the device. The engine loads this file with the first matrix that does not fit
 * at once, or is streamed.
 *
 * @module
 */
import type { DeviceInfo, Program, Report } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Floats, Precision } from '../../ground/precision.ts'
import type { CurrentDevice } from '../devices/current-device.ts'
import type { StreamOptions } from '../run-types.ts'
import { type Executed, type RunInput, rowsPerBlock } from './executed.ts'
import { noted } from './stray-results.ts'

/** Rows `first ... last - 1` of an interaction matrix, `[last - first, sources]`. */
export interface MatrixRows<P extends Precision = 'f32'> {
  readonly first: number
  readonly last: number
  readonly value: Floats<P>
  /** As the notes of a report: where and why numbers are not finite, and which other device computed them. */
  readonly notes?: readonly string[]
}

/** All rows, block by block. Each block goes on where the one before ended, also if its device was lost. */
export async function* streamedRows<P extends Precision>(
  input: RunInput & { readonly options: StreamOptions },
  current: CurrentDevice,
): AsyncGenerator<MatrixRows<P>> {
  const { workload, shape } = input
  const { plan, rows: most } = input.options
  for (let first = 0; first < shape.targets; ) {
    const { rows, notes } = await current.running({ workload, shape, plan }, async (programs) => {
      const { info } = programs.device
      return { rows: await programs.using(workload, shape, plan, (it) => notedRows(first, it, input, info, most)) }
    })
    yield (notes.length === 0 ? rows : { ...rows, notes: [...notes, ...(rows.notes ?? [])] }) as MatrixRows<P>
    first = rows.last
  }
}

/** The next rows, with a note if numbers are not finite. */
async function notedRows(
  first: number,
  program: Program,
  input: RunInput,
  info: DeviceInfo,
  most?: number,
): Promise<MatrixRows<Precision>> {
  const rows = await rowsFrom(first, program, input, info, most)
  const { notes } = await noted(program.report, input, { value: rows.value }, first)
  return notes ? { ...rows, notes } : rows
}

/** The next rows of a matrix: as many as requested, or as many as the device returns at once. */
async function rowsFrom(
  first: number,
  program: Program,
  { shape, bindings, options }: RunInput,
  info: DeviceInfo,
  rows: number = Number.POSITIVE_INFINITY,
): Promise<MatrixRows<Precision>> {
  const last = Math.min(first + Math.min(rows, rowsPerBlock(shape, info)), shape.targets)
  const { value } = await program.run(bindings, { signal: options.signal, targets: [first, last] })
  options.onProgress?.(last / shape.targets)
  return { first, last, value: value as FloatArray }
}

/** Computes a matrix block by block. */
export async function wholeMatrix(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { targets, sources } = input.shape
  const ArrayType = info.precision === 'f64' ? Float64Array : Float32Array
  let whole: FloatArray
  try {
    whole = (input.options.into?.value as FloatArray | undefined) ?? new ArrayType(targets * sources)
  } catch (cause) {
    throw new RangeError(
      `"matrix" of ${targets} x ${sources} does not fit one array; use engine.stream(workload, particles) for its rows`,
      { cause },
    )
  }
  let report: Report | undefined
  for (let first = 0; first < targets; ) {
    const { last, value } = await rowsFrom(first, program, input, info)
    whole.set(value, first * sources)
    report = report ? added(report, program.report) : program.report
    first = last
  }
  const results = { value: whole }
  return { results, report: await noted(report ?? program.report, input, results) }
}

/** The report of two runs of one program as if they had been one. */
function added(a: Report, b: Report): Report {
  const timings = {
    compile: b.timings.compile,
    upload: a.timings.upload + b.timings.upload,
    compute: a.timings.compute + b.timings.compute,
    readback: a.timings.readback + b.timings.readback,
  }
  const interactions = a.interactions + b.interactions
  const interactionsPerSecond = timings.compute > 0 ? interactions / (timings.compute / 1000) : 0
  return { ...b, timings, interactions, evaluated: a.evaluated + b.evaluated, interactionsPerSecond }
}
