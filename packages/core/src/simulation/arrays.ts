/**
 * The arrays of the points of a simulation by name, and how many numbers each has for a point: one, one per component, or as many as
 * a vector of any length has.
 *
 * @module
 */
import { type FloatArray, unexpected } from '../ground/checks.ts'
import type { NamedArrays } from '../problem/workloads/map-set.ts'
import type { Lengths } from '../problem/workloads/vector-sets.ts'
import type { Dimension } from '../problem/workloads/workload.ts'

export type PointArrays = { readonly position: FloatArray; readonly velocity: FloatArray } & Readonly<
  Record<string, FloatArray>
>

/** Arrays that every simulation has, with one number per component. A user gives the first two. */
export const moving: readonly string[] = ['position', 'velocity', 'acceleration', 'previous']

/** The arrays of the low parts of positions and velocities, in simulations that have them: see `low-parts.ts`. */
export const lowArrays: Readonly<Record<string, string>> = { position: 'positionLow', velocity: 'velocityLow' }

/** Arrays that a simulation finds itself, whatever its forces are. */
export const foundArrays: readonly string[] = ['acceleration', 'previous', ...Object.values(lowArrays)]

/** The arrays of points whatever their numbers are. It stays the same object while points come and go. */
export interface PointsForm {
  readonly names: readonly string[]
  /** Those that come with points: forces, steps and the simulation find the others. */
  readonly given: readonly string[]
  /** The arrays with one number per component. */
  readonly vectors: readonly string[]
  /** The numbers per point of the other arrays that have more than one: vectors of any length. */
  readonly lengths: Lengths
}

/** Of arrays that are made when they are read: see `changed-arrays.ts`. */
export const knownForms: WeakMap<PointArrays, { readonly count: number; readonly form: PointsForm }> = new WeakMap()

/** How many points there are. */
export const countOf = ({
  arrays,
  dimension,
}: {
  readonly arrays: PointArrays
  readonly dimension: Dimension
}): number => knownForms.get(arrays)?.count ?? arrays.position.length / dimension

/** Whether something tells how many numbers each array has for a point. The first points that come do, if there were none. */
export const tellsWidths = (state: { readonly arrays: PointArrays; readonly dimension: Dimension }): boolean =>
  knownForms.has(state.arrays) || countOf(state) > 0

/** The arrays with one number per component. Without points, only the arrays of every simulation. */
export function vectorsOf(arrays: PointArrays): readonly string[] {
  const known = knownForms.get(arrays)
  if (known) return known.form.vectors
  const { length } = arrays.position
  const lows = Object.values(lowArrays)
  const own = Object.keys(arrays).filter(
    (name) => lows.includes(name) || (length > 0 && arrays[name]?.length === length),
  )
  return [...new Set([...moving, ...own])]
}

/** The vectors of any length among the arrays, and how long they are. Without points, nothing tells it. */
export function lengthsOf(state: { readonly arrays: PointArrays; readonly dimension: Dimension }): Lengths {
  const known = knownForms.get(state.arrays)
  if (known) return known.form.lengths
  const { arrays } = state
  const [count, vectors] = [countOf(state), vectorsOf(arrays)]
  const long = Object.entries(arrays).filter(
    ([name, array]) => count > 0 && !vectors.includes(name) && array.length > count,
  )
  return Object.fromEntries(long.map(([name, array]) => [name, array.length / count]))
}

/** How many numbers an array has for each point. */
export const widthOf = (
  state: { readonly arrays: PointArrays; readonly dimension: Dimension },
  name: string,
): number => (vectorsOf(state.arrays).includes(name) ? state.dimension : (lengthsOf(state)[name] ?? 1))

/** The names of the arrays that callers read: the arrays of every simulation, then the attributes. */
const arrayNames = ({ arrays }: { readonly arrays: PointArrays }): readonly string[] => [
  ...new Set([...moving, ...Object.keys(arrays)]),
]

/** Whether a caller can mean an array by a name. */
export const isArray = (state: { readonly arrays: PointArrays }, name: string): boolean =>
  arrayNames(state).includes(name)

/** The array that a caller names, and the axis if it is one component of a vector, such as `velocity_x`. @throws TypeError */
export function arrayNamed(
  name: unknown,
  state: { readonly arrays: PointArrays; readonly dimension: Dimension },
): { readonly array: string; readonly axis?: number } {
  const names = arrayNames(state)
  if (names.includes(name as string)) return { array: name as string }
  const [, array = '', letter = ''] = (typeof name === 'string' && /^(.+)_([xyz])$/.exec(name)) || []
  const axis = 'xyz'.indexOf(letter || '-')
  if (axis >= 0 && axis < state.dimension && vectorsOf(state.arrays).includes(array)) return { array, axis }
  throw unexpected('name', `one of ${names.join(', ')}`, name)
}

/** The names that an expression of a point may use. It reads no vectors of other lengths than positions have. */
export function pointNames(state: { readonly arrays: PointArrays; readonly dimension: Dimension }): NamedArrays {
  const [vectors, long] = [vectorsOf(state.arrays), lengthsOf(state)]
  const names = arrayNames(state).filter((name) => !Object.hasOwn(long, name))
  return { names, vectors: names.filter((name) => vectors.includes(name)), dimension: state.dimension, long }
}
