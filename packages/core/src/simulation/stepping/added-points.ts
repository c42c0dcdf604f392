/**
 * The numbers of points that are added to a simulation, as a caller gives them: plain arrays are copied and compared with the arrays of now,
 * all other forms go through the checks of a new simulation. `points.ts` has the state with these points.
 *
 * @module
 */
import { looksFinite } from '../../ground/arrays/magnitudes.ts'
import { type FloatArray, takenArray, unexpected } from '../../ground/checks.ts'
import { deepCopy } from '../../ground/deep-copy.ts'
import { isSet, noSet, pointSet } from '../../problem/workloads/particles.ts'
import { lengthsOf, lowArrays, type PointArrays, tellsWidths, widthOf } from '../arrays.ts'
import { formOf } from '../changed-arrays.ts'
import { longVectors } from '../check-forces.ts'
import { zerosFor } from '../forces/computed.ts'
import type { ForceParts } from '../forces/force.ts'
import { lowPartOf } from '../low-parts.ts'
import type { ClockedState } from '../state.ts'

/** Copies the numbers of points that come behind the others, array by array. @throws TypeError, RangeError */
export function addedPoints(state: ClockedState, parts: ForceParts, given: unknown): PointArrays {
  const all = (tellsWidths(state) && plainPoints(state, given)) || checkedPoints(state, parts, deepCopy(given))
  const zeros = zerosFor(parts.computed, all, all.position.length / state.dimension)
  return Object.assign(all, zeros, lowParts(all, state))
}

/** Copies of points in plain arrays of the right names and lengths, as they may come in every frame; undefined for any others. */
function plainPoints(state: ClockedState, set: unknown): PointArrays | undefined {
  if (!isSet(set)) return undefined
  const { given: names, vectors, lengths } = formOf(state)
  const { dimension } = state
  const points = set as Readonly<Record<string, unknown>>
  for (const name in points) if (name !== 'dimension' && !names.includes(name)) return undefined
  const { position, velocity, dimension: given = dimension } = points
  const count = isFloats(position) ? position.length / dimension : 0
  if (
    count === 0 ||
    !Number.isInteger(count) ||
    given !== dimension ||
    (velocity !== undefined && state.integrator.motion === 'first-order')
  )
    return undefined
  const copies: Record<string, FloatArray> = {}
  for (const name of names) {
    const width = vectors.includes(name) ? dimension : (lengths[name] ?? 1)
    const array = points[name] ?? (name === 'velocity' ? new Float32Array(width * count) : undefined)
    if (!isFloats(array) || array.length !== width * count || !looksFinite(array)) return undefined
    copies[name] = array.slice()
  }
  return copies as PointArrays
}

const isFloats = (value: unknown): value is FloatArray => value instanceof Float32Array || value instanceof Float64Array

/** What float32 leaves out of numbers that are float64, where a simulation keeps that. */
function lowParts(points: PointArrays, { arrays }: ClockedState): Readonly<Record<string, FloatArray>> {
  const lows: Record<string, FloatArray> = {}
  for (const name in lowArrays) {
    const [numbers, low] = [points[name], lowArrays[name] as string]
    if (numbers instanceof Float64Array && Object.hasOwn(arrays, low)) lows[low] = lowPartOf(numbers)
  }
  return lows
}

/** @param given copied before @throws TypeError, RangeError */
function checkedPoints(state: ClockedState, parts: ForceParts, given: unknown): PointArrays {
  if (!isSet(given)) throw noSet('points', '{ position, ... }', given)
  const { velocity, ...points } = given as Readonly<Record<string, unknown>>
  const { dimension, integrator } = state
  const long = [...Object.keys(lengthsOf(state)), ...longVectors(parts)]
  const { arrays: added, count } = pointSet({ dimension, ...points }, '', long)
  const givenDimension = (given as { readonly dimension?: number }).dimension ?? dimension
  if (givenDimension !== dimension)
    throw new RangeError(`"dimension" expected ${dimension}, that of the other points, got ${givenDimension}`)
  const moves = integrator.motion !== 'first-order'
  if (velocity !== undefined && !moves)
    throw new TypeError('"velocity" is computed by the simulation; leave it out of the points')
  const moving = velocity === undefined ? new Float32Array(count * dimension) : takenArray(velocity, 'velocity')
  const all = { ...added, velocity: moving } as PointArrays
  const { given: names } = formOf(state)
  const strange = Object.keys(all).find((name) => !names.includes(name))
  if (strange !== undefined) throw unexpected('points', `arrays named ${names.join(', ')}`, strange)
  const wide = tellsWidths(state) ? state : { arrays: all, dimension }
  for (const name of names) {
    const width = widthOf(wide, name)
    if (all[name]?.length !== width * count)
      throw new RangeError(
        `"${name}" expected ${width * count} numbers, ${width} for each of the ${count} points, got ${all[name]?.length ?? 'nothing'}`,
      )
  }
  return all
}
