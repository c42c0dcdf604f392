/**
 * The data of a case in the arrays of a precision.
 *
 * @module
 */
import type { Particles, Precision } from '@manybody/core'

/** The same points with every array a Float32Array for `f32`, a Float64Array for `f64`. */
export function atPrecision(particles: Particles, precision: Precision): Particles {
  return converted(particles, precision === 'f64' ? Float64Array : Float32Array) as Particles
}

function converted(value: unknown, ArrayType: Float32ArrayConstructor | Float64ArrayConstructor): unknown {
  if (value instanceof Float32Array || value instanceof Float64Array) return new ArrayType(value)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, converted(entry, ArrayType)]))
}
