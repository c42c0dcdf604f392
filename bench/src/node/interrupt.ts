/**
 * Ctrl-C or a signal to end, for example from `timeout`. The first ends the work and keeps the measurements so far; the second ends the
 * process.
 */

const signals = ['SIGINT', 'SIGTERM'] as const

/** A second signal within these milliseconds counts as the same one, because the parent process may have passed it on. */
const sameSignal = 1000

const ending = 'ending when the call under way is done; Ctrl-C again ends at once, and keeps nothing'

export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  let first = 0
  let told: NodeJS.Timeout | undefined
  const interrupt = () => {
    if (controller.signal.aborted && performance.now() - first > sameSignal) process.exit(130)
    if (controller.signal.aborted) return
    first = performance.now()
    controller.abort()
    told = setTimeout(() => console.error(`\nbench: ${ending}`), sameSignal)
  }
  for (const name of signals) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(told)
    // The parent process may pass the same signal on after it was told to end.
    if (!controller.signal.aborted) for (const name of signals) process.off(name, interrupt)
  }
}
