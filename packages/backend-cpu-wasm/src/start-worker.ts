/**
 * Starts one worker, of the kind that the platform has: Web Workers in browsers, Deno and Bun, `worker_threads` in Node.
 *
 * @module
 */

export interface WorkerHandle {
  post(message: object): void
  terminate(): void
}

/** What both kinds have in common here. */
interface AnyWorker {
  postMessage(message: object): void
  terminate(): unknown
  unref?(): void
}

interface NodeThreads {
  readonly Worker: new (url: URL) => AnyWorker & { on(event: string, listener: (value: unknown) => void): void }
}

/** Whether memory can be shared with workers here. */
export function threadsPossible(): boolean {
  if (typeof SharedArrayBuffer === 'undefined') return false
  if (nodeThreads()) return true
  // In a page memory can be made shared without isolation, but not posted.
  return typeof Worker === 'function' && (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false
}

/** Starts a worker; `ended` is told why if it fails, also while starting. */
export function startWorker(ended: (reason: string) => void): WorkerHandle {
  const threads = nodeThreads()
  let stopping = false
  const fail = (error: unknown) => {
    if (!stopping) ended(error instanceof Error ? error.message : String(error))
  }
  const worker = threads ? nodeWorker(threads, fail) : webWorker(fail)
  return {
    post: (message) => worker.postMessage(message),
    terminate: () => {
      stopping = true
      worker.terminate()
    },
  }
}

function nodeWorker({ Worker: NodeWorker }: NodeThreads, fail: (error: unknown) => void): AnyWorker {
  const worker = new NodeWorker(new URL('./worker.js', import.meta.url))
  worker.on('error', fail)
  worker.on('exit', (code) => fail(`a worker thread exited with code ${code}`))
  worker.unref?.()
  return worker
}

function webWorker(fail: (error: unknown) => void): AnyWorker {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  worker.onerror = (event) => fail(event.message ?? 'a worker could not be loaded')
  return worker
}

/** Node's threads; synchronous, so that nothing is imported where there is no Node. */
function nodeThreads(): NodeThreads | undefined {
  const { process } = globalThis as {
    process?: { versions?: { node?: string; bun?: string; deno?: string }; getBuiltinModule?: (id: string) => unknown }
  }
  if (!process?.versions?.node || process.versions.bun || process.versions.deno) return undefined
  return process.getBuiltinModule?.('node:worker_threads') as NodeThreads | undefined
}
