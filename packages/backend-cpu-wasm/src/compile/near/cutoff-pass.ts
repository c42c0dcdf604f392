/**
 * The phase `pairs` of targets that meet all sources within a cutoff. The blocks of a node of the targets' tree walk the tree
 * of the sources together and gather the sources near the node. Each block filters them to its own neighbour list, and meets
 * the list in tiles.
 *
 * A symmetric sum meets the pairs inside a unit once: a block meets the later places of its unit, and both points receive
 * terms. A block meets its own places and the other units as in any other sum. The units depend on the points alone, so the
 * order of additions does, too.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { type BlockPassOptions, blockState, type ScratchAddresses } from '../loops/target-block.ts'
import { at, i32, op, plus, times } from '../wasm/nodes.ts'
import { definePicks, groupGatherer } from './gather-groups.ts'
import type { NearOptions } from './near-lists.ts'
import type { UnitGroups } from './unit-groups.ts'

export function defineNear(
  options: BlockPassOptions,
  near: NearOptions,
  groups: UnitGroups,
  parts: ScratchAddresses,
): void {
  const { writer, fold, exclusions } = options
  const bytes = blockState(options)
  const meet = definePicks('meet', options, near, { parts, displacements: false }, (code, block, scratch, first) => {
    const evaluated = writer.slot(code, block, 'evaluated')
    const list = code.let('i32', 'list', plus(scratch, parts.list))
    const steps = groups.steps(code, block, scratch)
    return ({ number, how, pick, direct }) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const met = code.let('i32', 'met', plus(evaluated, times(number, 4)))
      const end = code.let('i32', 'pickedEnd', pick(list))
      const found = op('i32.shr_u', op('i32.sub', end, list), i32(2))
      code.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), found)))
      const meetBy = (kind: number) =>
        steps.eachPiece(number, state, (piece, pieceState) =>
          steps.meet(piece, pieceState, list, end, { ...how, kind }),
        )
      if (!direct || how.kind === 0) return meetBy(how.kind)
      code.if(
        direct,
        () => meetBy(how.kind),
        () => meetBy(0),
      )
    }
  })

  writer.phase('pairs', (code, of) => {
    const wholes = fold.whole !== undefined && !exclusions
    const gather = groupGatherer(code, of, options, { near, parts, wholes })
    const steps = groups.steps(code, of.block, of.scratch)
    groups.each(code, of, (group, each) => {
      each((number, state) => {
        steps.start(number, state)
        steps.meetOwn(number, state)
      })
      gather(group, meet, (sources) =>
        each((_, state) => {
          for (let u = 0; u < blockPoints / writer.vector.lanes; u++)
            fold.whole?.(code, plus(state, u * fold.stateBytes), sources)
        }),
      )
      each(steps.finish)
    })
  })
}
