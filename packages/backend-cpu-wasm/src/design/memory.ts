/**
 * How memory is allocated.
 *
 * @module
 */

/** Bytes of a page, the unit in which WebAssembly memories grow. */
export const pageBytes = 65536

/** Free bytes after every array, for the last register that is loaded from it. */
export const slack = 128
