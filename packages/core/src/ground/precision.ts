/**
 * The precisions of results, and their arrays. Types only.
 *
 * @module
 */

export type Precision = 'f32' | 'f64'

interface Arrays {
  readonly f32: Float32Array
  readonly f64: Float64Array
}

/** The arrays of a precision. */
export type Floats<P extends Precision = 'f32'> = Arrays[P]
