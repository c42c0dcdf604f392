/**
 * Results in arrays of the caller's, in place of new ones with each run.
 *
 * @module
 */

import type { Bindings } from '../backend.ts'
import { describe, onlyNamed } from '../checks.ts'
import type { Precision } from '../precision.ts'
import { type ResultArray, resultArrays } from '../workloads/result-arrays.ts'
import type { ArrayResults, Results, Shape, Workload } from '../workloads/workload.ts'

/** Arrays for some or all results; what an earlier run of the same shape gave will do as it is. */
export type Into<Name extends string> = { readonly [N in Name]?: Exclude<Results<Name, Precision>[N], number> } & {
  readonly report?: unknown
}

/**
 * The arrays that results go to, by name.
 *
 * @throws TypeError, RangeError for a name that is no result, a wrong type or length, or memory that the run reads
 */
export function checkInto(
  into: object,
  workload: Workload,
  shape: Shape,
  bindings: Bindings,
  precision: Precision,
): ArrayResults {
  if (workload.loop === 'pair' && workload.total)
    throw new TypeError(`"into" expected nothing, as "${workload.results.join()}" is one number`)
  const expected = resultArrays(workload, shape, precision)
  const { report: _, ...arrays } = onlyNamed(into, 'result', [...expected.keys(), 'report']) as Record<string, unknown>
  const read = [bindings.targets, bindings.sources].flatMap((set) => Object.entries(set.arrays))
  for (const [name, array] of Object.entries(arrays)) {
    const { Type, length } = expected.get(name) as ResultArray
    if (!(array instanceof Type)) throw new TypeError(`"into.${name}" expected ${Type.name}, got ${describe(array)}`)
    if (array.length !== length) throw new RangeError(`"into.${name}" expected length ${length}, got ${array.length}`)
    const input = read.find(([, other]) => ArrayBuffer.isView(other) && overlap(array, other))
    if (input) throw new RangeError(`"into.${name}" expected memory of its own, got some of "${input[0]}"`)
  }
  return arrays as ArrayResults
}

function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return (
    a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
  )
}

/** Results where they belong: copied there, unless the device has put them there. */
export function placed<T extends object>(results: T, into: ArrayResults): T {
  for (const [name, array] of Object.entries(into)) {
    const found = (results as ArrayResults)[name]
    if (found && found !== array) array.set(found)
  }
  return { ...results, ...into }
}
