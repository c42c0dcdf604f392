/**
 * A job: one phase over its units, for one set of bindings. Types only.
 *
 * @module
 */
import type { Phases } from './claims.ts'
import type { Span } from './messages.ts'
import type { ThreadChooser } from './thread-chooser.ts'

export interface Job {
  readonly program: { readonly id: number; readonly phases: Phases }
  readonly phase: number
  readonly block: number
  readonly scratch: number
  /** Bytes of scratch of each thread. */
  readonly scratchBytes: number
  readonly units: number
  /** Most units in one call. */
  readonly callUnits: number
  /** Estimated milliseconds of all units on one thread. */
  readonly cost: number
  /** How long it took before. */
  readonly chooser?: ThreadChooser
  /** How workers with separate memories do it; undefined if that does not pay. */
  readonly copies?: (() => Copies) | undefined
}

/** Lets other tasks run when it is time; `done` is the fraction done of the job, `spent` its milliseconds since then. */
export interface Pause {
  ifDue(done: number, spent: number): Promise<void> | undefined
  now(done: number): Promise<void>
}

/** What copies need to know of a job. */
export interface Copies {
  readonly memory: WebAssembly.Memory
  /** What its calls read. */
  readonly inputs: readonly Span[]
  /** A phase that sets up the scratch of a thread first. */
  readonly before?: number | undefined
  /** Where units leave their results. */
  results(first: number, last: number): readonly Span[]
  /** What a thread has in its scratch when all is done, if results are there. */
  readonly totals?: Span | undefined
}
