/**
 * How threads access memory on this platform. It starts none.
 *
 * @module
 */

/** They share one, use copies, or do not exist. */
export type ThreadMemory = 'shared' | 'copied' | 'none'

export function threadMemory(): ThreadMemory {
  if (nodeThreads() === undefined && typeof Worker !== 'function') return 'none'
  return typeof SharedArrayBuffer === 'function' && (nodeThreads() !== undefined || !unisolated()) ? 'shared' : 'copied'
}

/** Whether this is a page without isolation, which may create shared memory but not post it. */
const unisolated = () => (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated === false

/** Why threads use copies on this platform. */
export function unsharedBecause(): string {
  return nodeThreads() === undefined && unisolated()
    ? 'the page is not cross-origin isolated'
    : 'this browser or runtime has no SharedArrayBuffer'
}

interface HostProcess {
  readonly versions?: { readonly node?: string; readonly bun?: string }
  getBuiltinModule?(id: string): unknown
}

export const hostProcess = (): HostProcess | undefined => (globalThis as { process?: HostProcess }).process

/** The threads of Node, which Deno has too. Nothing is imported, so that bundles for pages need no module of Node. */
export function nodeThreads(): unknown {
  const process = hostProcess()
  if (!process?.versions?.node || process.versions.bun) return undefined
  return process.getBuiltinModule?.('node:worker_threads')
}
