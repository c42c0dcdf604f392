/** A progress bar on a terminal. If the output goes into a file or a pipe, it prints nothing. */

import { SingleBar } from 'cli-progress'

/** Does some work behind a bar that disappears when the work is done. */
export async function withProgress<T>(
  what: string,
  work: (onProgress: (fraction: number) => void) => Promise<T>,
): Promise<T> {
  const bar = new SingleBar({
    format: `${what} {bar} {percentage}%  {duration_formatted}`,
    barsize: 30,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stdout,
    noTTYOutput: false,
  })
  bar.start(100, 0)
  try {
    return await work((fraction) => bar.update(Math.round(100 * fraction)))
  } finally {
    bar.stop()
  }
}
