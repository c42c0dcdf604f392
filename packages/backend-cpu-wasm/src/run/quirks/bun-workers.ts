/**
 * In Bun (1.4) a Web Worker keeps the process alive, unless `unref` is called. Pages have neither the problem nor `unref`.
 *
 * `tests/environments/runtimes.test.ts` shows it: its program in Bun ends without disposing of the device. Remove this when
 * Bun's workers no longer keep a process alive.
 *
 * @module
 */

/** Lets the process end while the worker sleeps. */
export function letProcessEnd(worker: object): void {
  const { unref } = worker as { unref?: () => void }
  unref?.call(worker)
}
