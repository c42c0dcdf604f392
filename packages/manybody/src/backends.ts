/**
 * Our backends as candidates. Importing `manybody` loads none of them; each is loaded when it is probed.
 *
 * @module
 */
import { type Backend, BackendUnavailableError, reference } from '@manybody/core/run'

type Load = () => Promise<Backend>

const loaders: Readonly<Record<string, Load>> = {
  webgpu: async () => (await import('@manybody/backend-webgpu')).webgpu(),
  webgl: async () => (await import('@manybody/backend-webgl')).webgl(),
  'cpu-wasm': async () => (await import('@manybody/backend-cpu-wasm')).cpuWasm(),
}

/** A backend that is loaded at its first use. If loading fails, it is unavailable for that reason. */
function lazy(name: string, load: Load): Backend {
  let loaded: Promise<Backend> | undefined
  const backend = () => {
    loaded ??= load()
    return loaded
  }
  return {
    name,
    async probe(options) {
      try {
        return await (await backend()).probe(options)
      } catch (error) {
        return {
          available: false,
          reason: `its code could not be loaded: ${String(error)}; install @manybody/backend-${name}`,
        }
      }
    },
    async open(options) {
      try {
        return await (await backend()).open(options)
      } catch (cause) {
        if (cause instanceof BackendUnavailableError) throw cause
        throw new BackendUnavailableError(name, String(cause), { cause })
      }
    },
  }
}

/** All backends, fastest kind first. Selection tries them on the user's machine and decides which one runs. */
export function backends(): readonly Backend[] {
  return [...Object.entries(loaders).map(([name, load]) => lazy(name, load)), reference()]
}
