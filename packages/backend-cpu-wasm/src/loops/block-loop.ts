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
import { blockPoints, nodeBytes, nodeLinks, type PairBody } from '@manybody/core/backend'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { ResultLayout } from '../folds/fold.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { cutoffWalk } from './cutoff-walk.ts'
import { defineListedMark } from './listed-marks.ts'
import { type MarkOptions, maskBytes } from './marks.ts'
import {
  gatherNear,
  leafPoints,
  listsOf,
  mostPicked,
  type NearOptions,
  nearBytes,
  pickNear,
  withoutImages,
  writeTable,
} from './near-sources.ts'
import { nearestWalk, waitingBytes } from './nearest-walk.ts'
import { type Pass, type PassOptions, targetRegisters } from './pair-loop.ts'
import { bytesOf, registerAt } from './points.ts'
import { defineTile } from './tile.ts'

/** Number of blocks of targets in a unit. Units begin anywhere in the tree, so its nodes inside a unit are much smaller. */
const unitBlocks = 32
/** The most blocks that gather sources together. */
const groupBlocks = 16
/** Number of units in one call, each with some ten thousand pairs. */
const callUnits = 2

/** Number of sources in a tile if targets keep what is nearest. It is small, because each tile shortens the reach. */
const nearTile = 16

export interface BlockPassOptions extends PassOptions {
  readonly periodic: boolean
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
  /** In a periodic box: the same body for pairs that need no images. */
  readonly direct: PairBody | undefined
  /** If targets keep what is nearest: the power of the distance that they keep. */
  readonly kept: 1 | 2 | undefined
  /** The most nodes that wait at the same time. */
  readonly deepest: number
}

/** The addresses of the parts of scratch: states of a unit's blocks, then the rest. */
interface Parts {
  readonly list: number
  readonly mask: number
  readonly tile: number
  /** The stack of the walk to what is nearest, or the sources near the blocks of a node. */
  readonly walk: number
}

/** Adds the phases `pairs` and `scatter`. */
export function defineBlockPass(given: BlockPassOptions): Pass {
  const options = { ...given, listed: true }
  const { writer, body, fold, registers, kept } = options
  const masked = body.skipSelf || options.exclusions
  const mark: MarkOptions = {
    writer,
    targets: registers * writer.v.lanes,
    skipSelf: body.skipSelf,
    exclusions: options.exclusions,
  }
  const near: NearOptions = { ...options, apart: options.direct !== undefined }
  const list = (kept ? 1 : groupBlocks) * blockState(options)
  // Registers are written whole, also at the end of the list.
  const mask = list + 4 * ((kept ? nearTile : mostPicked) + blockPoints)
  const tile = mask + (masked ? maskBytes(mark) : 0)
  const walk = Math.ceil((tile + registers * fold.tileBytes) / 16) * 16
  const parts: Parts = { list, mask, tile, walk }
  const marks = masked ? defineListedMark(mark, kept === undefined) : undefined
  const meets = [options, ...(options.direct ? [{ ...options, body: options.direct }] : [])].map((tileOptions, n) => ({
    plain: defineTile(tileOptions, false, n ? 'Direct' : ''),
    masked: masked ? defineTile(tileOptions, true, n ? 'Direct' : '') : undefined,
  }))
  const tiles = meets.map((one): Tiles => ({ ...one, marks }))
  if (kept) defineKept(options, tiles[0] as Tiles, parts, kept)
  else defineNear(options, near, tiles, parts)
  defineScatter(writer, fold.results)
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits,
    scratchBytes: walk + (kept ? options.deepest * waitingBytes : nearBytes(near)),
  }
}

/** The functions that meet a tile. */
interface Tiles {
  readonly plain: Callable
  readonly masked: Callable | undefined
  readonly marks: Callable | undefined
}

/** Bytes of the states of a block. */
const blockState = ({ writer, fold }: BlockPassOptions) => (blockPoints / writer.v.lanes) * fold.stateBytes

/** Writes what a block of targets does: it starts, meets a list of sources, and finishes. */
function targetBlock(options: BlockPassOptions, f: FunctionBuilder, block: Node, scratch: Node, parts: Parts) {
  const { writer, fold, registers } = options
  const slot = (name: string) => writer.slot(f, block, name)
  const [targets, sources, order] = [slot('targets'), slot('sources'), slot('sourceOrder')]
  const registersOf = targetRegisters(options, f, block)
  const pieceTargets = registers * writer.v.lanes
  const pieces = Array.from({ length: blockPoints / pieceTargets }, (_, n) => n)
  const registersFor = (number: Node, state: Node) =>
    pieces.flatMap((n) =>
      registersOf(plus(times(number, pieces.length), n), plus(state, n * registers * fold.stateBytes)),
    )
  return {
    start: (number: Node, state: Node) => {
      for (const { register } of registersFor(number, state)) fold.start(f, register)
    },
    finish: (number: Node, state: Node) => {
      for (const { register, scale } of registersFor(number, state)) fold.finish(f, register, scale())
    },
    /** Meets the sources in a list, which is not empty. */
    meet: (number: Node, state: Node, list: Node, end: Node, { plain, masked, marks }: Tiles) => {
      for (const n of pieces) {
        const piece = f.let('i32', 'piece', plus(times(number, pieces.length), n))
        const target = plus(targets, times(piece, registers * bytesOf(writer, options.targets)))
        const args = [block, target, plus(state, n * registers * fold.stateBytes), sources, end, order]
        const rest = [...args, plus(scratch, parts.tile)]
        if (!masked || !marks) f.emit(call(plain, ...rest, list))
        else {
          const mask = plus(scratch, parts.mask)
          f.if(
            call(marks, block, times(piece, pieceTargets), list, end, mask),
            () => f.emit(call(masked, ...rest, mask, list)),
            () => f.emit(call(plain, ...rest, list)),
          )
        }
      }
    },
  }
}

/** Writes the phase `pairs` of targets that keep what is nearest. */
function defineKept(options: BlockPassOptions, tiles: Tiles, parts: Parts, power: 1 | 2): void {
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
    const unit = { first: times(first, unitBlocks), last: lastBlock(f, slot('targetCount'), times(last, unitBlocks)) }
    f.for('number', unit.first, unit.last, 1, (number) => {
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

/** The block after the last of a range of blocks, some of which may not exist. */
function lastBlock(f: FunctionBuilder, targetCount: Node, last: Node): Node {
  const blocks = f.let('i32', 'blocks', op('i32.div_u', plus(targetCount, blockPoints - 1), i32(blockPoints)))
  return op('select', blocks, last, op('i32.lt_u', blocks, last))
}

/** Writes the phase `pairs` of targets that meet all sources within a cutoff. */
function defineNear(options: BlockPassOptions, near: NearOptions, tiles: readonly Tiles[], parts: Parts): void {
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
    const walk = cutoffWalk(f, block, { ...options, leafPoints, wholes, skipSelf: body.skipSelf })
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

/** The phase `scatter`, whose units are places, puts results in the order of points. */
function defineScatter(writer: ModuleWriter, results: readonly ResultLayout[]): void {
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
