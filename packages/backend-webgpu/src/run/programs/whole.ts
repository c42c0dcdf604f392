/**
 * Recognises runs over all points at once. Some loops compute only these, and leave other runs to the plain loop: runs over
 * ranges, and runs that continue from earlier results.
 *
 * @module
 */
import type { Bindings, RunOptions } from '@manybody/core'

export function isWhole({ targets: here, sources: there }: Bindings, options: RunOptions): boolean {
  const all = (range: RunOptions['targets'], count: number) => !range || (range[0] === 0 && range[1] === count)
  return all(options.targets, here.count) && all(options.sources, there.count) && !options.initial
}
