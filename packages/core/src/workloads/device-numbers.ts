/**
 * The numbers that a device is given: those of a run in the precision in which the device computes.
 *
 * This is the one place where float64 input becomes float32. Only displacements matter to pairs, and rounding coordinates
 * far from the origin would take the digits of the displacements, so float64 positions are first counted from a nearer
 * centre (see `centre.ts`). Maps and cells read positions as they are.
 *
 * @module
 */
import type { PointSet } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import type { Precision } from '../precision.ts'
import type { Bound } from './bind.ts'
import { centreOf } from './centre.ts'

/** The largest float32, and the smallest that every device keeps: some take smaller ones for 0. */
const largest = (2 - 2 ** -23) * 2 ** 127
const smallest = 2 ** -126

/**
 * The same run in the numbers of a device: with `f32`, every plain array is a Float32Array.
 *
 * @throws RangeError for numbers that are finite and not 0, but not in that precision
 */
export function deviceNumbers(bound: Bound, precision: Precision): Bound {
  const { workload, shape, bindings } = bound
  if (precision === 'f64') return bound
  const { targets, sources } = bindings
  const positions = [...new Set([targets, sources])].map((set) => set.arrays.position)
  const centred =
    workload.loop === 'pair' && positions.every(isPlain) && positions.some((array) => array instanceof Float64Array)
  const centre = centred ? centreOf(positions, shape.dimension) : undefined
  const rounded = (set: PointSet): PointSet => {
    const arrays = Object.entries(set.arrays).map(([name, array]) => {
      const from = name === 'position' ? centre : undefined
      return [name, isPlain(array) && (from || array instanceof Float64Array) ? toFloat32(array, name, from) : array]
    })
    return { ...set, arrays: Object.fromEntries(arrays) }
  }
  const given = rounded(targets)
  return {
    ...bound,
    bindings: { ...bindings, targets: given, sources: sources === targets ? given : rounded(sources) },
  }
}

const isPlain = (array: PointSet['arrays'][string] | undefined): array is FloatArray => ArrayBuffer.isView(array)

function toFloat32(array: FloatArray, name: string, centre: readonly number[] = [0]): Float32Array {
  const rounded = new Float32Array(array.length)
  const period = centre.length
  let most = 0
  for (let axis = 0; axis < period; axis++) {
    const from = centre[axis] as number
    for (let n = axis; n < array.length; n += period) {
      const x = array[n] as number
      most = Math.max(most, Math.abs(x))
      rounded[n] = x - from
    }
  }
  const lost = most > largest ? array.findIndex((x) => Math.abs(x) > largest) : -1
  if (lost >= 0)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, up to 3.4e38, got ${array[lost]} at index ${lost}; use larger units or precision "f64"`,
    )
  if (most > 0 && most < smallest)
    throw new RangeError(
      `"${name}" expected numbers that float32 holds, from 1.2e-38, got at most ${most}; use smaller units or precision "f64"`,
    )
  return rounded
}
