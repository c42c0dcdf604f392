/**
 * The types of reports: a device describes itself, its loss, and the latest run of a program. Types only, a part of the contract in
 * `backend.ts`.
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
  /** Sentences for a person: how the device runs slower than expected, and why. */
  readonly notes?: readonly string[]
}

export interface LossReason {
  readonly reason: string
  /** How the user can recover. */
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

/** The scale of a tolerance: the sum of the sizes of a target's terms, or the results. */
export type ToleranceOf = 'terms' | 'result'

/** The error of a sum with a tolerance, measured on some targets. */
export interface MeasuredError {
  /**
   * The largest error relative to the sum of the sizes of a target's terms. It is about the 99th percentile of all targets, or more if
   * one of the heaviest targets has more. The largest error of all targets may be several times larger.
   */
  readonly largest: number
  /** The root mean square of such errors. */
  readonly rms: number
  /** The root mean square of the errors, divided by the root mean square of the results. Results are small where terms cancel. */
  readonly ofResults: number
  /** How many targets were measured; 0 if all pairs ran. */
  readonly targets: number
  readonly tolerance: number
  /** The scale of the tolerance: `largest` meets one of `terms`, and `ofResults` one of the `result`. */
  readonly of: ToleranceOf
  readonly ok: boolean
  /** Why a run was repeated, or why all pairs ran. */
  readonly note?: string
}

/** The mean that a sum over all images of a periodic box or slab leaves out, because the law falls slowly. */
export interface RemovedMean {
  /** A box has a background. A slab needs none, and has its potential but for an infinite constant. */
  readonly name: 'neutralising background' | 'infinite constant'
  /**
   * By function of the source: of the background in each volume, `{ charge_j: -0.1 }` for a total charge of 0.1 a volume; of the slab itself on
   * each area.
   */
  readonly density: Readonly<Record<string, number>>
}

/** How a device that consists of several workers spread a run over them. */
export interface Spread {
  /** Parts of the run that were given out. */
  readonly blocks: number
  /** Parts that were given to a second worker because the first was late or gone. */
  readonly repeated: number
  /** Parts that were checked, because workers may be wrong on purpose. */
  readonly rechecked: number
  /** Targets of the rechecked parts that were compared with the float64 reference: all that differ, or a sample if a block has many. */
  readonly judged: number
  /** Who took part, by kind: `2 x cpu-wasm (AMD EPYC)`. */
  readonly workers: string
  readonly sentBytes: number
  readonly receivedBytes: number
  /** Mean milliseconds per worker without computing, because arrays, work or results were on their way. */
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
   * For `block`: the most terms of a block, then the most sums of blocks that are added one after the other, and so on. Levels that are
   * not listed are added in float64. If a backend does not say: 256, or one 256th of all terms if these are more, then all blocks.
   */
  readonly chains?: readonly number[]
  readonly timings: Timings
  /** The interactions in the workload: targets times sources in a pair loop, otherwise points or cells. */
  readonly interactions: number
  /** How many of them were computed. Fewer if whole blocks of points were beyond the cutoff, or if a tree replaced far sources. */
  readonly evaluated: number
  readonly interactionsPerSecond: number
  /** Of sums that may be approximated. */
  readonly error?: MeasuredError
  /** Of sums over all images whose sources do not cancel. */
  readonly mean?: RemovedMean
  /** Of runs that several workers shared. */
  readonly spread?: Spread
  /** Sentences for a person: how this run differed from the request or from expectations. */
  readonly notes?: readonly string[]
}
