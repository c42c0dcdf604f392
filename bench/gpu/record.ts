/**
 * The record of `npm run bench:gpu`: WebGPU beside CUDA on one GPU, in one run. The one source of all figures of it; types
 * only.
 *
 * Times are microseconds of one full evaluation, the medians of interleaved rounds.
 */

import type { Machine } from '../src/record.ts'

export interface GpuRecord {
  readonly schema: 2
  /** As typed: `npm run bench:gpu -- --sizes 4096`. */
  readonly command: string
  /** ISO 8601, when it began. */
  readonly date: string
  /** Why rows are missing, in words: `interrupted`. */
  readonly partial?: string
  readonly machine: GpuMachine
  /** Whether what the backends compute here is right; absent where that was left out. */
  readonly judged?: readonly Judged[]
  readonly rows: readonly GpuRow[]
  readonly cuda: CudaRecord
}

/** A backend held to the conformance suite and to random laws on this GPU. */
export type Judged =
  | ({ readonly backend: string } & Refused)
  | {
      readonly backend: string
      readonly device: string
      /** Cases of the suite, and how many passed. */
      readonly cases: number
      readonly passed: number
      /** Random laws that ran, over few points and over up to 33,000. */
      readonly laws: { readonly few: number; readonly many: number }
      /** What was wrong, one sentence each. */
      readonly faults: readonly string[]
    }

export interface GpuMachine extends Machine {
  readonly gpu: string
  readonly kind: 'hardware' | 'software' | 'cpu'
  /** Of the package. */
  readonly webgpu: string
  readonly node: string
  readonly limits: Readonly<Record<string, number | undefined>>
  readonly features: readonly string[]
}

/** One plan of one workload at one size. */
export interface GpuRow {
  /** A case of `laws.ts`. */
  readonly law: string
  readonly n: number
  /** What ran, with its sizes. */
  readonly variant: string
  /** Whether the backend chose it by itself. */
  readonly chosen: boolean
  /** Within the limits that every device has, to see what a small one does. */
  readonly defaultLimits?: true
  readonly outcome: GpuOutcome | Refused
}

export interface GpuOutcome {
  /** By the device's clock, from the begin of a sample's first submission to the end of its last; absent without timestamps. */
  readonly gpu?: number
  /** By the host's clock, of the same samples. */
  readonly wall: number
  /** The slowest sample's wall time over the fastest, less 1. */
  readonly spread: number
  /** The largest of 64 targets against float64, of the sum of absolute terms; absent for a step, whose force is judged by itself. */
  readonly maxError?: number
  readonly compileMilliseconds: number
}

/** Why there is no figure. */
export interface Refused {
  readonly refused: string
}

interface CudaRecord {
  /** nvcc and the flags of it, or why nothing was compiled. */
  readonly compiler: string
  readonly rows: readonly CudaRow[]
  /** Why rows are missing. */
  readonly refused?: string
}

export interface CudaRow {
  readonly law: string
  readonly n: number
  readonly kernel: string
  readonly outcome: { readonly gpu: number; readonly maxError: number } | Refused
}
