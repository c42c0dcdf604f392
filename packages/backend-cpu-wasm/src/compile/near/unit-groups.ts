/**
 * The code that loops over neighbour lists share: the groups of blocks of a unit, the steps of a group before and after it
 * meets sources, and how a block meets a list.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { defineJoin } from '../loops/pairs-once-loop.ts'
import {
  type BlockPassOptions,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type TargetBlock,
  type Tiles,
  targetBlock,
} from '../loops/target-block.ts'
import { eachGroup, type TargetGroup } from '../loops/target-groups.ts'
import { defineBoth, reactionBytes } from '../loops/tile.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { groupBlocks, parts as shared } from './near-lists.ts'

/** The arguments of a phase. */
interface Call {
  readonly block: Node
  readonly scratch: Node
  readonly first: Node
  readonly last: Node
}

/** Runs `write` for each block of a group, with its number and the address of its state. */
type EachBlock = (write: (number: Node, state: Node) => void) => void

export interface UnitGroups {
  /** Writes the loop over the groups of units. */
  readonly each: (code: FunctionBuilder, of: Call, write: (group: TargetGroup, each: EachBlock) => void) => void
  /** Writes the steps of the blocks of a group. */
  readonly steps: (
    code: FunctionBuilder,
    block: Node,
    scratch: Node,
  ) => {
    /** Starts a block. */
    readonly start: (number: Node, state: Node) => void
    /** If pairs are met once, meets the block's own places, which are in no list. */
    readonly meetOwn: (number: Node, state: Node) => void
    readonly finish: (number: Node, state: Node) => void
    /**
     * Meets the places in a list with one piece of a block, by the body of a kind. If pairs are met once, the sources receive
     * terms, too.
     */
    readonly meet: (piece: Node, state: Node, list: Node, end: Node, how: { once: boolean; kind: number }) => void
    /** Runs `write` for each piece of a block. */
    readonly eachPiece: TargetBlock['eachPiece']
  }
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
    each(code, { block, scratch, first, last }, write) {
      const slot = (name: string) => writer.slot(code, block, name)
      const [nodes, starts, frame] = [slot('targetNodes'), slot('unitStarts'), frameOf(code, scratch)]
      const [met, onceCount] = [code.local('i32', 'partEnd'), code.local('i32', 'onceCount')]
      /** Begins a node of the targets' tree. Its pairs are met once, so the reactions of its points start at 0. */
      const startPart = (place: Node, end: Node) => {
        const places = op('i32.sub', end, place)
        code.emit(set(onceCount, places))
        code.emit(
          at('i32.store', shared.onceFrom, frame, place),
          at('i32.store', shared.onceCount, frame, get(onceCount)),
        )
        code.emit(op('memory.fill', plus(scratch, parts.reaction), i32(0), times(get(onceCount), received)))
      }
      code.for('unit', first, last, 1, (unit) => {
        const [from, to] = placesOfUnit(code, starts, unit)
        code.emit(set(met, from))
        eachGroup(
          code,
          { nodes, from, to, mostBlocks: groupBlocks },
          {
            node({ place, end }, inside) {
              if (!once) return
              const fits = op('i32.le_u', op('i32.sub', end, place), i32(unitBlocks * blockPoints))
              code.if(op('i32.and', inside, op('i32.and', fits, op('i32.ge_u', place, get(met)))), () => {
                startPart(place, end)
                code.emit(set(met, end))
              })
            },
            group: (group) =>
              write(group, (write) =>
                code.for('number', group.firstBlock, group.endBlock, 1, (number) => {
                  const offset = times(op('i32.sub', number, group.firstBlock), bytes)
                  write(number, code.let('i32', 'state', plus(scratch, offset)))
                }),
              ),
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
      const reactionOf = () => {
        const before = times(at('i32.load', shared.onceFrom, frame), received)
        return code.let('i32', 'reaction', op('i32.sub', plus(scratch, parts.reaction), before))
      }
      /** A block meets its own places. */
      const meetOwn = (number: Node, state: Node) => {
        const list = code.let('i32', 'list', plus(scratch, parts.list))
        const own = code.let('i32', 'own', times(number, blockPoints))
        const left = code.let('i32', 'left', op('i32.sub', targetCount, own))
        const fewer = op('select', left, i32(blockPoints), op('i32.lt_u', left, i32(blockPoints)))
        const count = code.let('i32', 'count', fewer)
        code.for('n', i32(0), count, 1, (n) => code.emit(at('i32.store', 0, plus(list, times(n, 4)), plus(own, n))))
        code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), count))
        targets.meet(number, state, list, plus(list, times(count, 4)), tiles[0] as Tiles)
      }
      return {
        start(number, state) {
          code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
          targets.start(number, state)
        },
        meetOwn(number, state) {
          if (once) meetOwn(number, state)
        },
        finish(number, state) {
          const reaction = once ? plus(reactionOf(), times(number, blockPoints * received)) : i32(0)
          if (join) code.emit(call(join, state, reaction, i32(blockPoints)))
          targets.finish(number, state)
        },
        eachPiece: targets.eachPiece,
        meet(piece, state, list, end, { once, kind }) {
          const reaction = once ? reactionOf() : i32(0)
          code.for('part', list, end, 4 * writer.tile, (part) => {
            const next = plus(part, 4 * writer.tile)
            const partEnd = code.let('i32', 'partEnd', op('select', next, end, op('i32.lt_u', next, end)))
            const both = once ? boths[kind] : undefined
            if (both) targets.meetPieceBoth(piece, state, part, partEnd, both, reaction)
            else targets.meetPiece(piece, state, part, partEnd, tiles[kind] as Tiles)
          })
        },
      }
    },
  }
}
