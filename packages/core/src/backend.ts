/**
 * The contract between core and a backend. Types only.
 *
 * A backend finds hardware (`probe`) and opens it (`open`); a device compiles workloads (`prepare`) into programs, which
 * run many times. Core checks arguments, adds up totals and chooses devices, so that a backend only computes.
 *
 * @module
 */
import type { FloatArray } from './checks.ts'
import type { Precision } from './precision.ts'
import type { ArrayResults, Shape, Workload } from './workloads/workload.ts'

/** `software` is a GPU interface without a GPU behind it; `cpu` computes on processor cores and says so. */
export type DeviceKind = 'hardware' | 'software' | 'cpu'

export interface Backend {
  readonly name: string
  /** Never throws: what was found, or why nothing was, in words that a person can act on. */
  probe(options?: OpenOptions): Promise<Probe>
  /** @throws {@link BackendUnavailableError} */
  open(options?: OpenOptions): Promise<Device>
  /** Added to 0 for hardware, 1 for a processor, 2 for a GPU in software: the backend with the least sum is preferred. */
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
  /** Numbers that results come in and that state is kept in; float32 by default. */
  readonly precision?: Precision
  /** Most worker threads to use; backends without threads ignore it. */
  readonly threads?: number
  readonly tune?: 'off' | 'quick' | 'full'
}

/** What a device is limited to, in bytes or counts; backends may add names. */
export interface DeviceLimits extends Readonly<Record<string, number | undefined>> {
  /** The largest result array that one run may give. */
  readonly resultBytes: number
  /** Worker threads and the caller's. */
  readonly threads?: number
  /** Invocations of the largest workgroup. */
  readonly workgroupInvocations?: number
}

export interface DeviceInfo {
  readonly backend: string
  /** The adapter or processor, as its driver calls it. */
  readonly name: string
  readonly kind: DeviceKind
  readonly precision: Precision
  readonly features: readonly string[]
  readonly limits: DeviceLimits
  /** How it runs where that is less than one could expect, and why: sentences for a person. */
  readonly notes?: readonly string[]
}

export interface Device {
  readonly info: DeviceInfo
  /** Answers without allocating, and agrees with `prepare`. */
  supports(workload: Workload, shape: Shape): Support
  /** @throws {@link UnsupportedWorkloadError}, {@link ProgramCompilationError}, {@link DeviceLostError} */
  prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program>
  /** An array that stays on the device, `length` numbers of the device's precision, zero at first. */
  buffer(length: number): Promise<DeviceBuffer>
  /** Programs in order, with their arrays bound, to be run many times without leaving the device. */
  sequence(stages: readonly Stage[]): Promise<Sequence>
  /** Resolves if the device vanishes, and never otherwise. */
  readonly lost: Promise<LossReason>
  dispose(): void
}

export type Support = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** One shape of the loop and its sizes, in the backend's own words; left out, the backend chooses. */
export interface Plan {
  readonly variant: string
  readonly sizes?: Readonly<Record<string, number>>
}

export interface LossReason {
  readonly reason: string
  /** What to do about it. */
  readonly remedy: string
  /** Opening the backend again would end the same way. */
  readonly final?: true
}

export interface DeviceBuffer {
  readonly length: number
  /** Writes the numbers as they are when it is called. */
  write(data: FloatArray): Promise<void>
  /** A copy of the numbers, once everything submitted before has finished. */
  read(): Promise<FloatArray>
  dispose(): void
}

/** A set of points (or cells) as the device gets it: `position` interleaved, attributes, or `field`. */
export interface PointSet {
  readonly count: number
  readonly arrays: Readonly<Record<string, FloatArray | DeviceBuffer>>
}

/** Sources left out for each target: of target t, `sources[offsets[t]] ... sources[offsets[t + 1] - 1]`, ascending. */
export interface Exclusions {
  readonly offsets: Uint32Array
  readonly sources: Uint32Array
}

/**
 * What a program reads. Core has checked it: lengths fit the shape and every number of a plain array is finite. Plain
 * arrays are of the device's precision (see `deviceNumbers`), Float32Array for `f32`, and do not change while a run is
 * under way.
 */
export interface Bindings {
  readonly targets: PointSet
  /** The same object as `targets` when they are one set. */
  readonly sources: PointSet
  /** Parameters of the law and of the domain (`cutoff`, `switchDistance`, `boxX`, ...). */
  readonly parameters: Readonly<Record<string, number>>
  /** Present exactly if the workload has exclusions. */
  readonly exclusions?: Exclusions
}

/** Indices `first, first + 1, ..., last - 1`. */
export type Range = readonly [first: number, last: number]

export interface RunOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with the fraction done, 0 to 1, at times that suit the device. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** Pair loops: only these sources are visited; all by default. */
  readonly sources?: Range
  /** Pair loops: only these targets are computed, and results hold only them; all by default. */
  readonly targets?: Range
  /** Pair loops: results of earlier source ranges, to go on from. */
  readonly initial?: ArrayResults
  /** Where results may be written in place of new arrays, of the right types and lengths; or they may not. */
  readonly into?: ArrayResults | undefined
}

export interface Program {
  /** @throws {@link DeviceLostError}, or `signal.reason` when aborted */
  run(bindings: Bindings, options?: RunOptions): Promise<ArrayResults>
  /** About the latest run. */
  readonly report: Report
  dispose(): void
}

/** One program of a sequence. Arrays that it reads and writes are device buffers; the same one may be both. */
export interface Stage {
  readonly program: Program
  readonly bindings: Bindings
  /** Where each result goes, as numbers of the device: indices and counts, too. */
  readonly outputs: Readonly<Record<string, DeviceBuffer>>
}

export interface Sequence {
  /** Runs all stages in order, `times` times; resolves when the device has finished. */
  run(times: number, options?: Pick<RunOptions, 'signal' | 'onProgress'>): Promise<void>
  dispose(): void
}

/** Milliseconds of wall time; what a device cannot tell apart is 0 there and counted in `compute`. */
export interface Timings {
  /** Of the program, before its first run. */
  readonly compile: number
  readonly upload: number
  readonly compute: number
  readonly readback: number
}

export interface Report {
  readonly backend: string
  readonly device: string
  readonly kind: DeviceKind
  readonly variant: string
  readonly precision: Precision
  /** How terms were added: one chain, blocks, compensated, or float64; none were. Decides which error bound applies. */
  readonly accumulation: 'running' | 'block' | 'compensated' | 'f64' | 'none'
  readonly timings: Timings
  /** Terms evaluated: targets times sources for pairs, points or cells else. */
  readonly interactions: number
  readonly interactionsPerSecond: number
}
