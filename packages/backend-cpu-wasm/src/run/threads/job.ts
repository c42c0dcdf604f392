/**
 * A job: the work of one phase over all its units, for one set of bindings.
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
  /** It may be known only when it is the job's turn. */
  units: number
  /** The most units in one call. */
  callUnits: number
  /** Parts with units in order, if no two threads may be in one part at a time. The last part may have fewer. */
  readonly parts?: { readonly count: number; readonly units: number } | undefined
  /** Estimated milliseconds of all units on one thread. */
  cost: number
  /** Whether to leave the job out, asked when it is its turn. */
  readonly skip?: (() => boolean) | undefined
  /** Chooses whether other threads help, from earlier times of the phase. */
  readonly chooser?: ThreadChooser | undefined
  /** The memory that workers with separate memories need; undefined if they should not help. */
  readonly copies?: (() => Copies) | undefined
}

/** Lets other tasks run, now or if due. `done` is the finished fraction of the job, `spent` the milliseconds since the last call. */
export interface Pause {
  ifDue(done: number, spent: number): Promise<void> | undefined
  now(done: number): Promise<void>
}

/** The memory that workers with separate memories need for a job. */
export interface Copies {
  readonly memory: WebAssembly.Memory
  /** Everything that its calls read. */
  readonly inputs: readonly Span[]
  /** A phase that must first prepare the scratch of each thread. */
  readonly before?: number | undefined
  /** The results of some units. */
  results(first: number, last: number): readonly Span[]
  /** The first totals, if results are added up there. A worker uses these of its own memory, and each thread has the next ones in ours. */
  readonly totals?: Span | undefined
}

/** A job that is a function of the host, of about `cost` milliseconds. */
export function onThisThread(work: () => void, cost: number): Job {
  const program = { id: 0, phases: [work] }
  return { program, phase: 0, block: 0, scratch: 0, scratchBytes: 0, units: 1, callUnits: 1, cost }
}

/** Number of threads in a word with a bit for each. */
export const bitsIn = (word: number): number => (word >>> 0).toString(2).replaceAll('0', '').length
