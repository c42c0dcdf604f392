/**
 * The phase `pairs` of targets that keep what is nearest.
 *
 * The blocks of a node of the targets' tree walk the tree of the sources together and list the blocks that they find, as far as
 * the one of them with the longest reach needs. Each block picks from the list by its own reach: blocks of sources, and then
 * single sources. Each block begins with a few sources around it, so that its reach is short from the start: those of the places
 * around its own if targets and sources are one set, or else those of a node near it.
 *
 * If the fold has a bound, a block holds what it picks, and each tile only bounds what its targets will keep, which shortens its
 * reach. It meets what it holds at the end.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import { boundTerms } from '../folds/least-rows.ts'
import {
  type BlockPassOptions,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
} from '../loops/target-block.ts'
import { eachGroup } from '../loops/target-groups.ts'
import { nearestWalk, waitingBytes } from '../ranges/nearest-walk.ts'
import { walkNumbers } from '../ranges/walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { listBlocks, listedFrom, mostListed, nearBlocksBytes, pickBlocks } from './near-blocks.ts'
import { groupBlocks } from './near-lists.ts'
import { pickSources } from './pick-sources.ts'

/** Number of sources in a tile. It is small, because each tile shortens the reach. */
export const nearestTile = 32
/** The most sources that a block lists before it meets them. */
export const mostHeld = 256
/** Blocks around a block of targets that it meets first. */
const around = boundTerms / blockPoints
/** The most sources of a node that is listed without opening it. */
const nodeSources = 32
/** The most blocks that are listed while some target keeps too few sources to have a reach; then times as many. */
const [firstListed, growth] = [4, 4]

/** Bytes of the places of the sources around each block of a group. */
const aroundBytes = 8 * groupBlocks

/** Bytes of the stack and of the lists. */
export const nearestBytes = ({ deepest, dimension }: BlockPassOptions): number =>
  nearBlocksBytes(dimension) + aroundBytes + deepest * waitingBytes

/** A block of targets among those of its group, and the address of the places of the sources around it. */
interface BlockOfGroup {
  readonly number: Node
  readonly first: Node
  readonly last: Node
  readonly places: Node
}

/** Writes the phase; `power` is the power of the distance that the targets keep. */
export function defineNearest(options: BlockPassOptions, tiles: Tiles, parts: ScratchAddresses, power: 1 | 2): void {
  const { writer, fold, dimension, sameSet, exclusions } = options
  const { bound } = tiles
  const { vector } = writer
  const bytes = blockState(options)

  /** The reach of the targets with the worst terms in a register: no target would keep a source beyond it. */
  const reachOf = (code: FunctionBuilder, walk: Node, worst: Node): Node => {
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
  const worstOf = (state: Node): Node =>
    Array.from({ length: blockPoints / vector.lanes }, (_, u) => at('v128.load', u * fold.stateBytes, state)).reduce(
      (a, b) => vector.op('pmax', a, b),
    )
  /** Writes the places of the sources around a block of targets, of those with the numbers `first ... last - 1`. */
  const findAround = (code: FunctionBuilder, block: Node, stack: Node, of: BlockOfGroup): void => {
    const { number, first, last, places } = of
    const keep = (from: Node, to: Node) => code.emit(at('i32.store', 0, places, from), at('i32.store', 4, places, to))
    if (sameSet) {
      const start = code.let('i32', 'aroundFrom', op('i32.and', number, i32(-around)))
      const end = code.let('i32', 'aroundEnd', plus(start, around))
      const from = op('select', start, first, op('i32.gt_u', start, first))
      const to = op('select', end, last, op('i32.lt_u', end, last))
      keep(times(from, blockPoints), times(to, blockPoints))
    } else {
      const reach2 = code.local('f64', 'anyReach2')
      code.emit(set(reach2, { kind: 'constant', type: 'f64', value: Number.POSITIVE_INFINITY }))
      keep(i32(0), i32(0))
      const walk = nearestWalk(code, block, { ...options, leafPoints: around * blockPoints, stack, reach2 })
      walk(plus(writer.slot(code, block, 'targetBlocks'), times(number, nodeBytes)), (from, to, stop) => {
        keep(from, to)
        stop()
      })
    }
  }

  /** `meet(block, scratch, first, last, end)`: blocks of targets meet those of the sources listed, or if `end` is 0 the ones around them. */
  const parameters = integers('block', 'scratch', 'first', 'last', 'end')
  const meet = writer.module.define('meet', parameters, undefined, (code, values) => {
    const { block, scratch, first, last, end: listEnd } = values
    const slot = (name: string) => writer.slot(code, block, name)
    const [evaluated, targetBlocks, walk] = [slot('evaluated'), slot('targetBlocks'), slot('walk')]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const list = code.let('i32', 'list', plus(scratch, parts.list))
    const aroundAt = plus(frame, nearBlocksBytes(dimension))
    const stack = plus(aroundAt, aroundBytes)
    const { widened, pick, each } = pickBlocks(code, block, frame, options)
    const near = pickSources(code, block, frame, options)
    const targets = targetBlock(options, code, block, scratch, parts)
    const [end, met, reach2] = [code.local('i32', 'end'), code.local('i32', 'met'), code.local('f32', 'reach2')]
    const boundEnd = code.local('i32', 'boundEnd')
    const bytesFrom = (from: Node) => op('i32.sub', get(end), from)
    code.for('number', first, last, 1, (number) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const count = code.let('i32', 'counted', plus(evaluated, times(number, 4)))
      const narrow = () => code.emit(set(reach2, widened(reachOf(code, walk, worstOf(state)))))
      code.emit(set(met, at('i32.load', 0, count)))
      code.emit(set(end, list), set(boundEnd, list))
      const places = code.let('i32', 'around', plus(aroundAt, times(op('i32.sub', number, first), 8)))
      const [from, to] = [at('i32.load', 0, places), at('i32.load', 4, places)]
      const listAround = () => {
        const everywhere = code.constant('f32x4', Number.POSITIVE_INFINITY)
        code.for('near', from, to, blockPoints, (place) => near.pick(place, everywhere, end))
        code.emit(set(boundEnd, get(end)))
      }
      const meetHeld = () => {
        code.emit(set(met, plus(get(met), op('i32.shr_u', bytesFrom(list), i32(2)))))
        code.for('part', list, get(end), 4 * writer.tile, (part) => {
          const next = plus(part, 4 * writer.tile)
          const partEnd = code.let('i32', 'partEnd', op('select', next, get(end), op('i32.lt_u', next, get(end))))
          targets.meet(number, state, part, partEnd, tiles)
        })
        code.emit(set(end, list), set(boundEnd, list))
      }
      /** Bounds by what was listed last what the targets will keep. */
      const boundLast = () =>
        bound &&
        code.if(bytesFrom(get(boundEnd)), () => {
          targets.meet(number, state, get(boundEnd), get(end), exclusions ? bound : { ...bound, marks: undefined })
          code.emit(set(boundEnd, get(end)))
        })
      const meetAround = () => {
        findAround(code, block, stack, { number, first, last, places })
        listAround()
        code.if(bytesFrom(list), () => (bound ? targets.meet(number, state, list, get(end), bound) : meetHeld()))
      }
      const meetListed = () => {
        if (bound) code.if(op('i32.eqz', get(met)), listAround)
        narrow()
        const aroundFrom = code.let('i32', 'aroundFrom', from)
        const aroundCount = code.let('i32', 'aroundCount', op('i32.sub', to, aroundFrom))
        const box = code.let('i32', 'box', plus(targetBlocks, times(number, nodeBytes)))
        pick(box, listEnd, get(reach2))
        near.start(box)
        each((place, gap2) => {
          const isAround = op('i32.lt_u', op('i32.sub', place, aroundFrom), aroundCount)
          // A gap that is not a number is not greater.
          code.if(op('i32.eqz', op('i32.or', isAround, op('f32.gt', gap2, get(reach2)))), () => {
            near.pick(place, op('f32x4.splat', get(reach2)), end)
            // The next block may be full.
            code.if(op('i32.gt_u', bytesFrom(get(boundEnd)), i32(4 * (nearestTile - blockPoints))), () => {
              boundLast()
              const full = op('i32.gt_u', bytesFrom(list), i32(4 * (mostHeld - nearestTile)))
              if (bound) code.if(full, meetHeld)
              else meetHeld()
              narrow()
            })
          })
        })
        boundLast()
        meetHeld()
      }
      code.if(listEnd, meetListed, meetAround)
      code.emit(at('i32.store', 0, count, get(met)))
    })
  })

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, evaluated, starts, walkHeader] = [
      slot('targetNodes'),
      slot('evaluated'),
      slot('unitStarts'),
      slot('walk'),
    ]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const [reach2, end, room] = [code.local('f64', 'groupReach2'), code.local('i32', 'end'), code.local('i32', 'room')]
    const list = code.let('i32', 'listed', listedFrom(frame))
    const stack = code.let('i32', 'stack', plus(frame, nearBlocksBytes(dimension) + aroundBytes))
    const lists = listBlocks(code, block, frame, options)
    const walk = nearestWalk(code, block, { ...options, leafPoints: nodeSources, stack, reach2 })
    const targets = targetBlock(options, code, block, scratch, parts)
    code.for('unit', first, last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      eachGroup(
        code,
        { nodes, from, to, mostBlocks: groupBlocks },
        {
          group({ node, firstBlock, endBlock }) {
            const each = (write: (number: Node, state: Node) => void) =>
              code.for('number', firstBlock, endBlock, 1, (number) =>
                write(number, code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, firstBlock), bytes)))),
              )
            /** Shortens the reach, and lists more blocks at once if that is finite. */
            const narrow = (next: Node) => {
              const worst = code.local('v128', 'worstOfAll')
              code.emit(set(worst, vector.constant(code, 0)))
              each((_, state) => code.emit(set(worst, vector.op('pmax', get(worst), worstOf(state)))))
              const reach = reachOf(code, walkHeader, get(worst))
              code.emit(set(reach2, op('f64.mul', reach, reach)))
              const most = i32(4 * mostListed)
              const more = code.let('i32', 'more', next)
              const all = op(
                'i32.or',
                op('i32.gt_u', more, most),
                op('f64.lt', get(reach2), { kind: 'constant', type: 'f64', value: Number.POSITIVE_INFINITY }),
              )
              code.emit(set(room, op('select', most, more, all)), set(end, list))
            }
            const meetWith = (listEnd: Node) => code.emit(call(meet, block, scratch, firstBlock, endBlock, listEnd))
            each((number, state) => {
              code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
              targets.start(number, state)
            })
            meetWith(i32(0))
            lists.start(node)
            narrow(i32(4 * firstListed))
            walk(node, (placeFrom, placeTo) => {
              code.for('place', placeFrom, placeTo, blockPoints, (place) => lists.add(place, end))
              code.if(op('i32.ge_u', op('i32.sub', get(end), list), get(room)), () => {
                meetWith(get(end))
                narrow(times(get(room), growth))
              })
            })
            meetWith(get(end))
            each(targets.finish)
          },
        },
      )
    })
  })
}
