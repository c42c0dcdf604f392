/**
 * Designs that a device may be too small for.
 *
 * @module
 */

/** The design, or undefined if it does not fit the limits of the device. */
export function fitting<Design>(make: () => Design): Design | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
