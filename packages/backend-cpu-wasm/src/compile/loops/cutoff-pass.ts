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
import { blockPoints } from '@manybody/core/backend'
import { write } from '../language/kernel.ts'
import type { ListOptions } from '../lists/neighbour-lists.ts'
import { defineFilters, groupGatherer } from '../parts/group-lists.ts'
import { type BlockPassOptions, blockState, type ScratchAddresses } from '../parts/target-block.ts'
import type { UnitGroups } from '../parts/unit-groups.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { type Node, plus } from '../wasm/nodes.ts'

export function defineCutoffPass(
  options: BlockPassOptions,
  near: ListOptions,
  groups: UnitGroups,
  parts: ScratchAddresses,
): void {
  const { writer, fold, exclusions } = options
  const meet = defineFilters('meet', options, near, { parts, displacements: false }, (code, block, scratch, first) => {
    const evaluated = writer.slot(code, block, 'evaluated')
    const list = code.let('i32', 'list', plus(scratch, parts.list))
    const steps = groups.steps(code, block, scratch)
    return ({ number, how, fill, direct }) => {
      const meetBy = (kind: number) => (code: FunctionBuilder, state: Node, end: Node) =>
        steps.eachPiece(code, number, state, (code, piece, pieceState) =>
          steps.meet(code, piece, pieceState, list, end, { ...how, kind }),
        )
      const [byFirst, byDirect] = [meetBy(0), meetBy(1)]
      write(code)`
        let state = ${scratch} + (${number} - ${first}) * ${blockState(options)}
        let met = ${evaluated} + ${number} * 4
        let end: i32 = ${fill}(${list})
        i32[met] += end - ${list} >> 2
        if ${how.kind === 0} { ${byFirst}(state, end) } else if ${direct} { ${byDirect}(state, end) } else {
          ${byFirst}(state, end)
        }`
    }
  })

  writer.phase('pairs', (code, of) => {
    const wholes = fold.whole !== undefined && !exclusions
    const gather = groupGatherer(code, of, options, { near, parts, wholes })
    const steps = groups.steps(code, of.block, of.scratch)
    const start = (code: FunctionBuilder, number: Node, state: Node) => {
      steps.start(code, number, state)
      steps.meetOwn(code, number, state)
    }
    groups.each(code, of, (group, each) => {
      const whole = (code: FunctionBuilder, sources: Node) =>
        each(code, (code, _, state) => {
          for (let u = 0; u < blockPoints / writer.vector.lanes; u++)
            fold.whole?.(code, plus(state, u * fold.stateBytes), sources)
        })
      each(code, start)
      gather(code, group, meet, whole)
      each(code, steps.finish)
    })
  })
}
