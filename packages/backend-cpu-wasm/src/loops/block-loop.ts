/**
 * The loop over pairs by blocks of points that are close together. Blocks of targets list the places of the sources near them,
 * and meet these in tiles.
 *
 * The units of the phase `pairs` are a few blocks of targets each. With a cutoff, the blocks of a node of their tree walk the
 * tree of the sources together. Targets that keep what is nearest walk block by block. Targets, sources and results are in the
 * order of places; the phase `scatter` puts the results in the order of points. `@manybody/core/backend` defines the layout of
 * the trees, and the walks do the same as its `walkWithin` and `walkNearest`.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { ResultLayout } from '../folds/fold.ts'
import { defineSortList, sortBytes } from '../folds/sort-list.ts'
import { nearestWalk, waitingBytes } from '../ranges/nearest-walk.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineListedMark, type ListedMarkOptions, maskBytes } from './marks.ts'
import { mostPicked, type NearOptions, nearBytes } from './near-lists.ts'
import { defineNear, groupBlocks } from './near-pass.ts'
import type { LoopUnits } from './pair-loop.ts'
import {
  type BlockPassOptions,
  blockState,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
  unitBlocksOf,
} from './target-block.ts'
import { defineTile, reactionBytes } from './tile.ts'

/** Number of units in one call, each with some ten thousand pairs. */
const callUnits = 2

/** Number of sources in a tile if targets keep what is nearest. It is small, because each tile shortens the reach. */
const nearTile = 16

/** Adds the phases `pairs` and `scatter`. */
export function defineBlockPass(given: BlockPassOptions): LoopUnits {
  const options = { ...given, listed: 'places' as const }
  const { writer, body, fold, registers, kept } = options
  const masked = body.skipSelf || options.exclusions
  const mark: ListedMarkOptions = {
    writer,
    targets: registers * writer.v.lanes,
    skipSelf: body.skipSelf,
    exclusions: options.exclusions,
    listed: 'places',
    ascending: kept === undefined,
  }
  const near: NearOptions = { ...options, apart: options.direct !== undefined }
  const unitBlocks = unitBlocksOf(options)
  const list = (kept ? 1 : groupBlocks) * blockState(options)
  // Registers are written whole, also at the end of the list.
  const mask = list + 4 * ((kept ? nearTile : mostPicked) + blockPoints)
  const tile = mask + (masked ? maskBytes(mark) : 0)
  const reaction = Math.ceil((tile + registers * fold.tileBytes) / 16) * 16
  const walk = reaction + (options.once ? unitBlocks * blockPoints * reactionBytes(options) : 0)
  const parts: ScratchAddresses = { list, mask, tile, reaction, walk }
  const marks = masked ? defineListedMark(mark) : undefined
  const meets = [options.body, ...(options.direct ? [options.direct] : [])].map((body, n) => {
    const tileOptions = { ...options, body: { ...body, reaction: [] } }
    return {
      plain: defineTile(tileOptions, false, n ? 'Direct' : ''),
      masked: masked ? defineTile(tileOptions, true, n ? 'Direct' : '') : undefined,
    }
  })
  const tiles = meets.map((one): Tiles => ({ ...one, marks }))
  if (kept) defineKept(options, tiles[0] as Tiles, parts, kept)
  else defineNear(options, near, tiles, parts)
  const [listed] = fold.results.filter((result) => result.listed)
  if (listed) defineSortedScatter(writer, listed)
  else defineScatter(writer, fold.results)
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits: options.once ? 1 : callUnits,
    scratchBytes: Math.max(sortBytes, walk + (kept ? options.deepest * waitingBytes : nearBytes(near))),
  }
}

/** Writes the phase `pairs` of targets that keep what is nearest. */
function defineKept(options: BlockPassOptions, tiles: Tiles, parts: ScratchAddresses, power: 1 | 2): void {
  const { writer, fold } = options
  writer.phase('pairs', (f, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [evaluated, targetBlocks] = [slot('evaluated'), slot('targetBlocks')]
    const list = f.let('i32', 'list', plus(scratch, parts.list))
    const end = f.local('i32', 'listEnd')
    const met = f.local('i32', 'met')
    const held = () => op('i32.sub', get(end), list)
    const count = blockPoints / writer.v.lanes
    const worst = () => Array.from({ length: count }, (_, u) => at('v128.load', u * fold.stateBytes, scratch))
    const stack = f.let('i32', 'stack', plus(scratch, parts.walk))
    const shortened = () => op('i32.eq', get(end), list)
    const walk = nearestWalk(f, block, { ...options, power, stack, worst, shortened })
    const targets = targetBlock(options, f, block, scratch, parts)
    const [from, to] = [first, last].map((unit) => at('i32.load', 0, plus(slot('unitStarts'), times(unit, 4)))) as [
      Node,
      Node,
    ]
    const firstBlock = op('i32.div_u', from, i32(blockPoints))
    const lastBlock = op('i32.div_u', plus(to, blockPoints - 1), i32(blockPoints))
    f.for('number', firstBlock, lastBlock, 1, (number) => {
      targets.start(number, scratch)
      const meet = () => {
        f.emit(set(met, plus(get(met), op('i32.shr_u', held(), i32(2)))))
        targets.meet(number, scratch, list, get(end), tiles)
      }
      f.emit(set(met, i32(0)), set(end, list))
      walk(plus(targetBlocks, times(number, nodeBytes)), (from, to) => {
        f.for('place', from, to, 1, (place) => f.emit(at('i32.store', 0, get(end), place), set(end, plus(get(end), 4))))
        // The next block may be full.
        f.if(op('i32.gt_u', held(), i32(4 * (nearTile - blockPoints))), () => {
          meet()
          f.emit(set(end, list))
        })
      })
      f.if(held(), meet)
      f.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), get(met)))
      targets.finish(number, scratch)
    })
  })
}

/** The phase `scatter`, whose units are places, puts results in the order of points. */
export function defineScatter(writer: ModuleWriter, results: readonly ResultLayout[]): void {
  writer.phase('scatter', (f, { block, first, last }) => {
    const order = writer.slot(f, block, 'targetOrder')
    const arrays = results.map(({ name, entries, type }) => ({
      from: writer.slot(f, block, `result.${name}`),
      to: writer.slot(f, block, `final.${name}`),
      entries,
      number: type === 'number' && writer.v.bytes === 8 ? ('i64' as const) : ('i32' as const),
    }))
    f.for('place', first, last, 1, (place) => {
      const point = f.let('i32', 'point', at('i32.load', 0, plus(order, times(place, 4))))
      for (const { from, to, entries, number } of arrays) {
        const bytes = number === 'i64' ? 8 : 4
        const source = f.let('i32', 'source', plus(from, times(place, entries * bytes)))
        const target = f.let('i32', 'target', plus(to, times(point, entries * bytes)))
        f.for('byte', i32(0), i32(entries * bytes), bytes, (byte) =>
          f.emit(at(`${number}.store`, 0, plus(target, byte), at(`${number}.load`, 0, plus(source, byte)))),
        )
      }
    })
  })
}

/** The phase `scatter` of lists, which it also sorts, because blocks visit sources in the order of places. */
function defineSortedScatter(writer: ModuleWriter, { name }: ResultLayout): void {
  const sortList = writer.module.once('sortList', () => defineSortList(writer.module))
  writer.phase('scatter', (f, { block, scratch, first, last }) => {
    const slot = (entry: string) => writer.slot(f, block, entry)
    const [order, starts, finalStarts] = ['targetOrder', 'starts', 'finalStarts'].map(slot) as [Node, Node, Node]
    const [from, to] = [slot(`result.${name}`), slot(`final.${name}`)]
    f.for('place', first, last, 1, (place) => {
      const point = at('i32.load', 0, plus(order, times(place, 4)))
      const start = f.let('i32', 'start', at('i32.load', 0, plus(starts, times(place, 4))))
      const count = op('i32.sub', at('i32.load', 4, plus(starts, times(place, 4))), start)
      const finalStart = at('i32.load', 0, plus(finalStarts, times(point, 4)))
      f.emit(call(sortList, plus(from, times(start, 4)), plus(to, times(finalStart, 4)), count, scratch))
    })
  })
}
