/**
 * The WebAssembly backend. It is not built yet and says so; selection goes on to the next candidate.
 *
 * @module
 */
import { type Backend, BackendUnavailableError } from '@manybody/core'

const reason = 'not built yet; use another backend'

/** The WebAssembly backend. */
export function cpuWasm(): Backend {
  return {
    name: 'cpu-wasm',
    probe: async () => ({ available: false, reason }),
    open: async () => {
      throw new BackendUnavailableError('cpu-wasm', reason)
    },
  }
}
