/**
 * Dawn in Node (`webgpu` 0.6): when the object that `create` returned is collected, the process crashes or hangs, although
 * adapters and devices of it are in use.
 *
 * `tests/gpu/webgpu-quirks.test.ts` fails without this. Goes when it does not.
 *
 * @module
 */

const kept = new Map<string, unknown>()

/** What is created for a key, once, and kept for as long as the process lives. */
export function keptForEver<T>(key: string, create: () => T): T {
  const known = kept.get(key) as T | undefined
  const value = known ?? create()
  kept.set(key, value)
  return value
}
