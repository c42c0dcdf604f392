/**
 * The WebGL backend. It is not built yet and says so; selection goes on to the next candidate.
 *
 * @module
 */
import { type Backend, BackendUnavailableError } from '@manybody/core'

const reason = 'not built yet; use another backend'

/** The WebGL backend. */
export function webgl(): Backend {
  return {
    name: 'webgl',
    probe: async () => ({ available: false, reason }),
    open: async () => {
      throw new BackendUnavailableError('webgl', reason)
    },
  }
}
