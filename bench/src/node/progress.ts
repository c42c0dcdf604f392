/** A progress bar on the terminal; silent where there is none. */

import { Presets, SingleBar } from 'cli-progress'

export interface Progress {
  start(): void
  update(fraction: number, label: string): void
  stop(): void
}

export function progressBar(): Progress {
  const bar = new SingleBar(
    { format: '{bar} {percentage}% {label}', hideCursor: true, clearOnComplete: true, stopOnComplete: false },
    Presets.shades_classic,
  )
  return {
    start: () => bar.start(1000, 0, { label: '' }),
    update: (fraction, label) => bar.update(Math.round(1000 * fraction), { label }),
    stop: () => bar.stop(),
  }
}
