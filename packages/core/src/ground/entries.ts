/**
 * The entries of anything that can be iterated over, as a list: of a generator, a `Set`, or a list. It checks no entry.
 *
 * @module
 */
import { attached } from './checks.ts'

/** Entries of a generator that are taken. A list has its entries already; a generator may never end, and memory would. */
const mostGenerated = 2 ** 24

/** @throws TypeError for an array without memory, RangeError for a generator that does not end */
export function entriesOf<T>(given: Iterable<T>, name: string): T[] {
  if (ArrayBuffer.isView(given)) attached(given, name)
  if (Array.isArray(given) || ArrayBuffer.isView(given)) return Array.from(given)
  const entries: T[] = []
  for (const entry of given)
    if (entries.push(entry) > mostGenerated)
      throw new RangeError(`"${name}" expected at most ${mostGenerated} entries of a generator, got more; give a list`)
  return entries
}
