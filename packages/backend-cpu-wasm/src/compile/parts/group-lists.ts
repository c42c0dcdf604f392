/**
 * How the blocks of a group find their neighbours: they walk the tree together and gather the sources near the group, and then
 * each block filters these to its own list. The caller decides how to use the lists.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { value, write } from '../language/kernel.ts'
import { filterBlock, withoutImages } from '../lists/filter-block.ts'
import { keepTargets } from '../lists/filter-piece.ts'
import { gatherNear } from '../lists/gather-near.ts'
import {
  type ListOptions,
  listsOf,
  nodeSources,
  parts as shared,
  writeIota,
  writeTable,
} from '../lists/neighbour-lists.ts'
import { cutoffWalk } from '../ranges/cutoff-walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { type Callable, call, get, i32, type Node, plus } from '../wasm/nodes.ts'
import { registerAt } from './points.ts'
import type { BlockPassOptions, ScratchAddresses } from './target-block.ts'
import type { TargetGroup } from './target-groups.ts'

/** How a block meets the places of a list: whether both points of a pair receive terms, and which body computes the pairs. */
export interface How {
  readonly once: boolean
  readonly kind: number
}

/** The filter from one list of the group to one block. */
export interface GroupFilter {
  readonly number: Node
  readonly how: How
  /** Writes the places, or displacements and places, from an address on. Returns the end of the first array. */
  readonly fill: (code: FunctionBuilder, to: Node) => Node
  /** Whether no target of the block needs images for the sources in the lists without images; 0 if there are no such lists. */
  readonly direct: Node
}

/**
 * Defines `name(block, scratch, first, last, ...ends)`, which filters the group's lists, up to their ends, for each block from
 * `first` to `last`. It keeps places, or displacements and places if single targets filter once more.
 */
export function defineFilters(
  name: string,
  options: BlockPassOptions,
  near: ListOptions,
  { parts, displacements }: { readonly parts: ScratchAddresses; readonly displacements: boolean },
  start: (code: FunctionBuilder, block: Node, scratch: Node, first: Node) => (of: GroupFilter) => void,
): Callable {
  const { writer, targets, once } = options
  const kinds = near.apart ? 2 : 1
  const parameters = {
    ...integers('block', 'scratch', 'first', 'last', 'end'),
    ...(near.apart ? { endDirect: 'i32' as const } : {}),
    ...(once ? { endOnce: 'i32' as const } : {}),
    ...(near.apart && once ? { endOnceDirect: 'i32' as const } : {}),
  }
  return writer.module.define(name, parameters, undefined, (code, values) => {
    const { block, scratch, first, last, ...others } = values
    const ends = Object.values(others)
    const [targetBlocks, registers] = [writer.slot(code, block, 'targetBlocks'), writer.slot(code, block, 'targets')]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const lists = listsOf(code, frame, near)
    const filter = filterBlock(code, block, frame, near, displacements)
    const use = start(code, block, scratch, first)
    const groupFrom = once ? code.let('v128', 'groupFrom', value(code)`i32x4(${first} * ${blockPoints})`) : i32(0)
    /** The filter drops the places from the start of the group to the end of a block, which meets only later places once. */
    const metOf = (number: Node) => ({
      from: groupFrom,
      count: code.let('v128', 'metCount', value(code)`i32x4((${number} - ${first}) * ${blockPoints} + ${blockPoints})`),
    })
    const count = blockPoints / writer.vector.lanes
    code.for('number', first, last, 1, (number) => {
      const own = Array.from({ length: count }, (_, u) =>
        registerAt(writer, targets, registers, value(code)`${number} * ${count} + ${u}`),
      )
      filter.start(code, value(code)`${targetBlocks} + ${number} * ${nodeBytes}`)
      if (displacements) keepTargets(code, block, frame, near, own)
      const direct = near.apart ? code.let('i32', 'direct', withoutImages(code, frame, near, own)) : i32(0)
      for (const [n, gathered] of lists.entries()) {
        const how = { once: n >= kinds, kind: n % kinds }
        const without = how.once ? metOf(number) : undefined
        const fill: GroupFilter['fill'] = (code, to) => filter.filter(code, gathered, ends[n] as Node, to, without)
        use({ number, how, fill, direct })
      }
    })
  })
}

/** Finds the sources near a group, for the function from `defineFilters`, and tells how many nodes of sources all count. */
export type GatherGroup = (
  code: FunctionBuilder,
  group: TargetGroup,
  filters: Callable,
  whole: (code: FunctionBuilder, sources: Node) => void,
) => void

/**
 * Writes the gathering of the sources near a group. It calls the function from `defineFilters` whenever a list may be full, and
 * at the end.
 */
export function groupGatherer(
  code: FunctionBuilder,
  { block, scratch }: { readonly block: Node; readonly scratch: Node },
  options: BlockPassOptions,
  { near, parts, wholes }: { readonly near: ListOptions; readonly parts: ScratchAddresses; readonly wholes: boolean },
): GatherGroup {
  const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
  writeIota(code, plus(frame, shared.iota))
  writeTable(code, plus(frame, shared.table))
  const lists = listsOf(code, frame, near)
  const { start, isMet, own, clear, gather, full, ends } = gatherNear(code, block, frame, lists, near)
  const { once, body } = options
  const leaves = { leafPoints: nodeSources, wholes, skipSelf: body.skipSelf, own, isMet: once ? isMet : undefined }
  const walk = cutoffWalk(code, block, { ...options, ...leaves })
  return (code, group, filters, whole) => {
    const { node, place, end, firstBlock, endBlock } = group
    const filterAll = (code: FunctionBuilder) =>
      code.emit(call(filters, block, scratch, firstBlock, endBlock, ...ends.map(get)))
    const take = (code: FunctionBuilder, from: Node, to: Node) => write(code)`
      if ${full}() {
        ${filterAll}()
        ${clear}()
      }
      ${gather}(${from}, ${to})`
    start(code, group)
    clear(code)
    walk(code, node, place, end, { take, whole })
    filterAll(code)
  }
}
