/**
 * The contract between core and a backend. Types only.
 *
 * A backend finds hardware (`probe`) and opens it (`open`). A device compiles workloads (`prepare`) into programs, which
 * run many times. Core checks arguments, adds up totals and chooses devices; a backend only computes.
 *
 * @module
 */
import type { FloatArray } from './checks.ts'
import type { Precision } from './precision.ts'
import type { DeviceInfo, DeviceKind, Report } from './report.ts'
import type { ArrayResults, Shape, Workload } from './workloads/workload.ts'

export type { DeviceInfo, DeviceKind, DeviceLimits, MeasuredError, Report, Spread, Timings } from './report.ts'

export interface Backend {
  readonly name: string
  /** Never throws. Says what was found or, in words that a person can act on, why nothing was. */
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
  /** An array that stays on the device, `length` numbers of the device's precision, zero at first. */
  buffer(length: number): Promise<DeviceBuffer>
  /**
   * Several programs in order, with their arrays bound. The sequence runs many times without leaving the device.
   *
   * @throws TypeError, RangeError if a program, an array or a range does not fit
   */
  sequence(stages: readonly Stage[]): Promise<Sequence>
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

export interface LossReason {
  readonly reason: string
  /** What to do about it. */
  readonly remedy: string
  /** Opening the backend again would fail the same way. */
  readonly final?: true
}

/**
 * A type of WebGPU, such as `GPUBuffer`, if the project that uses this library knows WebGPU's types. Otherwise any object: core
 * depends on no such types.
 */
export type WebGpuObject<Name extends string> =
  typeof globalThis extends Readonly<Record<Name, { prototype: infer T extends object }>> ? T : object

/** The buffer of a graphics interface that holds an array, and the device that it belongs to. */
export interface NativeBuffer {
  readonly buffer: WebGpuObject<'GPUBuffer'>
  readonly device: WebGpuObject<'GPUDevice'>
}

export interface DeviceBuffer {
  readonly length: number
  /** On WebGPU: where the numbers are. The same buffer until it is disposed of. */
  readonly gpu?: NativeBuffer
  /** Copies the numbers when it is called; later changes to the array have no effect. */
  write(data: FloatArray): Promise<void>
  /** Resolves to a copy of the numbers, after all work submitted before has finished. */
  read(): Promise<FloatArray>
  /**
   * The sum of the numbers without reading them all, after all work submitted before has finished. Float32 may hold sums of a few
   * thousand numbers; float64 adds these up. Not finite if a number is not. Without it, core adds up what it reads.
   */
  total?(): Promise<number>
  dispose(): void
}

/** A set of points (or cells) as passed to a device: `position` interleaved, attributes, or `field`. */
export interface PointSet {
  readonly count: number
  readonly arrays: Readonly<Record<string, FloatArray | DeviceBuffer>>
}

/** The excluded sources of each target t, ascending: `sources[offsets[t]] ... sources[offsets[t + 1] - 1]`. */
export interface Exclusions {
  readonly offsets: Uint32Array
  readonly sources: Uint32Array
}

/**
 * The sources that blocks of targets meet. Block b holds the targets `targets[b] ... targets[b + 1] - 1` and meets the ranges
 * `offsets[b] ... offsets[b + 1] - 1`; range r holds the sources `sources[2 * r] ... sources[2 * r + 1] - 1`.
 *
 * The blocks hold every target once, in order, and none is empty. The ranges of a block ascend, and there is a gap between two
 * of them; none is empty.
 */
export interface SourceRanges {
  readonly targets: Uint32Array
  readonly offsets: Uint32Array
  readonly sources: Uint32Array
}

/**
 * The inputs of a program. Core has checked them: lengths fit the shape, and every number of a plain array is finite. Plain
 * arrays have the device's precision (see `deviceNumbers`), Float32Array for `f32`, and do not change during a run. Afterwards they
 * may hold the numbers of other calls.
 */
export interface Bindings {
  readonly targets: PointSet
  /** The same object as `targets` when they are one set. */
  readonly sources: PointSet
  /** Parameters of the law and of the domain (`cutoff`, `switchDistance`, `boxX`, ...). */
  readonly parameters: Readonly<Record<string, number>>
  /** Present exactly if the workload has exclusions. */
  readonly exclusions?: Exclusions
  /**
   * Present exactly if the workload makes lists: where the list of each target of the run starts in `index`, and after them the
   * end of the last.
   */
  readonly offsets?: Uint32Array
  /** Present exactly if the shape says `ranged`: no other pairs count. */
  readonly ranges?: SourceRanges
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

/** What decides the cost and the error of a tree. */
export interface TreeSetting {
  /** What replaces far sources: a simplex, or a grid of this degree. */
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
  /** As `run`, over all points. The report says how many pairs were evaluated. */
  run(
    bindings: Bindings,
    setting: TreeSetting,
    options?: Omit<RunOptions, 'sources' | 'targets' | 'initial'>,
  ): Promise<ArrayResults>
}

export interface Program {
  /** Present if the program can approximate its sum, for workloads whose law allows it. */
  readonly tree?: TreeRuns | undefined
  /** @throws {@link DeviceLostError}, or `signal.reason` when aborted */
  run(bindings: Bindings, options?: RunOptions): Promise<ArrayResults>
  /** Describes the latest run. */
  readonly report: Report
  dispose(): void
}

/** One program of a sequence. It reads and writes device buffers; one buffer may be both input and output. */
export interface Stage {
  readonly program: Program
  readonly bindings: Bindings
  /** The buffer of each result. Indices and counts are written as numbers of the device, too. */
  readonly outputs: Readonly<Record<string, DeviceBuffer>>
  /** As in {@link RunOptions.sources}. The outputs then hold what these sources contribute. */
  readonly sources?: Range
  /** As in {@link RunOptions.targets}. The outputs then hold only these targets, from their first number on. */
  readonly targets?: Range
  /** The setting at which the program's {@link TreeRuns} compute the stage; only if the program has them, and without ranges. */
  readonly tree?: TreeSetting | undefined
}

export interface Sequence {
  /** Runs all stages in order, `times` times. Resolves when the device has finished. */
  run(times: number, options?: Pick<RunOptions, 'signal' | 'onProgress'>): Promise<void>
  dispose(): void
}
