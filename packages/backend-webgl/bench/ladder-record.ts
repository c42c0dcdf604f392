/** The record of the ladder, types only: what its page writes, and what the figures of the documentation are made from. */

import 'vitest'

/** Rungs: gpu.js' own obvious kernel, the best by hand, what the backend generates. */
export type LadderTimes = Readonly<
  Record<'naive' | 'expert' | 'texture-loop', { readonly ms: number; readonly error: number }>
>

/** Gravity in one context among so many points; medians of whole calls, in milliseconds. */
export interface LadderRow {
  readonly context: string
  readonly points: number
  readonly rounds: number
  /** Of the error of block sums. */
  readonly bound: number
  readonly times: LadderTimes
  /** Of `texture-loop`. */
  readonly parts: Readonly<Record<'upload' | 'compute' | 'readback', number>>
}

/** What is known before anything is measured. */
interface LadderSetting {
  readonly command: string
  readonly date: string
  readonly machine: {
    readonly cpu: string
    readonly cores: number
    readonly memoryGiB?: number
    readonly load?: number
  }
}

export interface LadderRecord extends LadderSetting {
  readonly browser: string
  readonly renderer: string
  readonly rows: readonly LadderRow[]
}

declare module 'vitest' {
  interface ProvidedContext {
    /** The file to write the record to, empty if none is to be kept. */
    readonly ladder: LadderSetting & { readonly file: string }
  }
}
