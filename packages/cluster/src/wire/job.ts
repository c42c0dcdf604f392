/**
 * A job: one run of a workload over pairs, as data. A worker gets it as JSON and executes nothing but laws that core has parsed.
 *
 * @module
 */
import type { PairWorkload, Plan, Precision, Range, Shape, Workload } from '@manybody/core'
import { workloadOf } from '@manybody/core/backend'
import { type ArrayRef, byteLengthOf, checkedRef } from './arrays.ts'

/** Raised when coordinators and workers of two versions would misunderstand each other. */
export const protocol = 4

type Refs = Readonly<Record<string, ArrayRef>>

/** The arrays of the bindings. `sources` is absent where targets and sources are one set. */
export interface JobArrays {
  readonly targets: Refs
  readonly sources?: Refs
  readonly exclusions?: Refs
  readonly ranges?: Refs
  readonly lists?: Refs
}

export interface ClusterJob {
  readonly precision: Precision
  readonly workload: PairWorkload
  readonly shape: Shape
  /** Every worker uses this plan; without one, each takes what its backend chooses. */
  readonly plan: Plan | undefined
  readonly parameters: Readonly<Record<string, number>>
  /** The ranges of the whole run. */
  readonly targets: Range
  readonly sources: Range
  readonly arrays: JobArrays
}

/** JSON has neither infinities nor a negative zero. */
const written = (number: number) =>
  Number.isFinite(number) && !Object.is(number, -0) ? number : String(number === 0 ? '-0' : number)

export function encoded({ parameters, ...job }: ClusterJob): Uint8Array {
  const numbers = Object.fromEntries(Object.entries(parameters).map(([name, number]) => [name, written(number)]))
  return new TextEncoder().encode(JSON.stringify({ protocol, ...job, parameters: numbers }))
}

/** The most bytes that the arrays of a job may have, in total. */
const largestJob: number = 8 * 2 ** 30

/**
 * @param checked gives a workload as {@link workloadOf} does
 * @throws TypeError, RangeError, ExpressionError if the text is not a job that a worker may run
 */
export function jobFrom(text: string, checked: (given: Workload) => Workload = workloadOf): ClusterJob {
  const given = JSON.parse(text) as ClusterJob & { readonly protocol: unknown }
  if (given?.protocol !== protocol)
    throw new TypeError(
      `"protocol" expected ${protocol}, got ${given?.protocol}; use one version of manybody everywhere`,
    )
  const workload = checked(given.workload)
  if (workload.loop !== 'pair')
    throw new TypeError(`"workload" expected a loop over pairs, got one over ${workload.loop}s`)
  const { precision, plan, shape, targets, sources } = given
  if (precision !== 'f32' && precision !== 'f64')
    throw new TypeError(`"precision" expected f32 or f64, got ${precision}`)
  const parameters = Object.fromEntries(Object.entries(Object(given.parameters)).map(([name, n]) => [name, Number(n)]))
  const arrays: JobArrays = checkedArrays(given.arrays, shape)
  return { precision, workload, shape, plan, parameters, targets, sources, arrays }
}

function checkedArrays(given: JobArrays, shape: Shape): JobArrays {
  let bytes = 0
  const groups = Object.entries(Object(given) as JobArrays).map(([group, refs]) => {
    const checked = Object.entries(Object(refs) as Refs).map(([name, ref]) => {
      const one = checkedRef(ref, `${group}.${name}`)
      bytes += byteLengthOf(one)
      const count = group === 'targets' || group === 'sources' ? shape[group] : undefined
      if (count !== undefined && (count === 0 ? one.length > 0 : one.length % count > 0))
        throw new RangeError(`"${group}.${name}" expected a multiple of ${count} numbers, got ${one.length}`)
      return [name, one]
    })
    return [group, Object.fromEntries(checked)]
  })
  if (bytes > largestJob)
    throw new RangeError(`Cannot run job: its arrays have ${bytes} bytes, more than ${largestJob}`)
  return Object.fromEntries(groups)
}
