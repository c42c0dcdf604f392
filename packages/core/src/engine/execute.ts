/**
 * Runs a prepared program: adds up totals, and cuts matrices into blocks of rows that fit the device.
 *
 * @module
 */

import type { Bindings, DeviceInfo, Program, Report, RunOptions } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import type { Floats, Precision } from '../precision.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../workloads/workload.ts'

/** A checked run. */
export interface RunInput {
  readonly workload: Workload
  readonly shape: Shape
  readonly bindings: Bindings
  readonly options: Pick<RunOptions, 'signal' | 'onProgress' | 'into'>
}

/** Rows `first ... last - 1` of an interaction matrix, `[last - first, sources]`. */
export interface MatrixRows<P extends Precision = 'f32'> {
  readonly first: number
  readonly last: number
  readonly value: Floats<P>
}

export interface Executed {
  readonly results: Readonly<Record<string, ArrayResults[string] | number>>
  readonly report: Report
}

/** Runs a program and completes its results. */
export async function execute(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { workload, shape, bindings, options } = input
  if (workload.loop === 'pair' && workload.reduction === 'none' && shape.targets > rowsPerBlock(shape, info))
    return wholeMatrix(program, input, info)
  const results = await program.run(bindings, options)
  const total = workload.loop === 'pair' && workload.total
  return { results: total ? totals(workload, shape, results) : results, report: program.report }
}

/** Adds up over targets in float64. Within one set every pair was visited twice. */
function totals(workload: PairWorkload, shape: Shape, results: ArrayResults): Record<string, number> {
  const share = shape.sameSet ? 0.5 : 1
  return Object.fromEntries(workload.results.map((name) => [name, share * sumOf(results[name] ?? [])]))
}

function sumOf(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}

function rowsPerBlock({ sources }: Shape, { limits, precision }: DeviceInfo): number {
  const rowBytes = Math.max(1, sources) * (precision === 'f64' ? 8 : 4)
  return Math.max(1, Math.floor(limits.resultBytes / rowBytes))
}

/** The next rows of a matrix: as many as requested, or as many as the device returns at once. */
export async function rowsFrom(
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

async function wholeMatrix(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
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
  return { results: { value: whole }, report: report ?? program.report }
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
