/**
 * The parts of memory that workers with separate memories need for the phase `pairs`: the regions that it reads, and where its
 * results are.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import type { PhaseShape } from '../../design/design.ts'
import type { Copies } from '../threads/job.ts'
import type { Span } from '../threads/messages.ts'
import type { BoundProgram } from './bound-program.ts'
import { rangeNames } from './given-ranges.ts'
import { phaseIndex } from './loaded-program.ts'
import { bytesOf } from './memory-layout.ts'

/** Names of the regions that the phase reads, besides those of points in blocks. */
const read: readonly string[] = [
  ...['block', 'tables', 'targets', 'sources', 'finalStarts', 'exclusionOffsets', 'exclusionSources'],
  ...rangeNames,
  ...['proxies', 'openings', 'scheme'],
]

/** @param units number of units of the whole phase */
export function copiesOf(
  { program, layout, regions, addresses, arrangement }: BoundProgram,
  phase: PhaseShape,
  units: number,
): Copies {
  const { counts, once, request } = layout
  const { at, memory } = regions
  const inputs = regions.spansOf(arrangement ? [...read, ...arrangement.read] : read)
  const base = { memory: memory.memory, inputs }
  if (once)
    return {
      ...base,
      before: phaseIndex(program, 'clear'),
      results: () => [],
      totals: { address: at.totals as number, length: once.totalBytes },
    }
  /** The range of entries in the lists of targets `from ... to - 1`, or of targets in these places. */
  const listedBetween = (from: number, to: number) => {
    const starts = new Uint32Array(memory.memory.buffer, arrangement ? at.starts : at.finalStarts, to + 1)
    return [starts[from] as number, starts[to] as number] as const
  }
  const results = (first: number, last: number): readonly Span[] => {
    const [from, to] = arrangement?.placesOf(first, last) ?? [
      Math.min(first * phase.points, counts.targets),
      Math.min(last * phase.points, counts.targets),
    ]
    const blocks = (targets: number) => Math.ceil(targets / blockPoints)
    const evaluated = arrangement
      ? [{ address: (at.evaluated as number) + 4 * blocks(from), length: 4 * (blocks(to) - blocks(from)) }]
      : []
    return layout.results
      .map(({ name, type, entries, listed }) => {
        const bytes = entries * bytesOf(type, layout.precision)
        const [first, last] = listed ? listedBetween(from, to) : [from, to]
        return { address: (addresses[`result.${name}`] ?? 0) + first * bytes, length: (last - first) * bytes }
      })
      .concat(evaluated)
  }
  // The phase keeps some of the results from before, so these are inputs, too.
  const keeps = request.merge || layout.results.some(({ partial }) => partial)
  return { ...base, inputs: keeps ? [...inputs, ...results(0, units)] : inputs, results }
}
