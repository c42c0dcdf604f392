/**
 * How long a coordinator waits for workers, in milliseconds, and how much work each has in hand.
 *
 * @module
 */

/**
 * Milliseconds of silence after which a worker is asked whether it is there, if a call of it is as late. The server says at once if its
 * connection has ended. A worker that is connected may be silent for longer, because its thread computes.
 */
export const askAfter: number = 1500

/** Milliseconds of silence after which a connected worker with work in hand counts as gone. */
export const lease: number = 30_000

/** Milliseconds between looks for silent workers. Each takes a coordinator that waits half a millisecond of processor time. */
export const tick: number = 500

/**
 * Milliseconds between looks for new workers. A look wakes all workers, which takes each of them, the server and the coordinator about a
 * millisecond of processor time: looks are rarer while nobody comes or goes, and where there are many.
 */
export const looks: { readonly soonest: number; readonly perWorker: number; readonly latest: number } = {
  ...{ soonest: 2000, perWorker: 10, latest: 10_000 },
}

/** Milliseconds that a run without any worker waits for one. */
export const waitForWorkers: number = 30_000

/** Milliseconds that a call and its results may be on their way, besides the time that the worker computes. */
export const messages: number = 10

/** Bytes that a server moves in a millisecond. */
export const transfer: number = 2e5

/** Calls that a worker has at the same time: while it computes one, the next is on its way. */
export const callsAhead: number = 2

/**
 * Milliseconds before the end of a call from which its worker has the next one. Earlier, there is no hurry: the calls of many workers then
 * go to the server together, at a tick.
 */
export const nextCall: number = 2 * tick
