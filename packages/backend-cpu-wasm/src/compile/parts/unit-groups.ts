/**
 * The code that loops over neighbour lists share: the groups of blocks of a unit, the steps of a group before and after it
 * meets sources, and how a block meets a list.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import type { PhaseArguments } from '../expressions/module-writer.ts'
import { value, write } from '../language/kernel.ts'
import { groupBlocks, parts as shared } from '../lists/neighbour-lists.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { type Callable, i32, type Node, plus } from '../wasm/nodes.ts'
import type { How } from './group-lists.ts'
import { defineBoth, defineJoin, reactionBytes } from './reactions.ts'
import {
  type BlockPassOptions,
  type BlockStep,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type TargetBlock,
  type Tiles,
  targetBlock,
} from './target-block.ts'
import { eachGroup, type TargetGroup } from './target-groups.ts'

/** Writes a step for each block of a group. */
type EachBlock = (code: FunctionBuilder, step: BlockStep) => void

/** The steps of the blocks of a group. */
interface BlockSteps {
  /** Starts a block. */
  readonly start: BlockStep
  /** If pairs are met once, meets the block's own places, which are in no list. */
  readonly meetOwn: BlockStep
  readonly finish: BlockStep
  /**
   * Meets the places in a list with one piece of a block, by the body of a kind. If pairs are met once, the sources receive
   * terms, too.
   */
  readonly meet: (code: FunctionBuilder, piece: Node, state: Node, list: Node, end: Node, how: How) => void
  /** Runs `write` for each piece of a block. */
  readonly eachPiece: TargetBlock['eachPiece']
}

export interface UnitGroups {
  /** Writes the loop over the groups of units. */
  readonly each: (
    code: FunctionBuilder,
    of: PhaseArguments,
    write: (group: TargetGroup, each: EachBlock) => void,
  ) => void
  readonly steps: (code: FunctionBuilder, block: Node, scratch: Node) => BlockSteps
}

export function unitGroups(options: BlockPassOptions, tiles: readonly Tiles[], parts: ScratchAddresses): UnitGroups {
  const { writer, body, once, direct } = options
  const unitBlocks = options.unitBlocks
  const bytes = blockState(options)
  const received = reactionBytes(options)
  const boths = once
    ? [body, ...(direct ? [direct] : [])].map((own, n) => defineBoth({ ...options, body: own }, n ? 'Direct' : ''))
    : []
  const join = once ? defineJoin(options) : undefined
  const frameOf = (code: FunctionBuilder, scratch: Node) => code.let('i32', 'frame', plus(scratch, parts.walk))

  return {
    each(code, { block, scratch, first, last }, visit) {
      const eachBlockOf =
        ({ firstBlock, endBlock }: TargetGroup): EachBlock =>
        (code, step) =>
          write(code)`
            for number in ${firstBlock}..${endBlock} {
              let state = ${scratch} + (number - ${firstBlock}) * ${bytes}
              ${step}(number, state)
            }`
      const slot = (name: string) => writer.slot(code, block, name)
      const [nodes, starts, frame] = [slot('targetNodes'), slot('unitStarts'), frameOf(code, scratch)]
      const [met, onceCount] = [code.local('i32', 'partEnd'), code.local('i32', 'onceCount')]
      /** Begins a node of the targets' tree. Its pairs are met once, so the reactions of its points start at 0. */
      const startPart = (code: FunctionBuilder, place: Node, end: Node) => write(code)`
        ${onceCount} = ${end} - ${place}
        i32[${frame} + ${shared.onceFrom}] = ${place}
        i32[${frame} + ${shared.onceCount}] = ${onceCount}
        memory.fill(${scratch} + ${parts.reaction}, 0, ${onceCount} * ${received})`
      code.for('unit', first, last, 1, (unit) => {
        const [from, to] = placesOfUnit(code, starts, unit)
        write(code)`${met} = ${from}`
        eachGroup(
          code,
          { nodes, from, to, mostBlocks: groupBlocks },
          {
            node: ({ place, end }, inside) => write(code)`
              if ${once} {
                const fits = ${end} - ${place} <= ${unitBlocks * blockPoints}
                if ${inside} && (fits && ${place} >= ${met}) {
                  ${startPart}(${place}, ${end})
                  ${met} = ${end}
                }
              }`,
            group: (group) => visit(group, eachBlockOf(group)),
          },
        )
      })
    },

    steps(code, block, scratch) {
      const frame = frameOf(code, scratch)
      const evaluated = writer.slot(code, block, 'evaluated')
      const targets = targetBlock(options, code, block, scratch, parts)
      const targetCount = once ? writer.slot(code, block, 'targetCount') : i32(0)
      /** The address where the reaction of place 0 would be. */
      const reactionOf = (code: FunctionBuilder) => value(code)`
        let reaction = ${scratch} + ${parts.reaction} - i32[${frame} + ${shared.onceFrom}] * ${received}
        reaction`
      return {
        start(code, number, state) {
          write(code)`i32[${evaluated} + ${number} * 4] = 0`
          targets.start(code, number, state)
        },
        meetOwn: (code, number, state) => write(code)`
          if ${once} {
            let list = ${scratch} + ${parts.list}
            let own = ${number} * ${blockPoints}
            let left = ${targetCount} - own
            let count = min(left, ${blockPoints})
            for n in 0..count { i32[list + n * 4] = own + n }
            i32[${evaluated} + ${number} * 4] = count
            ${targets.meet(tiles[0] as Tiles)}(${number}, ${state}, list, list + count * 4)
          }`,
        finish(code, number, state) {
          if (join)
            write(code)`
              let reaction: i32 = ${reactionOf}()
              ${join}(${state}, reaction + ${number} * ${blockPoints * received}, ${blockPoints})`
          targets.finish(code, number, state)
        },
        eachPiece: targets.eachPiece,
        meet(code, piece, state, list, end, { once: both, kind }) {
          const meetTile = both
            ? targets.meetPieceBoth(boths[kind] as Callable, reactionOf(code))
            : targets.meetPiece(tiles[kind] as Tiles)
          write(code)`
            for part in ${list}..${end} step ${4 * writer.tile} {
              const next = part + ${4 * writer.tile}
              let partEnd = next < ${end} ? next : ${end}
              ${meetTile}(${piece}, ${state}, part, partEnd)
            }`
        },
      }
    },
  }
}
