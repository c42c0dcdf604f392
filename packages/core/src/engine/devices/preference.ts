/**
 * The words that require or forbid a candidate, and the order of candidates.
 *
 * @module
 */
import type { Backend, DeviceKind, Probe } from '../../contract/backend.ts'

/** The words that `require` and `forbid` may use for a candidate: its name, its kind, its features. */
export function tagsOf(backend: string, probe: Probe): readonly string[] {
  return probe.available ? [backend, probe.kind, ...probe.features] : [backend]
}

/** The kinds of devices in order of preference. */
export const kinds: readonly DeviceKind[] = ['hardware', 'cpu', 'software']

/** Smaller is preferred. */
export const rankOf = ({ preference = 0 }: Backend, kind: DeviceKind): number => kinds.indexOf(kind) + preference
