/**
 * Writes results into the caller's arrays instead of new ones.
 *
 * @module
 */

import { isDetached } from '../../ground/arrays/other-forms.ts'
import { attached, named, onlyNamed, unexpected } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { type ResultArray, resultArrays } from '../../problem/workloads/bodies/result-arrays.ts'
import type { ArrayResults, Results } from '../../problem/workloads/workload.ts'
import type { Executed, RunInput } from './executed.ts'

/**
 * Arrays for some or all results. The results of an earlier run of the same shape fit. An array for lists may be longer than
 * they are: the result is then its first part.
 */
export type Into<Name extends string> = { readonly [N in Name]?: Exclude<Results<Name, Precision>[N], number> } & {
  readonly report?: unknown
}

/** The arrays that runs on any engine are writing into now. */
const inUse: ArrayBufferView[] = []

/**
 * Does some work while no other run writes into the memory of these arrays. It claims them at once.
 *
 * @param into a copy of the caller's object
 * @throws RangeError for memory that another run is writing into
 */
export async function holdingInto<T>(into: object | undefined, work: () => Promise<T>): Promise<T> {
  if (!into) return work()
  holdInto(into)
  try {
    return await work()
  } finally {
    giveInto(into)
  }
}

/**
 * Runs, and writes the results into the caller's arrays, which are held.
 *
 * @throws TypeError, RangeError for a name that is not a result, a wrong type or length, or two results in one memory
 */
export async function runInto(
  into: object,
  input: RunInput,
  precision: Precision,
  run: (input: RunInput) => Promise<Executed>,
): Promise<Executed> {
  const arrays = fittingInto(into, arraysFor(input, precision))
  const done = await run({ ...input, options: { ...input.options, into: arrays } })
  return { ...done, results: placed(done.results, arrays) }
}

/** The arrays that a run writes into, by name. @throws TypeError if its result is one number */
export function arraysFor({ workload, shape }: Bound, precision: Precision): ReadonlyMap<string, ResultArray> {
  if (workload.loop === 'pair' && workload.total)
    throw new TypeError(`"into" expected nothing, as "${workload.results.join()}" is one number`)
  return resultArrays(workload, shape, precision)
}

/** The caller's arrays, checked. @throws TypeError, RangeError */
export function fittingInto(into: object, expected: ReadonlyMap<string, ResultArray>): ArrayResults {
  const arrays: Record<string, ArrayResults[string]> = {}
  named(into, 'into')
  for (const name in into) {
    if (name === 'report') continue
    const result = expected.get(name)
    if (!result) {
      onlyNamed(into, 'result', [...expected.keys(), 'report'])
      continue
    }
    const array: unknown = into[name as keyof typeof into]
    requireFit(array, name, result)
    for (const other in arrays) requireApart(name, array, arrays[other] as ArrayBufferView)
    arrays[name] = array
  }
  return arrays
}

/** Until the arrays are given back, no other run writes into them. @throws RangeError for memory that is in use */
export function holdInto(into: object): void {
  for (const name in into) {
    const array = arrayIn(into, name)
    if (array) for (const other of inUse) requireApart(name, array, other)
  }
  for (const name in into) {
    const array = arrayIn(into, name)
    if (array) inUse.push(array)
  }
}

/** @param into as it was held */
export function giveInto(into: object): void {
  for (const name in into) {
    const array = arrayIn(into, name)
    if (!array) continue
    const last = inUse.pop() as ArrayBufferView
    const at = inUse.indexOf(array)
    if (at >= 0) inUse[at] = last
  }
}

/** An array for results. Anything else is refused once the shape of the results is known. */
function arrayIn(into: object, name: string): ArrayBufferView | undefined {
  const value: unknown = into[name as keyof typeof into]
  return name !== 'report' && ArrayBuffer.isView(value) ? value : undefined
}

function requireFit(
  array: unknown,
  name: string,
  { Type, length, listed }: ResultArray,
): asserts array is ArrayResults[string] {
  if (!(array instanceof Type)) throw unexpected(`into.${name}`, Type.name, array)
  // A name for each call would be garbage.
  if (isDetached(array)) attached(array, `into.${name}`)
  // The program compares the length of lists, which it finds out.
  if (array.length !== length && !listed)
    throw new RangeError(`"into.${name}" expected length ${length}, got ${array.length}`)
}

function requireApart(name: string, array: ArrayBufferView, other: ArrayBufferView): void {
  if (other.buffer === array.buffer && overlap(array, other))
    throw new RangeError(
      `"into.${name}" expected memory that nothing else writes to, got memory of another result or run; give each its own arrays, or wait for the other run`,
    )
}

/** Whether two views of one buffer share bytes. */
function overlap(a: ArrayBufferView, b: ArrayBufferView): boolean {
  return a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength
}

/** Copies results into the caller's arrays, unless the device wrote them there already, perhaps into the first part. */
export function placed(results: Executed['results'], into: ArrayResults): Executed['results'] {
  let all = results
  for (const name in into) {
    const [found, array] = [results[name], into[name]] as [ArrayResults[string], ArrayResults[string]]
    if (found.buffer === array.buffer) continue
    array.set(found)
    all = { ...all, [name]: array }
  }
  return all
}
