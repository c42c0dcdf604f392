/**
 * The contract between core and a backend. Types only.
 *
 * A backend finds hardware (`probe`) and opens it (`open`). A device compiles workloads (`prepare`) into programs, which
 * run many times. Core checks arguments, adds up totals and chooses devices; a backend only computes.
 *
 * @module
 */
import type { Bindings, DeviceBuffer } from '../ground/arrays/bindings.ts'
import type { FloatArray } from '../ground/checks.ts'
import type { Precision } from '../ground/precision.ts'
import type { DeviceInfo, DeviceKind, LossReason, Report } from '../ground/report.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../problem/workloads/workload.ts'
import type { GridPoints, GridStage, GridSum } from './grid-sum.ts'

export type {
  Bindings,
  DeviceBuffer,
  Exclusions,
  NativeBuffer,
  PointSet,
  SourceRanges,
  Stretch,
  WebGpuObject,
} from '../ground/arrays/bindings.ts'
export type {
  DeviceInfo,
  DeviceKind,
  DeviceLimits,
  LossReason,
  MeasuredError,
  RemovedMean,
  Report,
  Spread,
  Timings,
  ToleranceOf,
} from '../ground/report.ts'
export type { GridPoints, GridStage, GridSum, GridTerm, GridWindow } from './grid-sum.ts'

export interface Backend {
  readonly name: string
  /** Never throws. Describes the device that it found, or gives a reason why it found none, in words that a person can act on. */
  probe(options?: OpenOptions): Promise<Probe>
  /** @throws {@link BackendUnavailableError} */
  open(options?: OpenOptions): Promise<Device>
  /** Added to 0 for hardware, 1 for a processor, 2 for a GPU in software. The backend with the smallest sum is preferred. */
  readonly preference?: number
}

export type Probe =
  | {
      readonly available: true
      readonly device: string
      readonly kind: DeviceKind
      readonly features: readonly string[]
      /** A further requirement of `open`, and how to meet it, if only opening can tell whether it is met. */
      readonly needs?: string
    }
  | { readonly available: false; readonly reason: string }

export interface OpenOptions {
  /** Precision of results and of state; float32 by default. */
  readonly precision?: Precision
  /** The maximum number of worker threads; backends without threads ignore it. */
  readonly threads?: number
  readonly tune?: 'off' | 'quick' | 'full'
}

export interface Device {
  readonly info: DeviceInfo
  /** Answers without allocating, and agrees with `prepare`. */
  supports(workload: Workload, shape: Shape): Support
  /** @throws {@link UnsupportedWorkloadError}, {@link ProgramCompilationError}, {@link DeviceLostError} */
  prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program>
  /**
   * Whether programs add up terms that are vectors of any length. Without it, an engine asks for the sums of a few components at a time,
   * as terms with several numbers.
   */
  readonly sumsVectors?: boolean
  /** Whether sums of a few components at a time are faster than a program of the whole vector. Single runs without a plan then take them. */
  prefersBlocks?(workload: PairWorkload, shape: Shape): Promise<boolean>
  /** An array that stays on the device, `length` numbers of the device's precision, zero at first. */
  buffer(length: number): Promise<DeviceBuffer>
  /**
   * Several programs in order, with their arrays bound. The sequence runs many times without leaving the device.
   *
   * @throws TypeError, RangeError if a program, an array or a range does not fit
   */
  sequence(stages: readonly Stage[]): Promise<Sequence>
  /**
   * On WebGPU: the numbers of a buffer of this device that a caller owns, as they are when it is called.
   *
   * @param name the caller's name for the buffer, for messages
   * @throws TypeError if it is a buffer of another device, was destroyed, or cannot be copied
   */
  readBuffer?(buffer: object, name: string): Promise<Float32Array>
  /**
   * The fields of a grid at targets: field by field within each target. Without it, the host computes them, as it does sums for which the
   * promise is undefined: those of a higher precision than `gridPrecision`, and those that are too large.
   *
   * @throws {@link DeviceLostError}, or `signal.reason` when aborted
   */
  gridSum?(sum: GridSum, points: GridPoints, options?: Pick<RunOptions, 'signal'>): Promise<FloatArray | undefined>
  /** The highest precision of its grids; float64 by default. */
  readonly gridPrecision?: Precision
  /** Whether `gridSequence` takes this sum over so many points. */
  takesGridStage?(sum: GridSum, points: number): Promise<boolean>
  /** As `sequence`, with sums through grids among the stages. Without it, core computes grids between sequences. */
  gridSequence?(stages: readonly (Stage | GridStage)[]): Promise<Sequence>
  /**
   * The programs of the engine's proof for this device, compiled ahead as `compile` of `manybody/compile` does for the workload of
   * `proof-workload.ts`. Without them, the proof compiles its law.
   */
  proof?(): Promise<unknown>
  /** Resolves when the device is lost; otherwise never. */
  readonly lost: Promise<LossReason>
  dispose(): void
}

export type Support = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** A variant of the loop and its sizes, by the backend's names. Without a plan, the backend chooses. */
export interface Plan {
  readonly variant: string
  readonly sizes?: Readonly<Record<string, number>>
}

/** Indices `first, first + 1, ..., last - 1`. */
export type Range = readonly [first: number, last: number]

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with the fraction done, 0 to 1, whenever it suits the device. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** Pair loops: only these sources are visited; all by default. */
  readonly sources?: Range
  /** Pair loops: only these targets are computed, and results hold only them; all by default. */
  readonly targets?: Range
  /** Pair loops: results of earlier source ranges, which this run continues. */
  readonly initial?: ArrayResults
  /** Arrays of the right types and lengths. The device may write results into them instead of new arrays. */
  readonly into?: ArrayResults | undefined
}

/** How a tree approximates far sources. The setting decides its cost and its error. */
export interface TreeSetting {
  /** The proxies that replace far sources: a simplex, or a grid of this degree. */
  readonly proxies: 'simplex' | number
  /** Half the diagonal of a node by its distance; smaller is more exact. */
  readonly opening: number
}

/** How a program approximates a sum. Core chooses the settings and measures the errors. */
export interface TreeRuns {
  /** All pairs are faster if a tree computes at least this share of them. */
  readonly share: number
  /** Whether the device can run a setting; all of them if absent. */
  readonly fits?: (setting: TreeSetting) => boolean
  /** The most sources in a run that measures errors, to spare memory; no limit if absent. */
  readonly measuredSources?: number
  /** As `run`, over all points. The report says how many pairs were evaluated. */
  run(
    bindings: Bindings,
    setting: TreeSetting,
    options?: Omit<RunOptions, 'sources' | 'targets' | 'initial'>,
  ): Promise<ArrayResults>
}

export interface Program {
  /** Loads the approximate sum; undefined if the law does not allow one or the program cannot compute it. */
  tree?(): Promise<TreeRuns | undefined>
  /** Compiles code that runs need and sequences do not. Without this call, the first run does. @throws {@link ProgramCompilationError} */
  ready?(): Promise<void>
  /** @throws {@link DeviceLostError}, or `signal.reason` when aborted */
  run(bindings: Bindings, options?: RunOptions): Promise<ArrayResults>
  /**
   * The same over all points, with arrays on the host. It begins at once, and has taken all numbers when it returns. Undefined if it
   * would have to wait for anything first; the results themselves if the device is done. Without `into`, numbers may be infinite or
   * NaN, because nobody has checked them, and nobody uses the results then.
   */
  again?(bindings: Bindings, options?: Pick<RunOptions, 'into'>): ArrayResults | Promise<ArrayResults> | undefined
  /**
   * Describes the latest run. If `again` gave the results themselves, it may be the object of an earlier such run, with the numbers
   * of this one.
   */
  readonly report: Report
  /** Whether it also runs over fewer points than its shape has: as many as its bindings have. Trees take all. */
  readonly fewer?: boolean
  /** How many numbers its stages may carry from round to round; absent if their rounds depend on their inputs alone. */
  readonly carries?: number | undefined
  dispose(): void
}

/** One program of a sequence. It reads and writes device buffers; one buffer may be both input and output. */
export interface Stage {
  readonly program: Program
  readonly bindings: Bindings
  /** The buffer of each result. Indices and counts are written as numbers of the device, too. */
  readonly outputs: Readonly<Record<string, DeviceBuffer>>
  /** As in {@link RunOptions.sources}. The outputs then hold the contribution of these sources alone. */
  readonly sources?: Range
  /** As in {@link RunOptions.targets}. The outputs then hold only these targets, from their first number on. */
  readonly targets?: Range
  /** The tree setting that computes this stage. Only if the program has {@link TreeRuns}, and without ranges. */
  readonly tree?: TreeSetting | undefined
  /**
   * A buffer of `program.carries` numbers, zeros at first. The stage keeps data here that makes later rounds faster. The last bits of
   * results may depend on it, so a snapshot needs it. Without it, rounds depend on their inputs alone.
   */
  readonly carried?: DeviceBuffer | undefined
}

export interface Sequence {
  /** Runs all stages in order, `times` times. Resolves when the device has finished. */
  run(times: number, options?: Pick<RunOptions, 'signal' | 'onProgress'>): Promise<void>
  /** As `run`; undefined if the device has finished within the call, so that short runs leave no promise behind. It never throws. */
  begin?(times: number, options: Pick<RunOptions, 'signal' | 'onProgress'>): Promise<void> | undefined
  /**
   * Takes the parameters and tables of the same stages for later runs, without compiling. The lengths of a periodic box are among the
   * parameters. Resolves to false if it cannot, and then has changed nothing. Without it, core makes the sequence again.
   */
  renumber?(stages: readonly Stage[]): boolean | Promise<boolean>
  dispose(): void
}
