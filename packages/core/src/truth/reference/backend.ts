/**
 * The reference as a backend: always available, always right, never fast. Its loops are loaded when it is opened.
 *
 * @module
 */
import type { Backend } from '../../contract/backend.ts'
import type { ReferenceInfo } from './device.ts'

const found: ReferenceInfo = {
  backend: 'reference',
  name: 'float64 reference, one thread',
  kind: 'cpu',
  features: ['f64'],
}

/** The float64 reference. */
export function reference(): Backend {
  return {
    name: found.backend,
    // Comes after all others, even after a GPU in software.
    preference: 2,
    probe: async () => ({ available: true, device: found.name, kind: found.kind, features: found.features }),
    open: async (options) => (await import('./device.ts')).openReference(found, options),
  }
}
