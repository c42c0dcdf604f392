/**
 * Cuts a loop over sources into passes that each last about as long as a page may wait, and learns how fast the device
 * is while doing so. A driver's watchdog kills passes of seconds, and a page shows nothing while one runs.
 *
 * @module
 */
import type { Range } from '@manybody/core'
import type { GlHost } from './host.ts'
import { rowLength } from './layout.ts'

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** Milliseconds that one pass should last. */
const budget = 50

/** Pairs of the first pass, while nothing is known of the device: 0.1 s on the slowest seen. */
const firstPairs = 2 ** 22

/** A slice that the device has been given. */
interface Submitted {
  readonly pairs: number
  /** The source after its last. */
  readonly to: number
  readonly done: Promise<void>
}

export class Slicer {
  /** Pairs in a pass of the budget. */
  #pairs = firstPairs

  constructor(readonly host: GlHost) {}

  /** Draws `range` in slices; resolves when the device has finished. @throws `signal.reason` */
  async run(
    [first, last]: Range,
    targets: number,
    draw: (slice: Range) => void,
    { signal, onProgress }: SliceOptions,
  ): Promise<void> {
    // One slice ahead, so that the device has work while the one before is waited for.
    let ahead: Submitted | undefined
    let begun = performance.now()
    const finish = async ({ pairs, to, done }: Submitted) => {
      await done
      const now = performance.now()
      this.#learn(pairs, now - begun)
      begun = now
      onProgress?.((to - first) / (last - first))
    }
    for (let from = first; from < last; ) {
      signal?.throwIfAborted()
      const to = Math.min(this.#end(from, targets), last)
      const pairs = (to - from) * targets
      draw([from, to])
      const done = this.host.finished((pairs / this.#pairs) * budget)
      // Left alone if the slice before it fails or the run is aborted.
      done.catch(() => {})
      if (ahead) await finish(ahead)
      ahead = { pairs, to, done }
      from = to
    }
    if (ahead) await finish(ahead)
    signal?.throwIfAborted()
  }

  /** Slices end with a row of sources, so that blocks stay whole. */
  #end(from: number, targets: number): number {
    const rows = Math.max(1, Math.round(this.#pairs / (rowLength * Math.max(1, targets))))
    return (Math.floor(from / rowLength) + rows) * rowLength
  }

  /** Short passes say little: what they last is mostly the way there and back. */
  #learn(pairs: number, milliseconds: number): void {
    if (milliseconds < 2) {
      if (pairs >= this.#pairs / 2) this.#pairs *= 4
      return
    }
    const rate = pairs / milliseconds
    this.#pairs = Math.min(4 * this.#pairs, Math.max(rowLength, rate * budget))
  }
}
