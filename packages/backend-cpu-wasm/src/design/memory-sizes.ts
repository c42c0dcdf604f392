/**
 * Sizes for allocating memory.
 *
 * @module
 */

/** Bytes of a page. WebAssembly memories grow by whole pages. */
export const pageBytes = 65536

/** Free bytes after every array, for the last register that is loaded from it. */
export const slack = 128
