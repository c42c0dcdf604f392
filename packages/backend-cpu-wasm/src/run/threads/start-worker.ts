/**
 * Starts one worker: from `worker_threads` in Node and Deno, a Web Worker in browsers and Bun.
 *
 * Its code comes from the file `worker.js` of this package, or inline from the text of that file. Inline code needs no file,
 * which a bundler might leave out. Pages try the file first, because a Content-Security-Policy often allows nothing else;
 * elsewhere a file has no advantage.
 *
 * @module
 */

import { letProcessEnd } from '../quirks/bun-workers.ts'
import type { Answer, WorkerMessage } from './messages.ts'
import { textUrl } from './text-url.ts'
import { hostProcess, nodeThreads } from './thread-memory.ts'
import { workerText } from './worker-text.ts'

/** The source of the code of a worker. */
export type WorkerSource = 'file' | 'inline'

export interface WorkerHandle {
  post(message: WorkerMessage): void
  terminate(): void
}

export interface WorkerListener {
  /** The worker has started, with code from this source. */
  ready(source: WorkerSource): void
  answer(answer: Exclude<Answer, 'ready'>): void
  /** The worker has ended, or failed to start, for this reason. */
  ended(reason: string): void
}

/** The members that this file uses of both kinds of worker. */
interface AnyWorker {
  postMessage(message: WorkerMessage): void
  terminate(): unknown
}

interface NodeWorker extends AnyWorker {
  on(event: string, listener: (value: unknown) => void): void
  unref(): void
}

interface NodeThreads {
  readonly Worker: new (url: URL, options: { execArgv: readonly string[] }) => NodeWorker
}

/** Starts a worker. Messages posted before it has started reach it afterwards, from either source of its code. */
export function startWorker(wanted: WorkerSource | undefined, listener: WorkerListener): WorkerHandle {
  const threads = nodeThreads() as NodeThreads | undefined
  const sources: WorkerSource[] = wanted ? [wanted] : hostProcess()?.versions?.node ? ['inline'] : ['file', 'inline']
  const reasons: string[] = []
  const waiting: WorkerMessage[] = []
  let started = false
  let stopped = false
  let worker: AnyWorker | undefined

  const start = (): void => {
    const source = sources.shift()
    if (source === undefined) {
      listener.ended(reasons.join('; '))
      return
    }
    let over = false
    const fail = (reason: string) => {
      if (over || stopped) return
      over = true
      worker?.terminate()
      reasons.push(`${source}: ${reason}`)
      if (started) listener.ended(reason)
      else start()
    }
    const hear = (answer: Answer) => {
      if (answer !== 'ready') return listener.answer(answer)
      started = true
      waiting.length = 0
      listener.ready(source)
    }
    try {
      worker = threads ? nodeWorker(threads, source, hear, fail) : webWorker(source, hear, fail)
      for (const message of waiting) worker.postMessage(message)
    } catch (error) {
      fail(String(error))
    }
  }
  start()

  return {
    post(message) {
      if (!started) waiting.push(message)
      worker?.postMessage(message)
    },
    terminate() {
      stopped = true
      worker?.terminate()
    },
  }
}

type Hear = (answer: Answer) => void
type Fail = (reason: string) => void

function nodeWorker({ Worker: Thread }: NodeThreads, source: WorkerSource, hear: Hear, fail: Fail): AnyWorker {
  const text = () => new URL(`data:text/javascript,${encodeURIComponent(workerText)}`)
  const url = source === 'file' ? new URL('./worker.js', import.meta.url) : text()
  // The worker must not run the loaders that started the program.
  const worker = new Thread(url, { execArgv: [] })
  worker.on('message', (answer) => hear(answer as Answer))
  worker.on('error', (error) => fail(String(error)))
  worker.on('exit', (code) => fail(`a worker thread exited with code ${code}`))
  // This must come after the listeners, which would keep the process alive.
  worker.unref()
  return worker
}

function webWorker(source: WorkerSource, hear: Hear, fail: Fail): AnyWorker {
  // Bundlers recognise a worker by exactly this expression.
  const fromFile = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
  const worker = source === 'file' ? fromFile() : new Worker(textUrl(), { type: 'module' })
  worker.onmessage = ({ data }) => hear(data)
  worker.onerror = (event) => {
    event.preventDefault()
    fail(event.message || 'its code could not be loaded')
  }
  letProcessEnd(worker)
  return worker as unknown as AnyWorker
}
