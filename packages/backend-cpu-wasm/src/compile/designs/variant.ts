/**
 * How a loop runs, as reports show it.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'
import { accumulationIn } from '@manybody/core/expression'
import type { LoopReport } from '../../design/design.ts'
import { tileSources } from '../../design/loaded-at-once.ts'
import type { Visit } from '../../design/loop-plan.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'

/** A loop over pairs or elements, as it is written. */
interface WrittenLoop {
  readonly writer: ModuleWriter
  readonly visit: Visit
  /** Number of registers of targets in the inner loop. */
  readonly registers: number
  /** Whether targets are read in blocks of near points. */
  readonly inBlocks: boolean
}

export function loopReport(
  workload: Workload,
  { sources }: Pick<Shape, 'sources'>,
  { writer, visit, registers, inBlocks }: WrittenLoop,
): LoopReport {
  const { vector, fused, tile } = writer
  // The bound of block sums holds if tiles have at most 256 sources, or few enough for the number of tiles.
  const boundedTiles = tile <= Math.max(256, sources / 256)
  const accumulation = accumulationIn(workload, vector.bytes === 8 ? 'f64' : boundedTiles ? 'block' : 'running')
  const name = { all: 'simd', ranges: 'simd', once: 'pairs-once', blocks: 'blocks' }[visit]
  const several = registers > 1 ? ` x${registers}` : ''
  const parts = [
    fused ? `${name}-relaxed` : name,
    inBlocks ? ` (${registers * vector.lanes} x ${blockPoints})` : several,
    tile === tileSources ? '' : `, tiles of ${tile}`,
    visit === 'ranges' ? ', given ranges' : '',
  ]
  return {
    variant: parts.join(''),
    accumulation,
    ...(accumulation === 'block' && visit !== 'blocks' ? { chains: [tile] } : {}),
  }
}
