/** Ctrl-C, or being told to end as by `timeout`: once ends the work with what is there, twice ends the process. */

const signals = ['SIGINT', 'SIGTERM'] as const

export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  }
  for (const name of signals) process.on(name, interrupt)
  try {
    return await work(controller.signal)
  } finally {
    for (const name of signals) process.off(name, interrupt)
  }
}
