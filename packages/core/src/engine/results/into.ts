/**
 * Writes results into the caller's arrays instead of new ones.
 *
 * @module
 */

import { attached, onlyNamed, unexpected } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import { type ResultArray, resultArrays } from '../../problem/workloads/bodies/result-arrays.ts'
import type { ArrayResults, Results } from '../../problem/workloads/workload.ts'
import type { Executed, RunInput } from '../calls/execute.ts'

/**
 * Arrays for some or all results. The results of an earlier run of the same shape fit. An array for lists may be longer than
 * they are: the result is then its first part.
 */
export type Into<Name extends string> = { readonly [N in Name]?: Exclude<Results<Name, Precision>[N], number> } & {
  readonly report?: unknown
}

/** The arrays that runs on any engine are writing into now. */
const inUse = new WeakMap<ArrayBufferLike, Set<ArrayBufferView>>()

/**
 * Runs, and writes the results into the caller's arrays.
 *
 * @throws TypeError, RangeError for a name that is not a result, a wrong type or length, or memory that another result or
 *   another run is writing into
 */
export async function runInto(
  into: object,
  input: RunInput,
  precision: Precision,
  run: (input: RunInput) => Promise<Executed>,
): Promise<Executed> {
  const arrays = checkInto(into, input, precision)
  const claimed: ArrayBufferView[] = []
  try {
    for (const [name, array] of Object.entries(arrays)) {
      claim(name, array)
      claimed.push(array)
    }
    const done = await run({ ...input, options: { ...input.options, into: arrays } })
    return { ...done, results: placed(done.results, arrays) }
  } finally {
    for (const array of claimed) inUse.get(array.buffer)?.delete(array)
  }
}

function checkInto(into: object, { workload, shape }: RunInput, precision: Precision): ArrayResults {
  if (workload.loop === 'pair' && workload.total)
    throw new TypeError(`"into" expected nothing, as "${workload.results.join()}" is one number`)
  const expected = resultArrays(workload, shape, precision)
  const { report: _, ...arrays } = onlyNamed(into, 'result', [...expected.keys(), 'report']) as Record<string, unknown>
  for (const [name, array] of Object.entries(arrays)) {
    const { Type, length, listed } = expected.get(name) as ResultArray
    if (!(array instanceof Type)) throw unexpected(`into.${name}`, Type.name, array)
    attached(array, `into.${name}`)
    // The program compares the length of lists, which it finds out.
    if (array.length !== length && !listed)
      throw new RangeError(`"into.${name}" expected length ${length}, got ${array.length}`)
  }
  return arrays as ArrayResults
}

function claim(name: string, array: ArrayBufferView): void {
  const taken = inUse.get(array.buffer) ?? new Set()
  if ([...taken].some((other) => overlap(array, other)))
    throw new RangeError(
      `"into.${name}" expected memory that nothing else writes to, got memory of another result or run; give each its own arrays, or wait for the other run`,
    )
  inUse.set(array.buffer, taken.add(array))
}

/** Whether two views of one buffer share bytes. */
function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
}

/** Copies results into the caller's arrays, unless the device wrote them there already, perhaps into the first part. */
function placed(results: Executed['results'], into: ArrayResults): Executed['results'] {
  const all = { ...results }
  for (const [name, array] of Object.entries(into)) {
    const found = results[name] as ArrayResults[string]
    if (found.buffer === array.buffer) continue
    array.set(found)
    all[name] = array
  }
  return all
}
