/**
 * How long a coordinator waits for workers, in milliseconds, and how many calls each worker has at once.
 *
 * @module
 */

/**
 * After this many milliseconds of silence, the coordinator asks a worker whether it is there, if one of its calls is late by as much. If
 * the connection has ended, the server says so at once. A connected worker may be silent for longer, because its thread computes.
 */
export const askAfter: number = 1500

/** After this many milliseconds of silence, a connected worker with calls counts as gone. */
export const lease: number = 30_000

/** Milliseconds between looks for silent workers. Each look takes a waiting coordinator half a millisecond of processor time. */
export const tick: number = 500

/**
 * Milliseconds between looks for new workers. A look wakes all workers. It takes each worker, the server and the coordinator about a
 * millisecond of processor time. Looks are therefore rarer while nobody comes or goes, and where there are many workers.
 */
export const looks: { readonly soonest: number; readonly perWorker: number; readonly latest: number } = {
  ...{ soonest: 2000, perWorker: 10, latest: 10_000 },
}

/** Milliseconds that a run without any worker waits for one. */
export const waitForWorkers: number = 30_000

/** Milliseconds that a call and its results may be on their way, besides the computing time. */
export const messages: number = 10

/** Bytes that a server moves in a millisecond. */
export const transfer: number = 2e5

/** Calls that a worker has at the same time: while it computes one, the next is on its way. */
export const callsAhead: number = 2

/**
 * A worker gets its next call this many milliseconds before its current call should end. Earlier, there is no hurry: the calls for many
 * workers then go to the server together, at a tick.
 */
export const nextCall: number = 2 * tick
