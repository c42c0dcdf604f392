/**
 * The numbers that stand for infinity in a shader, because GLSL does not promise infinity.
 *
 * @module
 */

/** The largest float32, as GLSL. */
export const largest = '3.4028234e38'

/** Whether a number of a shader stands for infinity. A driver may read the largest number with an error. */
export const standsForInfinity = (value: number): boolean => Math.abs(value) > 3.4e38

/** The number that stands for an infinite one in a shader; other numbers stay as they are. */
export const asFinite = (value: number): number =>
  Math.abs(value) === Number.POSITIVE_INFINITY ? Math.sign(value) * Number(largest) : value

/** The infinity that a number of a shader stands for; other numbers stay as they are. */
export const withInfinity = (value: number): number =>
  standsForInfinity(value) ? Math.sign(value) * Number.POSITIVE_INFINITY : value
