/**
 * Work that the first call begins.
 *
 * @module
 */

/** The same promise for all calls. If it is rejected, the next call tries again. */
export function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
