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
import {
  boxesIn,
  exactPositions,
  inFloat32,
  inUnit,
  plainNumbers,
  requireFloat32,
  withSets,
} from '../../loaded-at-once.ts'
import type { Bound } from '../bind.ts'
import type { Shape } from '../workload.ts'
import { centreOf } from './centre.ts'
import { closePair } from './close-pairs.ts'
import { split } from './split.ts'

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
  const positions = precision === 'f32' ? exactPositions(bound) : undefined
  if (!positions) return plainNumbers(bound, precision)
  const given = placed(bound, positions)
  requireFloat32(given.workload, given.shape, given.bindings.parameters)
  return given
}

function placed(bound: Bound, [here, there]: readonly [FloatArray, FloatArray]): Bound {
  const given = inFloat32(bound)
  const boxes = boxesIn(bound.bindings.parameters)
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
  const moved = closePair(from, to, { dimension, boxes }, mostLost)
    ? split(given, [from, to], boxes)
    : withPositions(given, new Float32Array(from), new Float32Array(to))
  return inUnit(moved, from === to ? [from] : [from, to], boxes)
}

/** Adds all other numbers that a program of that shape reads to bindings, for trials of programs. */
export function asShaped(bound: Bound, shape: Shape): Bindings {
  const { targets, sources, parameters } = bound.bindings
  const [here, there] = [targets, sources].map((set) => set.arrays.position as FloatArray) as [FloatArray, FloatArray]
  const { bindings } = shape.split ? split(bound, [here, there], boxesIn(parameters)) : bound
  return shape.scaled ? { ...bindings, parameters: { ...bindings.parameters, lengthUnit: 1 } } : bindings
}

function withPositions(bound: Bound, here: FloatArray, there: FloatArray): Bound {
  const { targets, sources } = bound.bindings
  const placed = (set: PointSet, position: FloatArray) => ({ ...set, arrays: { ...set.arrays, position } })
  return withSets(bound, targets === sources, placed(targets, here), () => placed(sources, there))
}
