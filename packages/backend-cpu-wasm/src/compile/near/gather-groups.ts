/**
 * How the blocks of a group find the sources near them: they walk the tree together, gather what is near the group, and each
 * block then picks from that. What becomes of the picked places is up to the caller.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/near'
import { registerAt } from '../loops/points.ts'
import type { BlockPassOptions, ScratchAddresses } from '../loops/target-block.ts'
import type { TargetGroup } from '../loops/target-groups.ts'
import { type CutoffWalkOptions, cutoffWalk } from '../ranges/cutoff-walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { type Callable, call, get, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import { listsOf, type NearOptions, nodeSources, parts as shared, writeIota, writeTable } from './near-lists.ts'
import { gatherNear } from './near-sources.ts'
import { pickNear, withoutImages } from './pick-near.ts'
import { keepTargets } from './pick-targets.ts'

/** How a block meets the places of a list: whether both points of a pair receive terms, and the body of which kind computes them. */
interface How {
  readonly once: boolean
  readonly kind: number
}

/** What a block picks from one list. */
export interface Picks {
  readonly number: Node
  readonly how: How
  /** Writes the places from an address on, or displacements and places, and returns the end of the first array. */
  readonly pick: (to: Node) => Node
  /** Whether every target of the block meets those that are listed apart without images. */
  readonly direct: Node | undefined
}

/**
 * Defines `name(block, scratch, first, last, ...ends)`, which picks for the blocks from `first` on from the lists that end there:
 * places, or displacements and places, for what picks by targets.
 */
export function definePicks(
  name: string,
  options: BlockPassOptions,
  near: NearOptions,
  { parts, displacements }: { readonly parts: ScratchAddresses; readonly displacements: boolean },
  start: (code: FunctionBuilder, block: Node, scratch: Node, first: Node) => (picks: Picks) => void,
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
    const picks = pickNear(code, block, frame, near, displacements)
    const use = start(code, block, scratch, first)
    const splat = (name: string, value: Node) => code.let('v128', name, op('i32x4.splat', value))
    const groupFrom = once ? splat('groupFrom', times(first, blockPoints)) : i32(0)
    /** How many places of the group come before those that a block meets once. */
    const metOf = (number: Node) => plus(times(op('i32.sub', number, first), blockPoints), blockPoints)
    const count = blockPoints / writer.vector.lanes
    code.for('number', first, last, 1, (number) => {
      const own = Array.from({ length: count }, (_, u) =>
        registerAt(writer, targets, registers, plus(times(number, count), u)),
      )
      picks.start(plus(targetBlocks, times(number, nodeBytes)))
      if (displacements) keepTargets(code, block, frame, near, own)
      const direct = near.apart ? code.let('i32', 'direct', withoutImages(code, frame, near, own)) : undefined
      for (const [n, gathered] of lists.entries()) {
        const how = { once: n >= kinds, kind: n % kinds }
        const without = how.once ? { from: groupFrom, count: splat('metCount', metOf(number)) } : undefined
        use({
          number,
          how,
          pick: (to) => picks.pick(gathered, ends[n] as Node, to, without),
          direct,
        })
      }
    })
  })
}

/** Writes what gathers the sources near a group, and calls what was made by `definePicks` whenever the lists are full. */
export function groupGatherer(
  code: FunctionBuilder,
  { block, scratch }: { readonly block: Node; readonly scratch: Node },
  options: BlockPassOptions,
  { near, parts, wholes }: { readonly near: NearOptions; readonly parts: ScratchAddresses; readonly wholes: boolean },
): (group: TargetGroup, picks: Callable, whole: (sources: Node) => void) => void {
  const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
  writeIota(code, plus(frame, shared.iota))
  writeTable(code, plus(frame, shared.table))
  const lists = listsOf(code, frame, near)
  const { start, isMet, clear, gather, full, ends } = gatherNear(code, block, frame, lists, near)
  const { once, body } = options
  const leaves: Pick<CutoffWalkOptions, 'leafPoints' | 'wholes' | 'skipSelf' | 'isMet'> = {
    leafPoints: nodeSources,
    wholes,
    skipSelf: body.skipSelf,
    isMet: once ? isMet : undefined,
  }
  const walk = cutoffWalk(code, block, { ...options, ...leaves })
  return ({ node, place, end, firstBlock, endBlock }, picks, whole) => {
    const pickAll = () => code.emit(call(picks, block, scratch, firstBlock, endBlock, ...ends.map(get)))
    start(node, place)
    clear()
    walk(node, place, end, {
      take: (sourceFrom, sourceTo) => {
        code.if(full(), () => {
          pickAll()
          clear()
        })
        gather(sourceFrom, sourceTo)
      },
      whole,
    })
    pickAll()
  }
}
