/**
 * Cuts a loop over sources into passes of about 50 ms, and learns the speed of the device from them. A page shows nothing
 * while a pass runs, and a driver's watchdog kills passes that take seconds.
 *
 * @module
 */
import type { Range } from '@manybody/core'
import { rowLength } from '../../design/layout.ts'
import type { GlHost, Sheet } from '../host/host.ts'
import { WaitEstimate } from '../host/wait-estimate.ts'

export interface SliceOptions {
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** Milliseconds that one pass should take. */
const budget = 50

/** Pairs of the first pass, before the speed of the device is known: 0.1 s on the slowest device seen. */
const firstPairs = 2 ** 22

/** A slice that was submitted to the device. */
interface Submitted {
  readonly pairs: number
  readonly drawn: Sheet
  /** The source after its last. */
  readonly to: number
  /** The fence behind it, unless it is the last slice. */
  readonly fence: WebGLSync | null
}

export class Slicer {
  /** Pairs that fill the budget of a pass. */
  #pairs: number
  readonly #estimate: WaitEstimate

  /** @param work of a pair, in that of a short law: 1 without vectors */
  constructor(
    readonly host: GlHost,
    work = 1,
  ) {
    this.#pairs = firstPairs / work
    this.#estimate = new WaitEstimate(this.#pairs / 100)
  }

  /** Draws `range` in slices; resolves when the device has finished. @throws `signal.reason` */
  async run(
    [first, last]: Range,
    targets: number,
    draw: (slice: Range) => Sheet,
    { signal, onProgress }: SliceOptions,
  ): Promise<void> {
    // Submits one slice ahead, so that the device has work while we wait for the slice before. WebGL1 cannot wait for a
    // single slice, so it submits none ahead.
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

  /** Slices end at the end of a row of sources, so that blocks stay whole. */
  #end(from: number, targets: number): number {
    const rows = Math.max(1, Math.round(this.#pairs / (rowLength * Math.max(1, targets))))
    return (Math.floor(from / rowLength) + rows) * rowLength
  }

  /** Short passes tell little about speed: most of their time is latency. */
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
