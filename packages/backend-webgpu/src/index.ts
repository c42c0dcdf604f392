/**
 * The WebGPU backend. It is not built yet and says so; selection goes on to the next candidate.
 *
 * @module
 */
import { type Backend, BackendUnavailableError } from '@manybody/core'

const reason = 'not built yet; use another backend'

/** The WebGPU backend. */
export function webgpu(): Backend {
  return {
    name: 'webgpu',
    probe: async () => ({ available: false, reason }),
    open: async () => {
      throw new BackendUnavailableError('webgpu', reason)
    },
  }
}
