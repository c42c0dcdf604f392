/**
 * The phase `pairs` of targets that keep their nearest sources.
 *
 * The blocks of a node of the targets' tree walk the tree of the sources together. They list the blocks of sources within the
 * longest reach among them. Each block then filters the list by its own reach: first blocks of sources, then single sources.
 * Before the walk, each block meets a few sources around it, so that its reach is short from the start. If targets and sources
 * are one set, these are the places around its own; otherwise they are a node near it.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/near'
import { walkNumbers } from '../../design/walk-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { greatest } from '../folds/fold.ts'
import { firstSources, tileSources } from '../folds/least-rows.ts'
import type { PointValues } from '../loops/points.ts'
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
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { listBlocks, listedFrom, mostListed, nearBlocksBytes, pickBlocks } from './near-blocks.ts'
import { pickSources } from './pick-sources.ts'

/** The most blocks of targets that walk together. */
const groupBlocks = 12
/** Blocks around a block of targets that it meets first. */
const aroundOf = ({ fold: { results } }: BlockPassOptions): number =>
  Math.max(4, firstSources(results[0]?.entries ?? 0) / blockPoints)
/** The most sources in a tile. */
const mostInTile = (options: BlockPassOptions): number => Math.max(tileSources, aroundOf(options) * blockPoints)
/** The most sources of a node that is listed without opening it. */
const nodeSources = 64

/**
 * Offsets in the data of a block: the places of the sources around it, its reach, and the latest source that it may still keep:
 * where all targets have met enough sources at no distance, later ones are not better.
 */
const holds = { from: 0, to: 4, reach: 8, latest: 16, bytes: 24 } as const
/** Any source. */
const any = -1
/** Bytes of the list of a tile. Whole registers are stored, also at its end. */
const listBytes = (options: BlockPassOptions) => 4 * (mostInTile(options) + blockPoints)

/** Bytes of the stack and of the lists. */
const scratchBytes = (options: BlockPassOptions): number =>
  nearBlocksBytes(options.dimension) + groupBlocks * holds.bytes + listBytes(options) + nearestWalkBytes

/** A block of targets, the range of its group's blocks, and the address of the data of the block. */
interface BlockOfGroup {
  readonly number: Node
  readonly first: Node
  readonly last: Node
  readonly holding: Node
}

/** Writes the phase. `power` is the power of the distance that the targets keep. */
function defineNearest(options: BlockPassOptions, tiles: Tiles, parts: ScratchAddresses, power: 1 | 2): void {
  const { writer, fold, dimension, sameSet, exclusions } = options
  const { vector } = writer
  const around = aroundOf(options)
  const bytes = blockState(options)

  /** The reach of a block: none of its targets would keep a source beyond it. */
  const reachOf = (code: FunctionBuilder, walk: Node, state: Node): Node => {
    const worst = Array.from({ length: blockPoints / vector.lanes }, (_, u) =>
      at('v128.load', u * fold.stateBytes, state),
    ).reduce((a, b) => vector.op('pmax', a, b))
    const [first, ...others] = vector.widened(code, worst)
    const pair = code.let(
      'v128',
      'pair',
      others.reduce((a, b) => op('f64x2.pmax', a, b), first as Node),
    )
    // V8 compares two numbers by a branch, but not two lanes.
    const largest = op('f64x2.pmax', pair, op('f64x2.splat', laned('f64x2.extract_lane', [1], pair)))
    const value = laned('f64x2.extract_lane', [0], largest)
    const distance = power === 2 ? op('f64.sqrt', value) : value
    const [slope, start, filter] = (['slope', 'start', 'filter'] as const).map((name) =>
      at('f64.load', walkNumbers[name], walk),
    ) as [Node, Node, Node]
    return code.let('f64', 'reach', op('f64.min', filter, op('f64.add', op('f64.mul', distance, slope), start)))
  }
  /** The latest source that a block may still keep. */
  const latestOf = (code: FunctionBuilder, state: Node): Node => {
    const latest = code.local('i32', 'latest')
    code.emit(set(latest, i32(any)))
    const states = Array.from({ length: blockPoints / vector.lanes }, (_, u) => plus(state, u * fold.stateBytes))
    const zero = vector.constant(code, 0)
    const apart = states.map((one) => vector.op('gt', at('v128.load', 0, one), zero))
    const nobody = op(
      'i32.eqz',
      op(
        'v128.any_true',
        apart.reduce((a, b) => op('v128.or', a, b)),
      ),
    )
    if (fold.lastIndex)
      code.if(nobody, () => {
        const indices = states.flatMap((one) => fold.lastIndex?.(code, one) ?? [])
        code.emit(set(latest, greatest(code, indices)))
      })
    return get(latest)
  }
  /** Stores the places of the sources around a block. With one set, they lie among the blocks `first ... last - 1`. */
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
      const latest = code.local('i32', 'latest')
      nearestWalk(code, block, { ...options, leafPoints: around * blockPoints, stack, reached, latest }).first(keep)
    }
  }

  /**
   * `meet(block, scratch, first, last, end)`: blocks of targets meet the sources in the list up to `end`, or the sources around
   * them if `end` is 0.
   */
  const parameters = integers('block', 'scratch', 'first', 'last', 'end')
  const meet = writer.module.define('meet', parameters, undefined, (code, values) => {
    const { block, scratch, first, last, end: listEnd } = values
    const slot = (name: string) => writer.slot(code, block, name)
    const [evaluated, targetBlocks, walk] = [slot('evaluated'), slot('targetBlocks'), slot('walk')]
    const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
    const heldAt = plus(frame, nearBlocksBytes(dimension))
    const list = code.let('i32', 'list', plus(heldAt, groupBlocks * holds.bytes))
    const stack = plus(list, listBytes(options))
    const { widened, pick, each } = pickBlocks(code, block, frame, options)
    const near = pickSources(code, block, frame, options)
    const targets = targetBlock(options, code, block, scratch, parts)
    const [end, met] = [code.local('i32', 'end'), code.local('i32', 'met')]
    const bytesOfList = op('i32.sub', get(end), list)
    code.for('number', first, last, 1, (number) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', number, first), bytes)))
      const count = code.let('i32', 'counted', plus(evaluated, times(number, 4)))
      const holding = code.let('i32', 'holding', plus(heldAt, times(op('i32.sub', number, first), holds.bytes)))
      const [from, to] = [at('i32.load', holds.from, holding), at('i32.load', holds.to, holding)]
      /** Meets the sources in the list, and empties it. */
      const meetList = (marks: Tiles['marks']) =>
        code.if(bytesOfList, () => {
          targets.meet(number, state, list, get(end), { ...tiles, marks })
          code.emit(set(met, plus(get(met), op('i32.shr_u', bytesOfList, i32(2)))), set(end, list))
        })
      const meetAround = () => {
        findAround(code, block, stack, { number, first, last, holding })
        near.all(from, to, end)
        meetList(tiles.marks)
      }
      const meetListed = () => {
        const reach2 = code.let('f32', 'reach2', widened(at('f64.load', holds.reach, holding)))
        const aroundFrom = code.let('i32', 'aroundFrom', from)
        const aroundCount = code.let('i32', 'aroundCount', op('i32.sub', to, aroundFrom))
        const box = code.let('i32', 'box', plus(targetBlocks, times(number, nodeBytes)))
        // Targets have met themselves already: they are among the sources around them.
        const marks = exclusions ? tiles.marks : undefined
        pick(box, listEnd, reach2)
        near.start(box)
        each((place) =>
          code.if(op('i32.ge_u', op('i32.sub', place, aroundFrom), aroundCount), () => near.pick(place, reach2, end)),
        )
        meetList(marks)
      }
      code.emit(set(met, at('i32.load', 0, count)), set(end, list))
      code.if(listEnd, meetListed, meetAround)
      code.emit(at('f64.store', holds.reach, holding, reachOf(code, walk, state)), at('i32.store', 0, count, get(met)))
      code.emit(at('i32.store', holds.latest, holding, latestOf(code, state)))
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
    const stack = code.let('i32', 'stack', plus(heldAt, groupBlocks * holds.bytes + listBytes(options)))
    const lists = listBlocks(code, block, frame, options)
    const latest = code.local('i32', 'latest')
    const walk = nearestWalk(code, block, { ...options, leafPoints: nodeSources, stack, reached, latest })
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
            const holdingOf = (number: Node) => plus(heldAt, times(op('i32.sub', number, firstBlock), holds.bytes))
            /** Finds the latest source that a block of the group may still keep. */
            const findLatest = () => {
              code.emit(set(latest, i32(0)))
              each((number) => {
                const ofBlock = code.let('i32', 'ofBlock', at('i32.load', holds.latest, holdingOf(number)))
                code.emit(set(latest, op('select', ofBlock, get(latest), op('i32.gt_u', ofBlock, get(latest)))))
              })
            }
            const settled = () => op('i32.ne', get(latest), i32(any))
            /** Shortens the reach of the group, and begins a new list. */
            const narrow = () => {
              reached.start(node)
              each((number) => {
                const box = code.let('i32', 'box', plus(targetBlocks, times(number, nodeBytes)))
                reached.add(box, at('f64.load', holds.reach, holdingOf(number)))
              })
              reached.end()
              findLatest()
              code.emit(set(end, listed))
            }
            const meetWith = (listEnd: Node) => code.emit(call(meet, block, scratch, firstBlock, endBlock, listEnd))
            each((number, state) => {
              code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
              targets.start(number, state)
            })
            const list = (placeFrom: Node, placeTo: Node) =>
              code.for('place', placeFrom, placeTo, blockPoints, (place) => lists.add(place, end))
            meetWith(i32(0))
            lists.start(node)
            code.emit(set(end, listed))
            // The blocks of the group are near each other, so meeting them first shortens its reach before the walk.
            findLatest()
            const met = sameSet ? code.let('i32', 'met', op('select', i32(0), node, settled())) : i32(0)
            if (sameSet)
              code.if(met, () => {
                list(place, placeEnd)
                meetWith(get(end))
              })
            narrow()
            walk.all(met, (placeFrom, placeTo) => {
              list(placeFrom, placeTo)
              // The next node may not fit. Of equal points, a node may leave no more to meet.
              const most = i32(4 * (mostListed - nodeSources / blockPoints))
              const room = op('select', i32(0), most, settled())
              code.if(op('i32.gt_u', op('i32.sub', get(end), listed), room), () => {
                meetWith(get(end))
                narrow()
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

/**
 * The values of sources, read from the lanes of the targets. This works if both sides are one set and need nothing but
 * coordinates. Blocks also filter by these values, so they are in the cache.
 */
function lanesOf(
  { vector: { lanes, bytes } }: ModuleWriter,
  targets: PointValues,
  sources: PointValues,
): PointValues | undefined {
  const same = targets.names.length === sources.names.length
  const point = bytes * sources.names.length
  const laneAt = (base: Node, place: Node) =>
    op('i32.sub', plus(base, times(place, point)), times(op('i32.and', place, i32(lanes - 1)), point - bytes))
  return same && sources.names.every((name) => /^[xyz]j$/.test(name)) ? { ...sources, laneAt } : undefined
}

/** The phase, and the scratch that it needs. */
export interface NearestPass {
  readonly lanesOf: typeof lanesOf
  readonly define: typeof defineNearest
  readonly mostInTile: typeof mostInTile
  readonly scratchBytes: typeof scratchBytes
}
export const nearestPass: NearestPass = { lanesOf, define: defineNearest, mostInTile, scratchBytes }
