/**
 * The options and results of runs, single or prepared. Types only.
 *
 * @module
 */
import type { Plan, Report, Timings } from '../contract/backend.ts'
import type { Curves } from '../ground/curves.ts'
import type { Precision } from '../ground/precision.ts'
import type { TableInput } from '../ground/table.ts'
import type { BlockRanges } from '../methods/ranges/given-ranges.ts'
import type { ParameterInput } from '../problem/interactions/interaction.ts'
import type { Attributes, Named, Particles, TermParticles } from '../problem/workloads/particles.ts'
import type { Results } from '../problem/workloads/workload.ts'
import type { Into } from './results/into.ts'

export interface EngineRunOptions<Name extends string = string> {
  readonly signal?: AbortSignal | undefined
  /** Called with the fraction done, 0 to 1. */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** Values that replace parameters of the law. Nothing is recompiled. */
  readonly parameters?: Readonly<Record<string, ParameterInput>> | undefined
  /** Tables that replace tables of the law. Nothing is recompiled. */
  readonly tables?: Readonly<Record<string, TableInput>> | undefined
  /** Tabulated functions that replace functions of the law. Nothing is recompiled. */
  readonly functions?: Readonly<Record<string, Curves>> | undefined
  /** Pair loops: the only sources that blocks of targets meet. By default every target meets every source. */
  readonly ranges?: BlockRanges | undefined
  /** A variant of the loop, by the backend's name for it, in place of the backend's own choice. */
  readonly plan?: Plan | undefined
  /** Arrays to write results into, with the types and lengths of the results. Results of an earlier run fit. */
  readonly into?: Into<Name> | undefined
}

export interface StreamOptions extends Omit<EngineRunOptions, 'into'> {
  /** Targets per block; by default as many as the device returns at once. */
  readonly rows?: number
}

export interface VerifyOptions extends Omit<EngineRunOptions, 'into'> {
  /** Targets to compare; 64 by default. */
  readonly sample?: number
}

/** Milliseconds of a whole call. All but `compile` add up to its wall time; the first call of a program compiles it, too. */
export interface CallTimings extends Timings {
  /** Checking and copying the caller's data. */
  readonly checks: number
  /** The rest of the host's work: finding the program, binding arrays, and handing work over. */
  readonly binding: number
}

/** The report of a run, with the engine's part in it: times of the whole call, recoveries, changes of device. */
export interface RunReport extends Report {
  readonly timings: CallTimings
  /** Devices lost during the run, in order; usually empty. */
  readonly recoveries: readonly string[]
  /** Why another device ran a short call: the measured times of both devices. */
  readonly crossover?: string
}

export type RunResult<Name extends string, P extends Precision = 'f32'> = Results<Name, P> & {
  readonly report: RunReport
}

/** A workload prepared for one shape, to be run many times. */
export interface PreparedProgram<Name extends string, P extends Precision = 'f32'> {
  run<Given = Named, Targets = Named, Sources = Named>(
    particles: Particles<Given, Targets, Sources>,
    options?: Omit<EngineRunOptions<Name>, 'plan'>,
  ): Promise<RunResult<Name, P>>
  dispose(): void
}

/** A prepared map, which needs no positions. */
export interface PreparedMap<Name extends string, P extends Precision = 'f32'> {
  run<Given = Named>(
    attributes: Attributes<Given>,
    options?: Omit<EngineRunOptions<Name>, 'plan'>,
  ): Promise<RunResult<Name, P>>
  dispose(): void
}

/** A prepared term. If it reads vectors, it needs no positions. */
export interface PreparedTerm<Name extends string, P extends Precision = 'f32'> {
  run<Given = Named, Targets = Named, Sources = Named>(
    particles: TermParticles<Given, Targets, Sources>,
    options?: Omit<EngineRunOptions<Name>, 'plan'>,
  ): Promise<RunResult<Name, P>>
  dispose(): void
}

/** A prepared workload over links, which needs positions only if its law reads them. */
export interface PreparedLinks<Name extends string, P extends Precision = 'f32'> {
  run<Given = Named>(
    points: Attributes<Given>,
    options?: Pick<EngineRunOptions, 'signal' | 'onProgress' | 'parameters' | 'tables'>,
  ): Promise<RunResult<Name, P>>
  dispose(): void
}

/** A map or a term, which may need no positions, or any other workload, prepared. */
export type PreparedFor<W, Name extends string, P extends Precision = 'f32'> = W extends { readonly operation: 'map' }
  ? PreparedMap<Name, P>
  : W extends { readonly loop: 'link' }
    ? PreparedLinks<Name, P>
    : 'value' extends Name | (W extends { readonly limit: number } ? 'value' : never)
      ? PreparedTerm<Name, P>
      : PreparedProgram<Name, P>
