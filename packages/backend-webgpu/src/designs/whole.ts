/**
 * Runs of everything at once, which is all that some loops do: they leave ranges, and going on from earlier results, to the plain
 * loop.
 *
 * @module
 */
import type { Bindings, RunOptions } from '@manybody/core'

export function isWhole({ targets: here, sources: there }: Bindings, options: RunOptions): boolean {
  const all = (range: RunOptions['targets'], count: number) => !range || (range[0] === 0 && range[1] === count)
  return all(options.targets, here.count) && all(options.sources, there.count) && !options.initial
}
