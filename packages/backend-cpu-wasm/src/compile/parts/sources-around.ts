/**
 * The sources around a block of targets, which it meets first. So its reach is short from the start.
 *
 * If targets and sources are one set, they are in the blocks before and after its own. Otherwise they are a node near it.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { firstSources } from '../folds/least-rows.ts'
import { write } from '../language/kernel.ts'
import { nearestWalk } from '../ranges/nearest-walk.ts'
import { reachedBox } from '../ranges/reached-box.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import type { BlockPassOptions } from './target-block.ts'

/** Number of blocks around a block. */
export const blocksAround = ({ fold: { results } }: BlockPassOptions): number =>
  Math.max(4, firstSources(results[0]?.entries ?? 0) / blockPoints)

/** A block of a group, and the range of the blocks of the group. */
interface BlockOfGroup {
  readonly number: Node
  readonly first: Node
  readonly last: Node
}

/** Writes how to find the places around a block, which `keep` gets. `stack` is the address of the stack of a walk. */
export function sourcesAround(
  options: BlockPassOptions,
  code: FunctionBuilder,
  block: Node,
  stack: Node,
  { number, first, last }: BlockOfGroup,
  keep: (code: FunctionBuilder, from: Node, to: Node) => void,
): void {
  const { writer, sameSet } = options
  const around = blocksAround(options)
  if (sameSet) {
    write(code)`
      let start = ${first} + (${number} - ${first} & -${around})
      let latest = ${last} - ${around}
      let from = i32.lt_s(start, latest) ? start : latest
      const begin = i32.gt_s(from, ${first}) ? from : ${first}
      let end = begin + ${around}
      ${keep}(begin * ${blockPoints}, (end < ${last} ? end : ${last}) * ${blockPoints})`
    return
  }
  const reached = reachedBox(code, block, options)
  const latest = code.local('i32', 'latest')
  const walk = nearestWalk(code, block, { ...options, leafPoints: around * blockPoints, stack, reached, latest })
  write(code)`
    let box = ${writer.slot(code, block, 'targetBlocks')} + ${number} * ${nodeBytes}
    ${reached.start}(box)
    ${reached.add}(box, f64(0))
    ${reached.end}()
    ${keep}(0, 0)
    ${walk.first}(${keep})`
}
