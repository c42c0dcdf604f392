/**
 * Coordinates as two floats each, for points with displacements that rounding would change too much: two clusters far apart, or a cloud
 * with a point far away.
 *
 * The high part of a coordinate is a multiple of a step so coarse that differences of high parts are exact. The low part is
 * the rest. A displacement adds the differences of the high parts and of the low parts, right to 2^-46 of the largest
 * coordinate. Backends need not know about this: low parts are attributes, and the displacement is an expression. A backend
 * that can bind only a few arrays finds the low parts of all axes in `positionLow`, too, in the order of `position`.
 *
 * @module
 */
import type { FloatArray } from '../../../ground/checks.ts'
import { lowNames } from '../../../ground/names.ts'
import type { Bound } from '../bind.ts'

const axes = ['X', 'Y', 'Z'] as const

/**
 * A parameter below every number of a run. The larger of it and a high part is always the high part, but compilers do not
 * know that. So they cannot reorder the additions and add a low part to a coordinate.
 */
const lowestNumber = -(2 ** 127)

/** The run with every coordinate in two floats. `positions` are the float64 positions of its targets and sources. */
export function split(bound: Bound, positions: readonly [FloatArray, FloatArray], boxes: readonly number[]): Bound {
  const { shape, bindings } = bound
  const { dimension } = shape
  const steps = axes.slice(0, dimension).map((_, axis) => stepOf(positions, axis, dimension, boxes[axis] ?? 0))
  const halves = (set: Bound['bindings']['targets'], numbers: FloatArray) => {
    const high = new Float32Array(numbers.length)
    const positionLow = new Float32Array(numbers.length)
    const lows = steps.map(() => new Float32Array(set.count))
    for (const [axis, step] of steps.entries()) {
      const low = lows[axis] as Float32Array
      for (let p = 0, n = axis; n < numbers.length; p++, n += dimension) {
        const x = numbers[n] as number
        const coarse = step * Math.round(x / step)
        high[n] = coarse
        low[p] = x - coarse
        positionLow[n] = low[p] as number
      }
    }
    const named = Object.fromEntries(lows.map((low, axis) => [lowNames[axis], low]))
    return { ...set, arrays: { ...set.arrays, position: high, positionLow, ...named } }
  }
  const targets = halves(bindings.targets, positions[0])
  const sources = bindings.sources === bindings.targets ? targets : halves(bindings.sources, positions[1])
  const boxLows = boxes.flatMap((box, axis) => {
    const step = steps[axis] as number
    return box ? [[`boxLow${axes[axis]}`, box - step * Math.round(box / step)]] : []
  })
  const parameters = { ...bindings.parameters, lowestNumber, ...Object.fromEntries(boxLows) }
  return { ...bound, shape: { ...shape, split: true }, bindings: { ...bindings, targets, sources, parameters } }
}

/** 2^-22 of the largest coordinate or box: sums of a few are exact in float32. */
function stepOf(positions: readonly FloatArray[], axis: number, dimension: number, box: number): number {
  let most = box
  for (const array of positions)
    for (let n = axis; n < array.length; n += dimension) most = Math.max(most, Math.abs(array[n] as number))
  return 2 ** (Math.ceil(Math.log2(most || 1)) - 22)
}
