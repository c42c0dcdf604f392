/** A progress bar on the terminal; without a terminal it prints nothing. */

import { Presets, SingleBar } from 'cli-progress'

export interface ProgressBar {
  update(fraction: number, label: string): void
  stop(): void
}

/** Prints a line for each new activity, for machines without a terminal. */
export function progressLines(): ProgressBar {
  let told = ''
  const start = performance.now()
  return {
    update(fraction, label) {
      if (label === told) return
      told = label
      const seconds = Math.round((performance.now() - start) / 1000)
      console.log(`[${Math.round(100 * fraction)} %, ${seconds} s] ${label}`)
    },
    stop() {},
  }
}

export function progressBar(): ProgressBar {
  const bar = new SingleBar(
    { format: '{bar} {percentage}%  {label}', barsize: 30, hideCursor: true, clearOnComplete: true },
    Presets.shades_classic,
  )
  const steps = 1000
  bar.start(steps, 0, { label: '' })
  return {
    // Reaching the end would close the bar.
    update: (fraction, label) => bar.update(Math.min(steps - 1, Math.round(steps * fraction)), { label }),
    stop: () => bar.stop(),
  }
}
