/**
 * Promises by keys: each is made once, and again if it failed.
 *
 * @module
 */

/** The promise of a key. Callers that wait for one that fails get its error, and the next caller makes another. */
export function promised<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const before = known.get(key)
  if (before !== undefined) return before
  const made = make()
  known.set(key, made)
  made.catch(() => {
    if (known.get(key) === made) known.delete(key)
  })
  return made
}
