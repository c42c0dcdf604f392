/**
 * The arrays that hold the attributes of points.
 *
 * @module
 */
import { lowAxisOf } from '@manybody/core/backend'

/** The array that holds an attribute. The low parts of all axes share one, because devices bind few arrays. */
export const arrayOf = (attribute: string): string => (lowAxisOf(attribute) === undefined ? attribute : 'positionLow')
