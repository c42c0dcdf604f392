/**
 * The inputs of a program: points, parameters, exclusions and ranges, as plain arrays or as arrays that stay on the device. Types
 * only, a part of the contract in `backend.ts`.
 *
 * @module
 */
import type { FloatArray } from './magnitudes.ts'

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

/** Numbers `first, first + 1, ..., last - 1` of an array. */
export type Stretch = readonly [first: number, last: number]

export interface DeviceBuffer {
  readonly length: number
  /** On WebGPU: where the numbers are. The same buffer until it is disposed of. */
  readonly gpu?: NativeBuffer
  /** Copies the numbers when it is called; later changes to the array have no effect. */
  write(data: FloatArray): Promise<void>
  /** The same for some of the numbers, from this one on; undefined if that is done. Without it, core reads all and writes them again. */
  writePart?(data: FloatArray, first: number): Promise<void> | undefined
  /**
   * Another length, up to the one that the buffer was made with. Its first numbers stay; further ones may be anything until they are
   * written. Undefined if that is done. It is there exactly if `keep` is.
   */
  resize?(length: number): Promise<void> | undefined
  /**
   * Keeps only some stretches of the numbers, moves them together, and is then as long as they are. Undefined if that is done.
   *
   * @param stretches ascending
   */
  keep?(stretches: readonly Stretch[]): Promise<void> | undefined
  /**
   * Resolves to a copy of the numbers, after all work submitted before has finished.
   *
   * @param into an array of the device's precision and of this length, which then holds the copy
   */
  read(into?: FloatArray): Promise<FloatArray>
  /** The same within the call, if there is nothing to wait for. Returns false if there is, and then has done nothing. */
  readAtOnce?(into: FloatArray): boolean
  /**
   * The sum of the numbers without reading them all, after all work submitted before has finished. Float32 may hold sums of a few
   * thousand numbers; float64 adds these up. Not finite if a number is not. Without it, core reads the numbers and adds them up.
   */
  total?(): Promise<number>
  /** The places of the numbers that are not 0, ascending, without reading the others. Without it, core reads all. */
  nonzero?(): Promise<Uint32Array>
  /** The `width` numbers of each of these points, without reading the others. Without it, core reads all. */
  readAt?(points: Uint32Array, width: number): Promise<FloatArray>
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
  /**
   * Present exactly if the law of pairs has tables: the numbers of all of them. The body of the loop says where each one is. Indices
   * that no check has seen are clamped there.
   */
  readonly tables?: FloatArray
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
