// Node's worker threads, with a record of all that were started, so that a test can end them.

import { Worker } from 'node:worker_threads'
import { vi } from 'vitest'

/** All workers started from now on. `change` may replace the address of a worker first, or throw. */
export function watchWorkers(change: (url: URL) => URL = (url) => url): Worker[] {
  const started: Worker[] = []
  class Watched extends Worker {
    constructor(url: URL, options: object) {
      super(change(url), options)
      started.push(this)
    }
  }
  const original = process.getBuiltinModule.bind(process)
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((id: string) =>
    id === 'node:worker_threads' ? { Worker: Watched } : original(id)) as typeof process.getBuiltinModule)
  return started
}

/** Lets workers start, end and answer, until something holds; fails after two minutes. */
export async function until(holds: () => boolean): Promise<void> {
  for (const end = performance.now() + 120_000; !holds(); ) {
    if (performance.now() > end) throw new Error('waited two minutes in vain')
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

/** Ends a worker as a page does: without an event. */
export async function endSilently(worker: Worker | undefined): Promise<void> {
  worker?.removeAllListeners()
  await worker?.terminate()
}
