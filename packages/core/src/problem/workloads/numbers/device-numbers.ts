/**
 * The numbers of a run in the precision of the device.
 *
 * This is the only place where float64 input becomes float32. Pairs depend on displacements alone, and rounding coordinates
 * far from the origin would lose digits of the displacements. So float64 positions are first moved to a nearer centre (see
 * `centre.ts`), and split into two floats if that is not enough. Maps and cells read positions unchanged.
 *
 * @module
 */
import type { Bindings, PointSet } from '../../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../../ground/checks.ts'
import type { Precision } from '../../../ground/precision.ts'
import { Remembered } from '../../../ground/remember.ts'
import type { Bound } from '../bind.ts'
import { boxesIn } from '../parameters.ts'
import type { Shape } from '../workload.ts'
import { centreOf } from './centre.ts'
import { closePair } from './close-pairs.ts'
import { largest, lostIn, requireFloat32, smallest } from './number-range.ts'
import { split } from './split.ts'
import { unitsFor } from './units.ts'

/** The share of the distance between neighbours that rounding may change before coordinates are split. */
const mostLost = 2 ** -14

/**
 * The same run in the numbers of a device: with `f32`, every plain array is a Float32Array.
 *
 * The shape tells the program whether coordinates are split, and whether the unit of length differs (see `split.ts`,
 * `units.ts`).
 *
 * @throws RangeError for numbers, parameters and laws that become infinite or 0 in that precision
 */
export function deviceNumbers(bound: Bound, precision: Precision): Bound {
  if (precision === 'f64') return bound
  const given = numbersOf(bound)
  requireFloat32(given.workload, given.shape, given.bindings.parameters)
  return given
}

function numbersOf(bound: Bound): Bound {
  const { targets, sources, parameters } = bound.bindings
  const here = targets.arrays.position
  const there = sources.arrays.position
  const given = inFloat32(bound)
  if (bound.workload.loop !== 'pair' || !isPlain(here) || !isPlain(there)) return given
  const boxes = boxesIn(parameters)
  if (!(here instanceof Float64Array || there instanceof Float64Array))
    return inUnit(given, here === there ? [here] : [here, there], boxes)
  const { dimension } = bound.shape
  const centre = centreOf(here === there ? [here] : [here, there], dimension)
  const counted = (array: FloatArray) => {
    const numbers = new Float64Array(array.length)
    for (let axis = 0; axis < dimension; axis++) {
      const from = centre[axis] as number
      for (let n = axis; n < array.length; n += dimension) numbers[n] = (array[n] as number) - from
    }
    return numbers
  }
  const from = counted(here)
  const to = there === here ? from : counted(there)
  const placed = closePair(from, to, { dimension, boxes }, mostLost)
    ? split(given, [from, to], boxes)
    : withPositions(given, new Float32Array(from), new Float32Array(to))
  return inUnit(placed, from === to ? [from] : [from, to], boxes)
}

/** Adds all other numbers that a program of that shape reads to bindings, for trials of programs. */
export function asShaped(bound: Bound, shape: Shape): Bindings {
  const { targets, sources, parameters } = bound.bindings
  const [here, there] = [targets, sources].map((set) => set.arrays.position as FloatArray) as [FloatArray, FloatArray]
  const { bindings } = shape.split ? split(bound, [here, there], boxesIn(parameters)) : bound
  return shape.scaled ? { ...bindings, parameters: { ...bindings.parameters, lengthUnit: 1 } } : bindings
}

/** Rounds every plain array. */
function inFloat32(bound: Bound): Bound {
  const { targets, sources, tables } = bound.bindings
  const rounded = (set: PointSet): PointSet => {
    const arrays: Record<string, PointSet['arrays'][string]> = {}
    for (const name in set.arrays) {
      const array = set.arrays[name] as PointSet['arrays'][string]
      arrays[name] = array instanceof Float64Array ? toFloat32(array, name) : array
    }
    return { ...set, arrays }
  }
  const given = withSets(bound, targets === sources, rounded(targets), () => rounded(sources))
  return tables ? { ...given, bindings: { ...given.bindings, tables: tablesIn('f32', tables) } } : given
}

function withPositions(bound: Bound, here: FloatArray, there: FloatArray): Bound {
  const { targets, sources } = bound.bindings
  const placed = (set: PointSet, position: FloatArray) => ({ ...set, arrays: { ...set.arrays, position } })
  return withSets(bound, targets === sources, placed(targets, here), () => placed(sources, there))
}

/** If both sets are one object, they stay one. */
function withSets(bound: Bound, same: boolean, targets: PointSet, sources: () => PointSet): Bound {
  return { ...bound, bindings: { ...bound.bindings, targets, sources: same ? targets : sources() } }
}

/** The run in a unit of length that suits its points and, if possible, its law. */
function inUnit(bound: Bound, positions: readonly FloatArray[], boxes: readonly number[]): Bound {
  const units = unitsFor(positions, bound.shape.dimension, boxes)
  if (units.length === 0) return bound
  const shape: Shape = { ...bound.shape, scaled: true }
  const runs = units.map((lengthUnit): Bound => {
    const parameters = { ...bound.bindings.parameters, lengthUnit }
    return { ...bound, shape, bindings: { ...bound.bindings, parameters } }
  })
  return runs.find((run) => !lostIn(run.workload, shape, run.bindings.parameters)) ?? runs[0] ?? bound
}

const nothing = new Float32Array()
/** A list of one, as a new one for each call would be garbage. */
const alone: FloatArray[] = [nothing]

/** Whether float32 positions need no other unit of length. */
export function ownUnitSuits(position: FloatArray, { dimension }: Shape, parameters: Bindings['parameters']): boolean {
  alone[0] = position
  const suits = unitsFor(alone, dimension, boxesIn(parameters)).length === 0
  alone[0] = nothing
  return suits
}

const isPlain = (array: PointSet['arrays'][string] | undefined): array is FloatArray => ArrayBuffer.isView(array)

/** The numbers of all tables as a device gets them. @throws RangeError for numbers that float32 does not hold */
export const tablesIn = (precision: Precision, tables: FloatArray): FloatArray =>
  precision === 'f32' && tables instanceof Float64Array
    ? roundedTables.of(tables, () => toFloat32(tables, 'tables'))
    : tables

const roundedTables = new Remembered<FloatArray, Float32Array>()

/** @throws RangeError for numbers that are infinite in float32 */
export function requireInFloat32(array: FloatArray, name: string): void {
  const lost = array.findIndex((x) => Math.abs(x) > largest)
  if (lost >= 0)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, up to 3.4e38, got ${array[lost]} at index ${lost}; use larger units or precision "f64"`,
    )
}

function toFloat32(array: Float64Array, name: string): Float32Array {
  let most = 0
  for (const x of array) most = Math.max(most, Math.abs(x))
  if (most > largest) requireInFloat32(array, name)
  if (most > 0 && most < smallest)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, from 1.2e-38, got at most ${most}; use smaller units or precision "f64"`,
    )
  return new Float32Array(array)
}
