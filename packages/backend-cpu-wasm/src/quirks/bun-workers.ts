/**
 * In Bun (1.4) a Web Worker keeps the process alive, and `unref` lets it end; in pages there is neither.
 *
 * `tests/environments/runtimes.test.ts` shows it: its program in Bun ends although nobody disposed of the device. Goes when
 * Bun's workers no longer keep a process alive.
 *
 * @module
 */

/** Lets the process end while the worker sleeps. */
export function letProcessEnd(worker: object): void {
  const { unref } = worker as { unref?: () => void }
  unref?.call(worker)
}
