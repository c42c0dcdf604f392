/**
 * What stands for infinity in a shader, because GLSL does not promise infinity.
 *
 * @module
 */

/** The largest float32, as GLSL. */
export const largest = '3.4028234e38'

/** Whether a number of a shader stands for infinity. A driver may read the largest number with an error. */
export const standsForInfinity = (value: number): boolean => Math.abs(value) > 3.4e38
