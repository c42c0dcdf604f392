/**
 * The unit in which WebAssembly memories grow.
 *
 * @module
 */

/** Bytes of a page. */
export const pageBytes = 65536
