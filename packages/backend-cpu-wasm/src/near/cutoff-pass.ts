/**
 * The phase `pairs` of targets that meet all sources within a cutoff. The blocks of a node of the targets' tree walk the tree of
 * the sources together and gather what is near; each block then picks from that, and meets it in tiles.
 *
 * The pairs of a symmetric sum whose points are in one unit are met once: a block meets the places after it in its unit, and
 * these receive terms, too. It meets its own places, and those of other units, as all targets do otherwise. The units depend on
 * the points alone, so which terms are added to which does, too.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { defineJoin } from '../loops/pairs-once-loop.ts'
import { registerAt } from '../loops/points.ts'
import {
  type BlockPassOptions,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
  unitBlocksOf,
} from '../loops/target-block.ts'
import { eachGroup } from '../loops/target-groups.ts'
import { defineBoth, reactionBytes } from '../loops/tile.ts'
import { cutoffWalk } from '../ranges/cutoff-walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import {
  groupBlocks,
  listsOf,
  type NearOptions,
  nodeSources,
  parts as shared,
  writeIota,
  writeTable,
} from './near-lists.ts'
import { gatherNear } from './near-sources.ts'
import { pickNear, withoutImages } from './pick-near.ts'

/** Writes the phase `pairs` of targets that meet all sources within a cutoff. */
export function defineNear(
  options: BlockPassOptions,
  near: NearOptions,
  tiles: readonly Tiles[],
  parts: ScratchAddresses,
): void {
  const { writer, body, fold, exclusions, targets: points, once, direct } = options
  const unitBlocks = unitBlocksOf(options)
  const bytes = blockState(options)
  const received = reactionBytes(options)
  const boths = once
    ? [body, ...(direct ? [direct] : [])].map((own, n) => defineBoth({ ...options, body: own }, n ? 'Direct' : ''))
    : []
  const join = once ? defineJoin(options) : undefined
  /** Address of what the first of all places would receive. */
  const reactionFor = (code: FunctionBuilder, scratch: Node, frame: Node): Node => {
    const before = times(at('i32.load', shared.onceFrom, frame), received)
    return code.let('i32', 'reaction', op('i32.sub', plus(scratch, parts.reaction), before))
  }
  /** `meet(block, scratch, first, last, ...ends)` meets the blocks of targets from `first` on with what they gathered. */
  const parameters = {
    ...integers('block', 'scratch', 'first', 'last', 'end'),
    ...(near.apart ? { endDirect: 'i32' as const } : {}),
    ...(once ? { endOnce: 'i32' as const } : {}),
    ...(near.apart && once ? { endOnceDirect: 'i32' as const } : {}),
  }
  const meet = writer.module.define('meet', parameters, undefined, (code, values) => {
    const { block, scratch, first, last, ...others } = values
    const ends = Object.values(others)
    const slot = (name: string) => writer.slot(code, block, name)
    const [targetBlocks, evaluated, registers] = [slot('targetBlocks'), slot('evaluated'), slot('targets')]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const lists = listsOf(code, frame, near)
    const list = code.let('i32', 'list', plus(scratch, parts.list))
    const picks = pickNear(code, block, frame, near)
    const targets = targetBlock(options, code, block, scratch, parts)
    const picked = code.local('i32', 'pickedEnd')
    const reaction = once ? reactionFor(code, scratch, frame) : i32(0)
    const splat = (name: string, value: Node) => code.let('v128', name, op('i32x4.splat', value))
    const groupFrom = once ? splat('groupFrom', times(first, blockPoints)) : i32(0)
    /** How many places of the group come before those that a block meets once. */
    const metOf = (number: Node) => plus(times(op('i32.sub', number, first), blockPoints), blockPoints)
    code.for('number', first, last, 1, (number) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const met = code.let('i32', 'met', plus(evaluated, times(number, 4)))
      picks.start(plus(targetBlocks, times(number, nodeBytes)))
      for (const [n, gathered] of lists.entries()) {
        const kind = n % tiles.length
        const isOnce = n >= tiles.length
        const without = isOnce ? { from: groupFrom, count: splat('metCount', metOf(number)) } : undefined
        code.emit(set(picked, picks.pick(gathered, ends[n] as Node, list, without)))
        const found = op('i32.shr_u', op('i32.sub', get(picked), list), i32(2))
        code.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), found)))
        const isDirect =
          kind === 0
            ? undefined
            : code.let('i32', 'direct', withoutImages(code, frame, near, registersOfBlock(options, registers, number)))
        code.for('part', list, get(picked), 4 * writer.tile, (part) => {
          const next = plus(part, 4 * writer.tile)
          const end = code.let('i32', 'partEnd', op('select', next, get(picked), op('i32.lt_u', next, get(picked))))
          const meetAs = (kind: number) => {
            const both = boths[kind]
            if (isOnce && both) targets.meetBoth(number, state, part, end, both, reaction)
            else targets.meet(number, state, part, end, tiles[kind] as Tiles)
          }
          if (isDirect === undefined) meetAs(kind)
          else
            code.if(
              isDirect,
              () => meetAs(kind),
              () => meetAs(0),
            )
        })
      }
    })
  })

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, evaluated, targetCount] = [slot('targetNodes'), slot('evaluated'), slot('targetCount')]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    writeIota(code, plus(frame, shared.iota))
    writeTable(code, plus(frame, shared.table))
    const lists = listsOf(code, frame, near)
    const { start, isMet, clear, gather, full, ends } = gatherNear(code, block, frame, lists, near)
    const wholes = fold.whole !== undefined && !exclusions
    const leaves = { leafPoints: nodeSources, wholes, skipSelf: body.skipSelf, isMet: once ? isMet : undefined }
    const walk = cutoffWalk(code, block, { ...options, ...leaves })
    const targets = targetBlock(options, code, block, scratch, parts)
    /** A block meets its own places. */
    const meetOwn = (number: Node, state: Node) => {
      const list = code.let('i32', 'list', plus(scratch, parts.list))
      const own = code.let('i32', 'own', times(number, blockPoints))
      const left = code.let('i32', 'left', op('i32.sub', targetCount, own))
      const count = code.let(
        'i32',
        'count',
        op('select', left, i32(blockPoints), op('i32.lt_u', left, i32(blockPoints))),
      )
      code.for('n', i32(0), count, 1, (n) => code.emit(at('i32.store', 0, plus(list, times(n, 4)), plus(own, n))))
      code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), count))
      targets.meet(number, state, list, plus(list, times(count, 4)), tiles[0] as Tiles)
    }
    const onceCount = code.local('i32', 'onceCount')
    /** Begins a node of the targets' tree whose pairs are met once. */
    const startPart = (place: Node, end: Node) => {
      const places = op('i32.sub', end, place)
      code.emit(set(onceCount, places))
      code.emit(
        at('i32.store', shared.onceFrom, frame, place),
        at('i32.store', shared.onceCount, frame, get(onceCount)),
      )
      code.emit(op('memory.fill', plus(scratch, parts.reaction), i32(0), times(get(onceCount), received)))
    }
    const starts = slot('unitStarts')
    code.for('unit', first, last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      const met = code.local('i32', 'partEnd')
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
          group({ node, place, end, firstBlock, endBlock }) {
            const each = (write: (number: Node, state: Node) => void) =>
              code.for('number', firstBlock, endBlock, 1, (number) =>
                write(number, code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, firstBlock), bytes)))),
              )
            const meetAll = () => code.emit(call(meet, block, scratch, firstBlock, endBlock, ...ends.map(get)))
            each((number, state) => {
              code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
              targets.start(number, state)
            })
            if (once) each(meetOwn)
            start(node, place)
            clear()
            walk(node, place, end, {
              take: (sourceFrom, sourceTo) => {
                code.if(full(), () => {
                  meetAll()
                  clear()
                })
                gather(sourceFrom, sourceTo)
              },
              whole: (sources) =>
                each((_, state) => {
                  for (let u = 0; u < blockPoints / writer.vector.lanes; u++)
                    fold.whole?.(code, plus(state, u * fold.stateBytes), sources)
                }),
            })
            meetAll()
            const received = once ? reactionFor(code, scratch, frame) : i32(0)
            each((number, state) => {
              const reaction = plus(received, times(number, blockPoints * reactionBytes(options)))
              if (join) code.emit(call(join, state, reaction, i32(blockPoints)))
              targets.finish(number, state)
            })
          },
        },
      )
    })
  })

  /** The addresses of the registers of a block of targets. */
  function registersOfBlock({ writer: { vector } }: BlockPassOptions, base: Node, number: Node): readonly Node[] {
    const count = blockPoints / vector.lanes
    return Array.from({ length: count }, (_, u) => registerAt(writer, points, base, plus(times(number, count), u)))
  }
}
