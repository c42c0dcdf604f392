/**
 * Dawn in Node (`webgpu` 0.6) crashes or hangs the process when the object that `create` returned is garbage-collected, even
 * while its adapters and devices are in use.
 *
 * `tests/gpu/webgpu/quirks.test.ts` fails without this. Remove this when it passes without.
 *
 * @module
 */

const kept = new Map<string, unknown>()

/** Creates a value once per key, and keeps it for as long as the process lives. */
export function keptForEver<T>(key: string, create: () => T): T {
  const known = kept.get(key) as T | undefined
  const value = known ?? create()
  kept.set(key, value)
  return value
}
