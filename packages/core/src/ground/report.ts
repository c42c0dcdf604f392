/**
 * What a device reports: about itself, about its loss, and about the latest run of a program. Types only, a part of the
 * contract in `backend.ts`.
 *
 * @module
 */
import type { Precision } from './precision.ts'

/** `software` is a GPU interface without a GPU behind it; `cpu` computes on processor cores and says so. */
export type DeviceKind = 'hardware' | 'software' | 'cpu'

/** Limits of a device, in bytes or counts. Backends may add names. */
export interface DeviceLimits extends Readonly<Record<string, number | undefined>> {
  /** The largest result array that one run may give. */
  readonly resultBytes: number
  /** The largest array of lists that one run may give; `resultBytes` by default. */
  readonly listBytes?: number
  /** Worker threads plus the caller's thread. */
  readonly threads?: number
  /** Invocations of the largest workgroup. */
  readonly workgroupInvocations?: number
}

export interface DeviceInfo {
  readonly backend: string
  /** The name of the adapter or processor, from its driver. */
  readonly name: string
  readonly kind: DeviceKind
  readonly precision: Precision
  readonly features: readonly string[]
  readonly limits: DeviceLimits
  /** Sentences for a person: in which ways the device runs slower than expected, and why. */
  readonly notes?: readonly string[]
}

export interface LossReason {
  readonly reason: string
  /** What to do about it. */
  readonly remedy: string
  /** Opening the backend again would fail the same way. */
  readonly final?: true
}

/** Milliseconds of wall time. A part that the device cannot measure separately is 0 and counted in `compute`. */
export interface Timings {
  /** Compilation of the program, before its first run. */
  readonly compile: number
  readonly upload: number
  readonly compute: number
  readonly readback: number
}

/** What a tolerance is relative to: the sum of the sizes of a target's terms, or the results. */
export type ToleranceOf = 'terms' | 'result'

/** The error of a sum with a tolerance, measured on some targets. */
export interface MeasuredError {
  /**
   * The largest error relative to the sum of the sizes of a target's terms: about the 99th percentile of all targets, or more if one of
   * the heaviest has more. The largest of all may be several times larger.
   */
  readonly largest: number
  /** The root mean square of such errors. */
  readonly rms: number
  /** The root mean square of the errors divided by that of the results, which are small where terms cancel. */
  readonly ofResults: number
  /** How many targets were measured; 0 if all pairs ran. */
  readonly targets: number
  readonly tolerance: number
  /** What the tolerance is relative to: `largest` meets one of `terms`, and `ofResults` one of the `result`. */
  readonly of: ToleranceOf
  readonly ok: boolean
  /** Why a run was repeated, or why all pairs ran. */
  readonly note?: string
}

/** How a device that consists of several workers spread a run over them. */
export interface Spread {
  /** Parts of the run that were given out. */
  readonly blocks: number
  /** Parts that were given to a second worker because the first was late or gone. */
  readonly repeated: number
  /** Parts that were checked, because workers may be wrong on purpose. */
  readonly rechecked: number
  /** Targets of these that were compared with the float64 reference: all that differ, or a sample if a block has many. */
  readonly judged: number
  /** Who took part, by kind: `2 x cpu-wasm (AMD EPYC)`. */
  readonly workers: string
  readonly sentBytes: number
  readonly receivedBytes: number
  /** Milliseconds in which a worker computed nothing, because arrays, work or results were on their way; the mean of all. */
  readonly waiting: number
}

export interface Report {
  readonly backend: string
  readonly device: string
  readonly kind: DeviceKind
  readonly variant: string
  readonly precision: Precision
  /** How terms were added: in one chain, in blocks, compensated, in float64, or not at all. It decides which error bound applies. */
  readonly accumulation: 'running' | 'block' | 'compensated' | 'f64' | 'none'
  /**
   * For `block`: the most terms of a block, then the most sums of blocks that are added one after the other, and so on; what is
   * not listed is added in float64. If a backend does not say: 256, or one 256th of all terms if these are more, then all blocks.
   */
  readonly chains?: readonly number[]
  readonly timings: Timings
  /** What was asked for: targets times sources in a pair loop, otherwise points or cells. */
  readonly interactions: number
  /** How many of them were computed: fewer where blocks of points farther apart than the cutoff were left out whole, or a tree replaced far sources. */
  readonly evaluated: number
  readonly interactionsPerSecond: number
  /** Of sums that may be approximated. */
  readonly error?: MeasuredError
  /** Of runs that several workers shared. */
  readonly spread?: Spread
  /** Sentences for a person: how this run differed from what was asked or expected. */
  readonly notes?: readonly string[]
}
