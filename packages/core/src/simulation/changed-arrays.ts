/**
 * The arrays of points after some have come or gone. Each array is made when it is first read: a device that changes its own arrays in
 * place needs none of them, and points may come and go in every frame.
 *
 * @module
 */
import type { Stretch } from '../ground/arrays/bindings.ts'
import { movedTogether } from '../ground/arrays/moved-together.ts'
import type { FloatArray } from '../ground/checks.ts'
import { Remembered } from '../ground/remember.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import {
  countOf,
  foundArrays,
  knownForms,
  lengthsOf,
  lowArrays,
  type PointArrays,
  type PointsForm,
  tellsWidths,
  vectorsOf,
  widthOf,
} from './arrays.ts'

/** Points behind the others, array by array, zeros in those that are left out; or the stretches of points that stay. */
export type Population = { readonly added: PointArrays } | { readonly kept: readonly Stretch[] }

/** A state with points that change. */
interface Changing {
  readonly arrays: PointArrays
  readonly dimension: Dimension
  readonly computed?: Readonly<Record<string, unknown>> | undefined
}

const forms = new Remembered<PointArrays, PointsForm>()

/** The form that the points of a state have once some of them have come or gone. Without points, nothing tells the widths of arrays. */
export const formOf = (state: Changing): PointsForm =>
  knownForms.get(state.arrays)?.form ?? forms.of(state.arrays, () => formBy(state, state.arrays))

/** @param arrays tell how many numbers a point has in each */
function formBy({ arrays, dimension, computed = {} }: Changing, wide: PointArrays): PointsForm {
  const own = Object.keys(computed)
  const lasting = Object.keys(arrays).filter((name) => ![...foundByForces, ...own].includes(name))
  return {
    names: [...lasting, ...own],
    given: lasting.filter((name) => !foundArrays.includes(name)),
    vectors: [...new Set([...vectorsOf(wide), ...lasting.filter((name) => lows.includes(name))])],
    lengths: lengthsOf({ arrays: wide, dimension }),
  }
}

/** Points that come may leave these out. */
const lows = Object.values(lowArrays)

/** Other points have other numbers in these. */
const foundByForces: readonly string[] = ['acceleration', 'previous']

/** The last change of arrays that were made here. */
export const changeOf = (arrays: PointArrays): Later | undefined => {
  const known = knownForms.get(arrays)
  return known instanceof Later ? known : undefined
}

/** Objects with the names of a form. The arrays are elsewhere. */
const blanks = new Remembered<PointsForm, PointArrays>()

export function changedArrays(state: Changing, change: Population): PointArrays {
  const first = 'added' in change && !tellsWidths(state)
  const form = first ? formBy(state, change.added) : formOf(state)
  const blank = blanks.of(form, () => Object.fromEntries(form.names.map((name) => [name, undefined])) as never)
  const later = new Later(state, change, form)
  const arrays = new Proxy(blank, later)
  knownForms.set(arrays, later)
  return arrays
}

/** Makes the arrays after a change when they are first read. */
class Later implements ProxyHandler<PointArrays> {
  readonly before: PointArrays
  /** How many points there are after it. */
  readonly count: number
  /** The arrays that were read. */
  readonly made: Map<string, FloatArray> = new Map()
  readonly #dimension: Dimension

  constructor(
    state: Changing,
    readonly change: Population,
    readonly form: PointsForm,
  ) {
    const { arrays, dimension } = state
    this.before = arrays
    this.#dimension = dimension
    this.count = 'added' in change ? countOf(state) + change.added.position.length / dimension : sizeOf(change.kept)
  }

  get(blank: PointArrays, name: string, arrays: PointArrays): unknown {
    if (!Object.hasOwn(blank, name)) return Reflect.get(blank, name)
    const array = this.made.get(name) ?? madeNow(arrays, name, this.#dimension)
    this.made.set(name, array)
    return array
  }
}

/** Makes an array from the latest one before it that exists. Of all that were made, only this one is kept. */
function madeNow(arrays: PointArrays, name: string, dimension: Dimension): FloatArray {
  const later: Population[] = []
  let latest = arrays
  for (let last = changeOf(latest); last && !isMade(latest, name); last = changeOf(latest)) {
    later.unshift(last.change)
    latest = last.before
  }
  const start = latest[name] as FloatArray
  changeOf(latest)?.made.delete(name)
  const width = widthOf({ arrays, dimension }, name)
  const lengthIn = ({ position }: PointArrays) => (width * position.length) / dimension
  const parts = later.flatMap((change) => ('added' in change ? [change.added] : []))
  const room = parts.reduce((sum, added) => sum + lengthIn(added), start.length)
  const double = [start, ...parts.map((added) => added[name])].some((part) => part instanceof Float64Array)
  const numbers = new (double ? Float64Array : Float32Array)(room)
  numbers.set(start)
  let end = start.length
  for (const change of later) {
    if ('added' in change) {
      const next = end + lengthIn(change.added)
      const part = change.added[name]
      // Numbers that were moved may lie there.
      if (part) numbers.set(part, end)
      else numbers.fill(0, end, next)
      end = next
    } else end = movedTogether(numbers, widened(change.kept, width))
  }
  return numbers.slice(0, end)
}

/** Whether an array has been made, and is kept. */
export const isMade = (arrays: PointArrays, name: string): boolean => changeOf(arrays)?.made.has(name) ?? true

/** How many points are in some stretches. */
const sizeOf = (kept: readonly Stretch[]): number => kept.reduce((sum, [first, last]) => sum + last - first, 0)

/** The stretches of numbers, `width` for each point. */
export const widened = (kept: readonly Stretch[], width: number): readonly Stretch[] =>
  kept.map(([first, last]) => [width * first, width * last] as const)
