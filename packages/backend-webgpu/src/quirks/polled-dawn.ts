/**
 * Dawn in Node (`webgpu` 0.6) looks for finished work in every turn of the event loop while anyone waits for it, and leaves a
 * function behind each time. Collecting these takes a tenth of the time, in pauses of 4 ms on the host of an NVIDIA H200. So nobody
 * asks Dawn before the work can have finished.
 *
 * `tests/gpu/webgpu/quirks.test.ts` notes in which turns Dawn looks. Remove this when it waits without looking.
 *
 * @module
 */

/** How late timers may be, in milliseconds. */
const lateness = 2
/** In fewer milliseconds Dawn looks only a few times, which takes less time than another turn of the event loop. */
const fewest = 0.2

const { setImmediate: inNextTurn } = globalThis as { readonly setImmediate?: (call: () => void) => void }

/** Whether it is worth waiting before Dawn is asked. */
export const isLong = (milliseconds: number): boolean => milliseconds >= fewest

/** Waits without asking Dawn. */
export async function quietly(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds
  if (milliseconds > 2 * lateness) await new Promise((resolve) => setTimeout(resolve, milliseconds - lateness))
  await new Promise<void>((resolve) => {
    const turn = () => (inNextTurn && performance.now() < end ? inNextTurn(turn) : resolve())
    turn()
  })
}
