/**
 * Cuts a loop over sources into passes that each last about as long as a page may wait, and learns how fast the device
 * is while doing so. A driver's watchdog kills passes of seconds, and a page shows nothing while one runs.
 *
 * @module
 */
import type { Range } from '@manybody/core'
import { rowLength } from '../glsl/layout.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'

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
  readonly drawn: Sheet
  /** The source after its last. */
  readonly to: number
  /** Behind it, if there is more to come. */
  readonly fence: WebGLSync | null
}

export class Slicer {
  /** Pairs in a pass of the budget. */
  #pairs = firstPairs
  readonly #estimate = new WaitEstimate(firstPairs / 100)

  constructor(readonly host: GlHost) {}

  /** Draws `range` in slices; resolves when the device has finished. @throws `signal.reason` */
  async run(
    [first, last]: Range,
    targets: number,
    draw: (slice: Range) => Sheet,
    { signal, onProgress }: SliceOptions,
  ): Promise<void> {
    // One slice ahead, so that the device has work while the one before is waited for. WebGL1 cannot wait for that one alone.
    let ahead: Submitted | undefined
    let begun = performance.now()
    const finish = async ({ pairs, drawn, to, fence }: Submitted) => {
      const expected = this.#estimate.expected(pairs)
      await (fence ? this.host.passed(fence, expected) : this.host.finished(() => drawn, expected))
      const now = performance.now()
      this.#learn(pairs, now - begun)
      begun = now
      onProgress?.((to - first) / (last - first))
    }
    for (let from = first; from < last; ) {
      signal?.throwIfAborted()
      const to = Math.min(this.#end(from, targets), last)
      const drawn = draw([from, to])
      const slice = { pairs: (to - from) * targets, drawn, to, fence: to < last ? this.host.fence() : null }
      if (ahead) await finish(ahead)
      ahead = slice.fence ? slice : undefined
      if (!ahead) await finish(slice)
      from = to
    }
    signal?.throwIfAborted()
  }

  /** Slices end with a row of sources, so that blocks stay whole. */
  #end(from: number, targets: number): number {
    const rows = Math.max(1, Math.round(this.#pairs / (rowLength * Math.max(1, targets))))
    return (Math.floor(from / rowLength) + rows) * rowLength
  }

  /** Short passes say little: what they last is mostly the way there and back. */
  #learn(pairs: number, milliseconds: number): void {
    this.#estimate.learn(pairs, milliseconds)
    if (milliseconds < 2) {
      if (pairs >= this.#pairs / 2) this.#pairs *= 4
      return
    }
    const rate = pairs / milliseconds
    this.#pairs = Math.min(4 * this.#pairs, Math.max(rowLength, rate * budget))
  }
}
