/**
 * The arrays of points after some have come or gone. Each array is made when it is first read: a device that changes its own arrays in
 * place needs none of them, and points may come and go in every frame.
 *
 * @module
 */
import type { Stretch } from '../ground/arrays/bindings.ts'
import { movedTogether } from '../ground/arrays/moved-together.ts'
import type { FloatArray } from '../ground/checks.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { countOf, knownWidths, lengthsOf, type PointArrays, tellsWidths, vectorsOf, widthOf } from './arrays.ts'

/** Points behind the others, array by array, or the stretches of points that stay. */
export type Population =
  | { readonly added: Readonly<Record<string, FloatArray>> }
  | { readonly kept: readonly Stretch[] }

/** The last change of some arrays. */
interface Changed {
  readonly before: PointArrays
  readonly change: Population
}

const changes = new WeakMap<PointArrays, Changed>()

/** The last change of arrays that were made here. */
export const changeOf = (arrays: PointArrays): Changed | undefined => changes.get(arrays)

/** @param names of the arrays that there are from now on */
export function changedArrays(
  before: PointArrays,
  change: Population,
  names: readonly string[],
  dimension: Dimension,
): PointArrays {
  const arrays = {} as PointArrays
  const state = { arrays: before, dimension }
  const wide = 'added' in change && !tellsWidths(state) ? { arrays: change.added as PointArrays, dimension } : state
  const [vectors, lengths] = [vectorsOf(wide.arrays), lengthsOf(wide)]
  for (const name of names) makeLater(arrays, name, widthOf(wide, name))
  const count =
    'added' in change
      ? countOf(state) + (change.added.position as FloatArray).length / dimension
      : change.kept.reduce((sum, [first, last]) => sum + last - first, 0)
  changes.set(arrays, { before, change })
  knownWidths.set(arrays, { count, vectors, lengths })
  return arrays
}

/** The array is made when it is first read. */
function makeLater(arrays: PointArrays, name: string, width: number): void {
  Object.defineProperty(arrays, name, {
    enumerable: true,
    configurable: true,
    get() {
      const value = madeNow(arrays, name, width)
      Object.defineProperty(arrays, name, { enumerable: true, configurable: true, value })
      return value
    },
  })
}

/** Makes an array from the latest one before it that exists. Of all that were made, only this one is kept. */
function madeNow(arrays: PointArrays, name: string, width: number): FloatArray {
  const later: Population[] = []
  let latest = arrays
  for (let last = changes.get(latest); last && !exists(latest, name); last = changes.get(latest)) {
    later.unshift(last.change)
    latest = last.before
  }
  const start = latest[name] as FloatArray
  if (changes.has(latest)) makeLater(latest, name, width)
  const parts = later.flatMap((change) => ('added' in change ? [change.added[name] as FloatArray] : []))
  const room = parts.reduce((sum, { length }) => sum + length, start.length)
  const double = [start, ...parts].some((part) => part instanceof Float64Array)
  const numbers = new (double ? Float64Array : Float32Array)(room)
  numbers.set(start)
  let end = start.length
  for (const change of later) {
    if ('added' in change) {
      const part = change.added[name] as FloatArray
      numbers.set(part, end)
      end += part.length
    } else end = movedTogether(numbers, widened(change.kept, width))
  }
  return numbers.slice(0, end)
}

const exists = (arrays: PointArrays, name: string) => Object.getOwnPropertyDescriptor(arrays, name)?.get === undefined

/** The stretches of numbers, `width` for each point. */
export const widened = (kept: readonly Stretch[], width: number): readonly Stretch[] =>
  kept.map(([first, last]) => [width * first, width * last] as const)
