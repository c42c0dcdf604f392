/** Ctrl-C: once ends the run with what is there, twice ends the process. */

export function interruptSignal(): AbortSignal {
  const controller = new AbortController()
  process.on('SIGINT', () => {
    if (controller.signal.aborted) process.exit(130)
    controller.abort()
  })
  return controller.signal
}
