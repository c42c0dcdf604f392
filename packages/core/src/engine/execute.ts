/**
 * Running a prepared program: totals are added up here, and matrices cut into row blocks that the device can give.
 *
 * @module
 */
import type { Bindings, DeviceInfo, Program, Report } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../workloads/workload.ts'

/** A checked run. */
export interface RunInput {
  readonly workload: Workload
  readonly shape: Shape
  readonly bindings: Bindings
  readonly options: { readonly signal?: AbortSignal; readonly onProgress?: (fraction: number) => void }
}

/** Rows `first ... last - 1` of an interaction matrix, `[last - first, sources]`. */
export interface MatrixRows {
  readonly first: number
  readonly last: number
  readonly value: FloatArray
}

export interface Executed {
  readonly results: Readonly<Record<string, ArrayResults[string] | number>>
  readonly report: Report
}

/** Runs a program and completes its results. */
export async function execute(program: Program, input: RunInput, info: DeviceInfo): Promise<Executed> {
  const { workload, shape, bindings, options } = input
  if (workload.loop === 'pair' && workload.reduction === 'none' && shape.targets > rowsPerBlock(shape, info))
    return { results: { value: await wholeMatrix(program, input, info) }, report: program.report }
  const results = await program.run(bindings, options)
  const total = workload.loop === 'pair' && workload.total
  return { results: total ? totals(workload, shape, results) : results, report: program.report }
}

/** Adds up over targets, in float64; among one set every pair was met twice. */
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
  return Math.max(1, Math.floor((limits.resultBytes ?? 2 ** 27) / rowBytes))
}

/** The rows of a matrix, block after block. */
export async function* streamRows(
  program: Program,
  input: RunInput,
  info: DeviceInfo,
  rows?: number,
): AsyncGenerator<MatrixRows> {
  const { shape, bindings, options } = input
  const block = Math.min(rows ?? Number.POSITIVE_INFINITY, rowsPerBlock(shape, info))
  for (let first = 0; first < shape.targets; first += block) {
    const last = Math.min(first + block, shape.targets)
    const { value } = await program.run(bindings, { signal: options.signal, targets: [first, last] })
    yield { first, last, value: value as FloatArray }
    options.onProgress?.(last / shape.targets)
  }
}

async function wholeMatrix(program: Program, input: RunInput, info: DeviceInfo): Promise<FloatArray> {
  const { targets, sources } = input.shape
  const ArrayType = info.precision === 'f64' ? Float64Array : Float32Array
  let whole: FloatArray
  try {
    whole = new ArrayType(targets * sources)
  } catch (cause) {
    throw new RangeError(
      `"matrix" of ${targets} x ${sources} does not fit one array; use engine.stream(workload, particles) for its rows`,
      { cause },
    )
  }
  for await (const { first, value } of streamRows(program, input, info)) whole.set(value, first * sources)
  return whole
}
