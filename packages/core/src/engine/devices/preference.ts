/**
 * By which words a candidate is required or forbidden, and which candidates come first.
 *
 * @module
 */
import type { Backend, DeviceKind, Probe } from '../../contract/backend.ts'

/** The words by which `require` and `forbid` may refer to a candidate: its name, its kind, its features. */
export function tagsOf(backend: string, probe: Probe): readonly string[] {
  return probe.available ? [backend, probe.kind, ...probe.features] : [backend]
}

/** The kinds of devices in order of preference. */
export const kinds: readonly DeviceKind[] = ['hardware', 'cpu', 'software']

/** Smaller is preferred. */
export const rankOf = ({ preference = 0 }: Backend, kind: DeviceKind): number => kinds.indexOf(kind) + preference
