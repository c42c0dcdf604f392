/**
 * Checks the arrays of a job before a device reads them. A device trusts its arrays. A sender could choose arrays that read the memory of
 * others, or that keep the worker busy for ever.
 *
 * The engine makes the same checks when it binds the arrays of a user; see `bind` of core.
 *
 * @module
 */
import type { Bindings, FloatArray, PointSet, Precision } from '@manybody/core'
import { firstNotFinite, lengthOf } from '@manybody/core/backend'
import { attributesRead } from '@manybody/core/expression'
import { tablesLength, withRanges } from '@manybody/core/judge'
import type { TypedArray } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'

/** @throws TypeError, RangeError if an array does not fit the job */
export function requireSound(job: ClusterJob, bindings: Bindings, offsets: Uint32Array | undefined): void {
  const { workload, shape } = job
  const { dimension, sameSet, split } = shape
  const read = attributesRead(workload, dimension)
  const lows = split ? ['positionLow', ...['positionLowX', 'positionLowY', 'positionLowZ'].slice(0, dimension)] : []
  requirePoints(job, 'targets', bindings.targets, [...read.targets, ...(sameSet ? read.sources : []), ...lows])
  if (!sameSet) requirePoints(job, 'sources', bindings.sources, [...read.sources, ...lows])
  const meets = shape.sources - (sameSet && workload.domain.self === 'exclude' ? 1 : 0)
  if (workload.k !== undefined && shape.targets > 0 && workload.k > meets)
    throw new RangeError(`"k" expected at most ${meets}, the number of sources of a target, got ${workload.k}`)
  requireTables(job, bindings)
  if (shape.ranged) requireRanges(job, bindings)
  if ((workload.reduction === 'list') !== (offsets !== undefined))
    throw new TypeError('"lists" expected offsets exactly if the workload makes lists')
  if (offsets) requireOffsets(offsets, lengthOf(job.targets))
}

function requirePoints(
  { precision, shape }: ClusterJob,
  side: string,
  { count, arrays }: PointSet,
  read: readonly string[],
): void {
  const types = typesIn(precision)
  const missing = ['position', ...read].find((name) => !Object.hasOwn(arrays, name))
  if (missing !== undefined) throw new TypeError(`"${side}.${missing}" expected numbers, got none`)
  for (const [name, array] of Object.entries(arrays)) {
    const length = count * (name === 'position' || name === 'positionLow' ? shape.dimension : 1)
    if (!types.some((Type) => array instanceof Type) || array.length !== length)
      throw new RangeError(
        `"${side}.${name}" expected ${types[0]?.name} of length ${length}, got ${array.constructor.name} of ${array.length}`,
      )
    const numbers = array as FloatArray
    const at = firstNotFinite(numbers)
    if (at >= 0) throw new RangeError(`"${side}.${name}" expected finite numbers, got ${numbers[at]} at index ${at}`)
  }
}

/** A device of float64 takes both types. */
const typesIn = (precision: Precision) => (precision === 'f64' ? [Float64Array, Float32Array] : [Float32Array])

/** The tables of a run must be as long as their parameters say. Kinds need no check, because loops clamp them. */
function requireTables({ precision, workload }: ClusterJob, { tables, parameters }: Bindings): void {
  const { law } = workload
  if (tables === undefined && law.tables === undefined) return
  const length = law.tables && tablesLength(law.tables, parameters)
  const fits = typesIn(precision).some((Type) => tables instanceof Type) && tables?.length === length
  if (!fits || !tables)
    throw new RangeError(`"tables.numbers" expected ${length ?? 'no'} numbers, got ${tables?.length ?? 'none'}`)
  const at = firstNotFinite(tables)
  if (at >= 0) throw new RangeError(`"tables.numbers" expected finite numbers, got ${tables[at]} at index ${at}`)
}

const integers = ['targets', 'offsets', 'sources'] as const

/** Ranges must have the form that core produces. */
function requireRanges({ workload, shape }: ClusterJob, bindings: Bindings): void {
  const given = Object(bindings.ranges) as Readonly<Record<string, TypedArray>>
  for (const name of integers)
    if (!(given[name] instanceof Uint32Array)) throw new TypeError(`"ranges.${name}" expected a Uint32Array, got none`)
  const { ranges } = withRanges({ workload, shape, bindings }, given as never).bindings
  const isSame = (name: (typeof integers)[number]) =>
    ranges?.[name].length === given[name]?.length && ranges?.[name].every((n, at) => n === given[name]?.[at])
  if (!integers.every(isSame))
    throw new RangeError(
      '"ranges" expected no empty block or range, and ranges of a block in order with gaps between them',
    )
}

/** Offsets begin at 0 and never fall: one start for each target, and the end of the last list. */
function requireOffsets(offsets: Uint32Array, rows: number): void {
  const at = offsets.findIndex((offset, n) => (n === 0 ? offset !== 0 : offset < (offsets[n - 1] as number)))
  if (!(offsets instanceof Uint32Array) || offsets.length !== rows + 1 || at >= 0)
    throw new RangeError(
      `"lists.offsets" expected a Uint32Array of ${rows + 1} integers that begin at 0 and never fall`,
    )
}
