/**
 * The phase `pairs` of targets that meet all sources within a cutoff. The blocks of a node of the targets' tree walk the tree of
 * the sources together and gather what is near; each block then picks from that, and meets it in tiles.
 *
 * @module
 */
import { blockPoints, nodeBytes, nodeLinks } from '@manybody/core/backend'
import { cutoffWalk } from '../ranges/cutoff-walk.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { listsOf, type NearOptions, nodeSources, writeTable } from './near-lists.ts'
import { gatherNear } from './near-sources.ts'
import { pickNear, withoutImages } from './pick-near.ts'
import { registerAt } from './points.ts'
import {
  type BlockPassOptions,
  blockState,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
  unitBlocks,
} from './target-block.ts'

/** The most blocks that gather sources together. */
export const groupBlocks = 16

/** Writes the phase `pairs` of targets that meet all sources within a cutoff. */
export function defineNear(
  options: BlockPassOptions,
  near: NearOptions,
  tiles: readonly Tiles[],
  parts: ScratchAddresses,
): void {
  const { writer, body, fold, exclusions, targets: points } = options
  const [general] = tiles as [Tiles]
  const bytes = blockState(options)
  /** `meet(block, scratch, first, last, ...ends)` meets the blocks of targets from `first` on with what they gathered. */
  const parameters = { block: 'i32', scratch: 'i32', first: 'i32', last: 'i32', end: 'i32', endDirect: 'i32' } as const
  const meet = writer.module.define('meet', parameters, undefined, (f) => {
    const [block, scratch, first, last, ...ends] = Object.keys(parameters).map((_, n) => f.parameter(n)) as [
      Node,
      Node,
      Node,
      Node,
      ...Node[],
    ]
    const slot = (name: string) => writer.slot(f, block, name)
    const [targetBlocks, evaluated, registers] = [slot('targetBlocks'), slot('evaluated'), slot('targets')]
    const frame = f.let('i32', 'frame', plus(scratch, parts.walk))
    const lists = listsOf(f, frame, near)
    const list = f.let('i32', 'list', plus(scratch, parts.list))
    const picks = pickNear(f, block, frame, near)
    const targets = targetBlock(options, f, block, scratch, parts)
    const picked = f.local('i32', 'pickedEnd')
    f.for('number', first, last, 1, (number) => {
      const state = f.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const met = f.let('i32', 'met', plus(evaluated, times(number, 4)))
      picks.start(plus(targetBlocks, times(number, nodeBytes)))
      for (const [n, gathered] of lists.entries()) {
        f.emit(set(picked, picks.pick(gathered, ends[n] as Node, list)))
        const found = op('i32.shr_u', op('i32.sub', get(picked), list), i32(2))
        f.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), found)))
        const own = tiles[n] as Tiles
        const isDirect =
          n === 0
            ? undefined
            : f.let('i32', 'direct', withoutImages(f, frame, near, registersOfBlock(options, registers, number)))
        f.for('part', list, get(picked), 4 * writer.tile, (part) => {
          const next = plus(part, 4 * writer.tile)
          const end = f.let('i32', 'partEnd', op('select', next, get(picked), op('i32.lt_u', next, get(picked))))
          const meetBy = (tiles: Tiles) => targets.meet(number, state, part, end, tiles)
          if (isDirect === undefined) meetBy(own)
          else
            f.if(
              isDirect,
              () => meetBy(own),
              () => meetBy(general),
            )
        })
      }
    })
  })

  writer.phase('pairs', (f, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [nodes, evaluated, targetCount] = [slot('targetNodes'), slot('evaluated'), slot('targetCount')]
    const frame = f.let('i32', 'frame', plus(scratch, parts.walk))
    writeTable(f, frame)
    const lists = listsOf(f, frame, near)
    const { start, clear, gather, full, ends } = gatherNear(f, block, frame, lists, near)
    const wholes = fold.whole !== undefined && !exclusions
    const walk = cutoffWalk(f, block, { ...options, leafPoints: nodeSources, wholes, skipSelf: body.skipSelf })
    const targets = targetBlock(options, f, block, scratch, parts)
    const [node, going] = [f.local('i32', 'group'), f.local('i32', 'going')]
    f.for('unit', first, last, 1, (unit) => {
      const from = f.let('i32', 'unitFrom', times(unit, unitBlocks * blockPoints))
      const next = plus(from, unitBlocks * blockPoints)
      const to = f.let('i32', 'unitTo', op('select', next, targetCount, op('i32.lt_u', next, targetCount)))
      f.emit(set(node, nodes), set(going, i32(1)))
      // The largest nodes of targets inside the unit, in their order.
      f.repeat(() => {
        const place = f.let('i32', 'placeFrom', at('i32.load', nodeLinks.first, get(node)))
        const end = f.let('i32', 'placeTo', at('i32.load', nodeLinks.last, get(node)))
        const skip = f.let('i32', 'skipTo', plus(nodes, times(at('i32.load', nodeLinks.skip, get(node)), nodeBytes)))
        const small = op('i32.le_u', op('i32.sub', end, place), i32(groupBlocks * blockPoints))
        const inside = op('i32.and', op('i32.ge_u', place, from), op('i32.le_u', end, to))
        f.if(
          op('i32.and', inside, small),
          () => {
            const firstBlock = f.let('i32', 'firstBlock', op('i32.div_u', place, i32(blockPoints)))
            const endBlock = f.let('i32', 'endBlock', op('i32.div_u', plus(end, blockPoints - 1), i32(blockPoints)))
            const each = (write: (number: Node, state: Node) => void) =>
              f.for('number', firstBlock, endBlock, 1, (number) =>
                write(number, f.let('i32', 'state', plus(scratch, times(op('i32.sub', number, firstBlock), bytes)))),
              )
            const meetAll = () =>
              f.emit(
                call(
                  meet,
                  block,
                  scratch,
                  firstBlock,
                  endBlock,
                  get(ends[0] as (typeof ends)[number]),
                  get(ends.at(-1) as (typeof ends)[number]),
                ),
              )
            each((number, state) => {
              f.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
              targets.start(number, state)
            })
            start(get(node))
            clear()
            walk(get(node), place, end, {
              take: (sourceFrom, sourceTo) => {
                f.if(full(), () => {
                  meetAll()
                  clear()
                })
                gather(sourceFrom, sourceTo)
              },
              whole: (sources) =>
                each((_, state) => {
                  for (let u = 0; u < blockPoints / writer.v.lanes; u++)
                    fold.whole?.(f, plus(state, u * fold.stateBytes), sources)
                }),
            })
            meetAll()
            each((number, state) => targets.finish(number, state))
            f.emit(set(node, skip), set(going, op('i32.lt_u', end, to)))
          },
          () => f.emit(set(node, op('select', skip, plus(get(node), nodeBytes), op('i32.le_u', end, from)))),
        )
        return get(going)
      })
    })
  })

  /** The addresses of the registers of a block of targets. */
  function registersOfBlock({ writer: { v } }: BlockPassOptions, base: Node, number: Node): readonly Node[] {
    const count = blockPoints / v.lanes
    return Array.from({ length: count }, (_, u) => registerAt(writer, points, base, plus(times(number, count), u)))
  }
}
