/**
 * The phase `pairs` of targets that keep what is nearest.
 *
 * The blocks of a node of the targets' tree walk the tree of the sources together and list the blocks that they find, as far as
 * the one of them with the longest reach needs. Each block picks from the list by its own reach: blocks of sources, and then
 * single sources. Each block begins with a few sources around it, so that its reach is short from the start: those of the places
 * around its own if targets and sources are one set, or else those of a node near it.
 *
 * If the fold keeps what is held, tiles write the terms of what a block picks, and shorten its reach. The block keeps those of
 * its neighbours at the end.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { rowsBytes } from '../folds/least-rows.ts'
import { keptItems } from '../folds/merge-network.ts'
import {
  type BlockPassOptions,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
} from '../loops/target-block.ts'
import { eachGroup } from '../loops/target-groups.ts'
import { nearestWalk, nearestWalkBytes } from '../ranges/nearest-walk.ts'
import { reachedBox } from '../ranges/reached-box.ts'
import { walkNumbers } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { listBlocks, listedFrom, mostListed, nearBlocksBytes, pickBlocks } from './near-blocks.ts'
import { groupBlocks } from './near-lists.ts'
import { pickSources } from './pick-sources.ts'

/** Number of sources in a tile. It is small, because each tile shortens the reach. */
const nearestTile = 32
/** Blocks around a block of targets that it meets first. If they are held, they have more sources than a target keeps. */
const aroundOf = ({ fold: { held, results } }: BlockPassOptions): number =>
  Math.max(4, held ? keptItems((results[0]?.entries ?? 0) + 1) / blockPoints : 0)
/** The most sources in a tile. */
const mostInTile = (options: BlockPassOptions): number => Math.max(nearestTile, aroundOf(options) * blockPoints)
/** The most sources of a node that is listed without opening it. */
const nodeSources = 32

/** Where the parts of what a block holds are: the places of the sources around it, the end of the list, its reach, the list and its rows. */
const holdings = (options: BlockPassOptions) => {
  const { held } = options.fold
  // Registers are written whole, also at the end of the list, and rows are merged in groups.
  const most = (held?.most ?? mostInTile(options)) + blockPoints
  const [list, rows] = [32, 32 + 4 * most]
  return { from: 0, to: 4, end: 8, reach: 16, list, rows, bytes: rows + (held ? most * rowsBytes(options.writer) : 0) }
}

/** Bytes of the stack and of the lists. */
const scratchBytes = (options: BlockPassOptions): number =>
  nearBlocksBytes(options.dimension) + groupBlocks * holdings(options).bytes + nearestWalkBytes(options.deepest)

/** A block of targets among those of its group, and the address of what it holds. */
interface BlockOfGroup {
  readonly number: Node
  readonly first: Node
  readonly last: Node
  readonly holding: Node
}

/** Writes the phase; `power` is the power of the distance that the targets keep. */
function defineNearest(options: BlockPassOptions, tiles: Tiles, parts: ScratchAddresses, power: 1 | 2): void {
  const { writer, fold, dimension, sameSet, exclusions } = options
  const { held } = fold
  const { vector } = writer
  const [around, holds] = [aroundOf(options), holdings(options)]
  const bytes = blockState(options)

  /** The reach of the targets of a block: none of them would keep a source beyond it. */
  const reachOf = (code: FunctionBuilder, walk: Node, state: Node): Node => {
    const worst = Array.from({ length: blockPoints / vector.lanes }, (_, u) =>
      at('v128.load', u * fold.stateBytes, state),
    ).reduce((a, b) => vector.op('pmax', a, b))
    const register = code.let('v128', 'worst', worst)
    const [first, ...others] = vector.widened(code, register)
    const largest = others.reduce((a, b) => op('f64x2.pmax', a, b), first as Node)
    const pair = code.let('v128', 'largest', largest)
    const [a, b] = [0, 1].map((lane) => laned('f64x2.extract_lane', [lane], pair)) as [Node, Node]
    const value = op('f64.max', a, b)
    const distance = power === 2 ? op('f64.sqrt', value) : value
    const [slope, start, filter] = (['slope', 'start', 'filter'] as const).map((name) =>
      at('f64.load', walkNumbers[name], walk),
    ) as [Node, Node, Node]
    return code.let('f64', 'reach', op('f64.min', filter, op('f64.add', op('f64.mul', distance, slope), start)))
  }
  /** Writes the places of the sources around a block of targets, of those with the numbers `first ... last - 1`. */
  const findAround = (code: FunctionBuilder, block: Node, stack: Node, of: BlockOfGroup): void => {
    const { number, first, last, holding } = of
    const keep = (from: Node, to: Node) =>
      code.emit(at('i32.store', holds.from, holding, from), at('i32.store', holds.to, holding, to))
    if (sameSet) {
      const within = op('i32.and', op('i32.sub', number, first), i32(-around))
      const start = code.let('i32', 'aroundFrom', plus(first, within))
      const latest = code.let('i32', 'latest', op('i32.sub', last, i32(around)))
      const early = op('select', start, latest, op('i32.lt_s', start, latest))
      const from = code.let('i32', 'from', early)
      const begin = op('select', from, first, op('i32.gt_s', from, first))
      const end = code.let('i32', 'aroundEnd', plus(begin, around))
      keep(times(begin, blockPoints), times(op('select', end, last, op('i32.lt_u', end, last)), blockPoints))
    } else {
      const reached = reachedBox(code, block, options)
      const box = code.let('i32', 'box', plus(writer.slot(code, block, 'targetBlocks'), times(number, nodeBytes)))
      reached.start(box)
      reached.add(box, { kind: 'constant', type: 'f64', value: 0 })
      reached.end()
      keep(i32(0), i32(0))
      nearestWalk(code, block, { ...options, leafPoints: around * blockPoints, stack, reached }).first(keep)
    }
  }

  /**
   * `meet(block, scratch, first, last, end, whole)`: blocks of targets meet those of the sources listed, or if `end` is 0 the ones
   * around them. `whole` is 0 if others follow.
   */
  const parameters = integers('block', 'scratch', 'first', 'last', 'end', 'whole')
  const meet = writer.module.define('meet', parameters, undefined, (code, values) => {
    const { block, scratch, first, last, end: listEnd, whole } = values
    const slot = (name: string) => writer.slot(code, block, name)
    const [evaluated, targetBlocks, walk] = [slot('evaluated'), slot('targetBlocks'), slot('walk')]
    const sourceOrder = slot('sourceOrder')
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const heldAt = plus(frame, nearBlocksBytes(dimension))
    const stack = plus(heldAt, groupBlocks * holds.bytes)
    const { widened, pick, each } = pickBlocks(code, block, frame, options)
    const near = pickSources(code, block, frame, options)
    const targets = targetBlock(options, code, block, scratch, parts)
    const [end, met, reach2] = [code.local('i32', 'end'), code.local('i32', 'met'), code.local('f32', 'reach2')]
    const metEnd = code.local('i32', 'metEnd')
    const bytesFrom = (from: Node) => op('i32.sub', get(end), from)
    code.for('number', first, last, 1, (number) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const count = code.let('i32', 'counted', plus(evaluated, times(number, 4)))
      const reach = () => reachOf(code, walk, state)
      const narrow = (to = reach()) => code.emit(set(reach2, widened(to)))
      code.emit(set(met, at('i32.load', 0, count)))
      const holding = code.let('i32', 'holding', plus(heldAt, times(op('i32.sub', number, first), holds.bytes)))
      const [list, rows] = [plus(holding, holds.list), plus(holding, holds.rows)]
      const [from, to] = [at('i32.load', holds.from, holding), at('i32.load', holds.to, holding)]
      /** Meets what was listed last, or writes its rows. */
      const meetLast = (marks: Tiles['marks']) =>
        code.if(bytesFrom(get(metEnd)), () => {
          const offset = times(op('i32.sub', get(metEnd), list), rowsBytes(writer) / 4)
          targets.meet(number, state, get(metEnd), get(end), { ...tiles, marks }, held && plus(rows, offset))
          code.emit(set(metEnd, get(end)))
        })
      /** Counts what was met, and keeps what is held; others follow unless `whole`. */
      const clear = (whole: Node) => {
        code.emit(set(met, plus(get(met), op('i32.shr_u', bytesFrom(list), i32(2)))))
        for (let n = 0; held && n < blockPoints / vector.lanes; n++) {
          const [register, near] = [plus(state, n * fold.stateBytes), plus(scratch, parts.tile)]
          held.keep(code, register, plus(rows, 16 * n), list, get(end), sourceOrder, whole, near)
        }
        code.emit(set(end, list), set(metEnd, list))
      }
      const meetAround = () => {
        findAround(code, block, stack, { number, first, last, holding })
        const everywhere = code.constant('f32x4', Number.POSITIVE_INFINITY)
        code.for('near', from, to, blockPoints, (place) => near.pick(place, everywhere, end))
        meetLast(tiles.marks)
        if (!held) clear(i32(0))
      }
      const meetListed = () => {
        narrow(at('f64.load', holds.reach, holding))
        const aroundFrom = code.let('i32', 'aroundFrom', from)
        const aroundCount = code.let('i32', 'aroundCount', op('i32.sub', to, aroundFrom))
        const box = code.let('i32', 'box', plus(targetBlocks, times(number, nodeBytes)))
        // Where sources around the targets are held, targets have met themselves.
        const marks = held && !exclusions ? undefined : tiles.marks
        pick(box, listEnd, get(reach2))
        near.start(box)
        each((place, gap2) => {
          const isAround = op('i32.lt_u', op('i32.sub', place, aroundFrom), aroundCount)
          // A gap that is not a number is not greater.
          code.if(op('i32.eqz', op('i32.or', isAround, op('f32.gt', gap2, get(reach2)))), () => {
            near.pick(place, op('f32x4.splat', get(reach2)), end)
            // The next block may be full.
            const ends = op('i32.gt_u', bytesFrom(get(metEnd)), i32(4 * (nearestTile - blockPoints)))
            const full = held && op('i32.gt_u', bytesFrom(list), i32(4 * (held.most - blockPoints)))
            code.if(full ? op('i32.or', ends, full) : ends, () => {
              meetLast(marks)
              if (full) code.if(full, () => clear(i32(0)))
              else clear(i32(0))
              narrow()
            })
          })
        })
        meetLast(marks)
        if (held) code.if(whole, () => clear(whole))
        else clear(whole)
      }
      code.emit(set(end, op('select', at('i32.load', holds.end, holding), list, listEnd)), set(metEnd, get(end)))
      code.if(listEnd, meetListed, meetAround)
      code.emit(at('i32.store', holds.end, holding, get(end)))
      code.if(op('i32.eqz', whole), () => code.emit(at('f64.store', holds.reach, holding, reach())))
      code.emit(at('i32.store', 0, count, get(met)))
    })
  })

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, targetBlocks, evaluated, starts] = ['targetNodes', 'targetBlocks', 'evaluated', 'unitStarts'].map(
      slot,
    ) as [Node, Node, Node, Node]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const [reached, end] = [reachedBox(code, block, options), code.local('i32', 'end')]
    const listed = code.let('i32', 'listed', listedFrom(frame))
    const heldAt = code.let('i32', 'heldAt', plus(frame, nearBlocksBytes(dimension)))
    const stack = code.let('i32', 'stack', plus(heldAt, groupBlocks * holds.bytes))
    const lists = listBlocks(code, block, frame, options)
    const walk = nearestWalk(code, block, { ...options, leafPoints: nodeSources, stack, reached })
    const targets = targetBlock(options, code, block, scratch, parts)
    code.for('unit', first, last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      eachGroup(
        code,
        { nodes, from, to, mostBlocks: groupBlocks },
        {
          group({ node, place, end: placeEnd, firstBlock, endBlock }) {
            const each = (write: (number: Node, state: Node) => void) =>
              code.for('number', firstBlock, endBlock, 1, (number) =>
                write(number, code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, firstBlock), bytes)))),
              )
            /** Shortens the reach, and begins a list. */
            const narrow = () => {
              reached.start(node)
              each((number) => {
                const box = code.let('i32', 'box', plus(targetBlocks, times(number, nodeBytes)))
                const holding = plus(heldAt, times(op('i32.sub', number, firstBlock), holds.bytes))
                reached.add(box, at('f64.load', holds.reach, holding))
              })
              reached.end()
              code.emit(set(end, listed))
            }
            const meetWith = (listEnd: Node, whole: 0 | 1) =>
              code.emit(call(meet, block, scratch, firstBlock, endBlock, listEnd, i32(whole)))
            each((number, state) => {
              code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
              targets.start(number, state)
            })
            const list = (placeFrom: Node, placeTo: Node) =>
              code.for('place', placeFrom, placeTo, blockPoints, (place) => lists.add(place, end))
            meetWith(i32(0), 0)
            lists.start(node)
            code.emit(set(end, listed))
            // The blocks of the group are near each other, and shorten its reach before the walk.
            if (sameSet) {
              list(place, placeEnd)
              meetWith(get(end), 0)
            }
            narrow()
            walk.all(sameSet ? node : i32(0), (placeFrom, placeTo) => {
              list(placeFrom, placeTo)
              code.if(op('i32.ge_u', op('i32.sub', get(end), listed), i32(4 * mostListed)), () => {
                meetWith(get(end), 0)
                narrow()
              })
            })
            meetWith(get(end), 1)
            each(targets.finish)
          },
        },
      )
    })
  })
}

/** The phase, and the scratch that it needs. */
export interface NearestPass {
  readonly define: typeof defineNearest
  readonly mostInTile: typeof mostInTile
  readonly scratchBytes: typeof scratchBytes
}
export const nearestPass: NearestPass = { define: defineNearest, mostInTile, scratchBytes }
