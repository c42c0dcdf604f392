/** Where the page's work runs: in a worker that draws on an OffscreenCanvas or, without one, on the page's thread. */

import { connected, type Page, type Port, type Work } from './messages.ts'

export interface Place {
  readonly work: Work
  /** For example `in a worker`. */
  readonly name: string
}

/** A page that has all its canvases. */
type PageHere = Omit<Page, 'canvas'> & { canvas(): HTMLCanvasElement }

export async function placeFor(page: PageHere): Promise<Place> {
  const work = await inWorker(page)
  if (work) return { work, name: 'in a worker' }
  const { Runner } = await import('./runner.ts')
  const runner = new Runner(page)
  runner.animate()
  return { work: runner, name: "on the page's thread" }
}

/** Undefined if this browser's workers cannot do everything that its pages can. */
async function inWorker(page: PageHere): Promise<Work | undefined> {
  if (!('transferControlToOffscreen' in HTMLCanvasElement.prototype)) return undefined
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
  const failed = new Promise<boolean>((resolve) => worker.addEventListener('error', () => resolve(false)))
  const { theirs: work, answer } = connected<Work, Page>(worker as Port)
  answer({ ...page, canvas: () => page.canvas().transferControlToOffscreen() })
  if (await Promise.race([work.ready('gpu' in navigator), failed])) return work
  worker.terminate()
  return undefined
}
