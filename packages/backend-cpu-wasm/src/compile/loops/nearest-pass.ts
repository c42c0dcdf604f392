/**
 * The phase `pairs` of targets that keep their nearest sources.
 *
 * The blocks of a node of the targets' tree walk the tree of the sources together. They list the blocks of sources within the
 * longest reach among them. Each block then filters the list by its own reach: first blocks of sources, then single sources.
 * Before the walk, each block meets a few sources around it (`sources-around.ts`), so that its reach is short from the start.
 *
 * @module
 */
import { blockPoints, nodeBytes } from '@manybody/core/backend'
import type { ModuleWriter, PhaseArguments } from '../expressions/module-writer.ts'
import { tileSources } from '../folds/least-rows.ts'
import { value, write } from '../language/kernel.ts'
import { blockListBytes, filterBlocks, listBlocks, listedFrom, mostListed } from '../lists/block-list.ts'
import { filterSources } from '../lists/filter-sources.ts'
import { anySource, keptReach } from '../lists/kept-reach.ts'
import type { ListOptions } from '../lists/neighbour-lists.ts'
import type { PointValues } from '../parts/points.ts'
import { blocksAround, sourcesAround } from '../parts/sources-around.ts'
import {
  type BlockPassOptions,
  type BlockStep,
  blockState,
  placesOfUnit,
  type ScratchAddresses,
  type Tiles,
  targetBlock,
} from '../parts/target-block.ts'
import { eachGroup, type TargetGroup } from '../parts/target-groups.ts'
import { nearestWalk, nearestWalkBytes } from '../ranges/nearest-walk.ts'
import { reachedBox } from '../ranges/reached-box.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { type Callable, i32, type Node, op, plus, times } from '../wasm/nodes.ts'

/** The most blocks of targets that walk together. */
const groupBlocks = 12
/** The most sources in a tile. */
const mostInTile = (options: BlockPassOptions): number => Math.max(tileSources, blocksAround(options) * blockPoints)
/** The most sources of a node that is listed without opening it. */
const nodeSources = 64

/** Offsets in the data of a block: the places of the sources around it, its reach, and the latest source that it may still keep. */
const holds = { from: 0, to: 4, reach: 8, latest: 16, bytes: 24 } as const
/** Bytes of the list of a tile. Whole registers are stored, also at its end. */
const listBytes = (options: BlockPassOptions) => 4 * (mostInTile(options) + blockPoints)

/** Bytes of the stack and of the lists. */
const scratchBytes = (options: BlockPassOptions): number =>
  blockListBytes(options.dimension) + groupBlocks * holds.bytes + listBytes(options) + nearestWalkBytes

/** Where the frame of the lists of blocks, the data of blocks, the list of a tile and the stack of a walk are. */
function addressesOf(code: FunctionBuilder, scratch: Node, options: BlockPassOptions, parts: ScratchAddresses) {
  const frame = code.let('i32', 'frame', plus(scratch, parts.walk))
  const heldAt = code.let('i32', 'heldAt', plus(frame, blockListBytes(options.dimension)))
  const list = plus(heldAt, groupBlocks * holds.bytes)
  return { frame, heldAt, list, stack: plus(list, listBytes(options)) }
}

/**
 * Defines `meet(block, scratch, first, last, end)`: blocks of targets meet the sources in the list up to `end`, or the sources
 * around them if `end` is 0.
 */
function defineMeet(
  options: BlockPassOptions,
  near: ListOptions,
  tiles: Tiles,
  parts: ScratchAddresses,
  power: 1 | 2,
): Callable {
  const { writer, exclusions } = options
  const parameters = integers('block', 'scratch', 'first', 'last', 'end')
  return writer.module.define('meet', parameters, undefined, (code, values) => {
    const { block, scratch, first, last, end: listEnd } = values
    const slot = (name: string) => writer.slot(code, block, name)
    const [evaluated, targetBlocks, walk] = [slot('evaluated'), slot('targetBlocks'), slot('walk')]
    const addresses = addressesOf(code, scratch, options, parts)
    const { frame, heldAt, stack } = addresses
    const list = code.let('i32', 'list', addresses.list)
    const blocks = filterBlocks(code, block, frame, options)
    const sources = filterSources(code, block, frame, near)
    const targets = targetBlock(options, code, block, scratch, parts)
    const [end, met] = [code.local('i32', 'end'), code.local('i32', 'met')]
    const { reachOf, latestOf } = keptReach(options, walk, power)

    /** Meets the sources in the list, and empties it. */
    const meetList = (marks: Tiles['marks']) => (code: FunctionBuilder, number: Node, state: Node) =>
      write(code)`
      if ${end} - ${list} {
        ${targets.meet({ ...tiles, marks })}(${number}, ${state}, ${list}, ${end})
        ${met} += ${end} - ${list} >> 2
        ${end} = ${list}
      }`
    const keepAround = (code: FunctionBuilder, number: Node, holding: Node) => {
      const keep = (code: FunctionBuilder, from: Node, to: Node) => write(code)`
        i32[${holding} + ${holds.from}] = ${from}
        i32[${holding} + ${holds.to}] = ${to}`
      sourcesAround(options, code, block, stack, { number, first, last }, keep)
    }
    const meetAround = (code: FunctionBuilder, number: Node, state: Node, holding: Node) => write(code)`
      ${keepAround}(${number}, ${holding})
      ${sources.all}(i32[${holding} + ${holds.from}], i32[${holding} + ${holds.to}], ${end})
      ${meetList(tiles.marks)}(${number}, ${state})`
    // Targets have met themselves already: they are among the sources around them.
    const marks = exclusions ? tiles.marks : undefined
    const meetListed = (code: FunctionBuilder, number: Node, state: Node, holding: Node) => write(code)`
      let reach2: f32 = ${blocks.widened}(f64[${holding} + ${holds.reach}])
      let aroundFrom = i32[${holding} + ${holds.from}]
      let aroundCount = i32[${holding} + ${holds.to}] - aroundFrom
      let box = ${targetBlocks} + ${number} * ${nodeBytes}
      ${blocks.filter}(box, ${listEnd}, reach2)
      ${sources.start}(box)
      for entry in ${blocks.picked}..${blocks.pickedEnd} step 4 {
        let place = i32[entry]
        if place - aroundFrom >= aroundCount { ${sources.filter}(place, reach2, ${end}) }
      }
      ${meetList(marks)}(${number}, ${state})`
    write(code)`
      const listEnd: i32 = ${listEnd}
      for number in ${first}..${last} {
        let state = ${scratch} + (number - ${first}) * ${blockState(options)}
        let count = ${evaluated} + number * 4
        let holding = ${heldAt} + (number - ${first}) * ${holds.bytes}
        ${met} = i32[count]
        ${end} = ${list}
        if listEnd { ${meetListed}(number, state, holding) } else { ${meetAround}(number, state, holding) }
        f64[holding + ${holds.reach}] = ${reachOf}(state)
        i32[count] = ${met}
        i32[holding + ${holds.latest}] = ${latestOf}(state)
      }`
  })
}

/** Writes how the blocks of a group walk together, and meet the sources that they find. */
function groupWalk(
  code: FunctionBuilder,
  { block, scratch }: Pick<PhaseArguments, 'block' | 'scratch'>,
  options: BlockPassOptions,
  parts: ScratchAddresses,
  meet: Callable,
): (group: TargetGroup) => void {
  const { writer, sameSet } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [targetBlocks, evaluated] = [slot('targetBlocks'), slot('evaluated')]
  const addresses = addressesOf(code, scratch, options, parts)
  const { frame, heldAt } = addresses
  const [reached, end] = [reachedBox(code, block, options), code.local('i32', 'end')]
  const listed = code.let('i32', 'listed', listedFrom(frame))
  const stack = code.let('i32', 'stack', addresses.stack)
  const lists = listBlocks(code, block, frame, options)
  const latest = code.local('i32', 'latest')
  const walk = nearestWalk(code, block, { ...options, leafPoints: nodeSources, stack, reached, latest })
  const targets = targetBlock(options, code, block, scratch, parts)
  const bytes = blockState(options)
  // The next node may not fit.
  const most = 4 * (mostListed - nodeSources / blockPoints)
  const list = (code: FunctionBuilder, from: Node, to: Node) => write(code)`
    for place in ${from}..${to} step ${blockPoints} { ${lists.add}(place, ${end}) }`

  return ({ node, place, end: placeEnd, firstBlock, endBlock }) => {
    const start: BlockStep = (code, number, state) => write(code)`
      i32[${evaluated} + ${number} * 4] = 0
      ${targets.start}(${number}, ${state})`
    const eachBlock = (code: FunctionBuilder, step: BlockStep) => write(code)`
      for number in ${firstBlock}..${endBlock} {
        let state = ${scratch} + (number - ${firstBlock}) * ${bytes}
        ${step}(number, state)
      }`
    /** Shortens the reach of the group, finds the latest source that one of its blocks may still keep, and begins a new list. */
    const narrow = (code: FunctionBuilder) => write(code)`
      ${reached.start}(${node})
      for number in ${firstBlock}..${endBlock} {
        let box = ${targetBlocks} + number * ${nodeBytes}
        ${reached.add}(box, f64[${heldAt} + (number - ${firstBlock}) * ${holds.bytes} + ${holds.reach}])
      }
      ${reached.end}()
      ${findLatest}()
      ${end} = ${listed}`
    const findLatest = (code: FunctionBuilder) => write(code)`
      const latest: i32 = ${latest}
      latest = 0
      for number in ${firstBlock}..${endBlock} {
        let ofBlock = i32[${heldAt} + (number - ${firstBlock}) * ${holds.bytes} + ${holds.latest}]
        latest = ofBlock > latest ? ofBlock : latest
      }`
    const meetWith = (code: FunctionBuilder, listEnd: Node) => write(code)`
      ${meet}(${block}, ${scratch}, ${firstBlock}, ${endBlock}, ${listEnd})`
    const take = (code: FunctionBuilder, from: Node, to: Node) => write(code)`
      ${list}(${from}, ${to})
      // Of equal points, a node may leave no more to meet.
      const room = ${latest} != ${anySource} ? 0 : ${most} as i32
      if ${end} - ${listed} > room {
        ${meetWith}(${end})
        ${narrow}()
      }`

    write(code)`
      ${eachBlock}(${start})
      ${meetWith}(0)
      ${lists.start}(${node})
      ${end} = ${listed}
      ${findLatest}()`
    // The blocks of the group are near each other, so meeting them first shortens its reach before the walk.
    const met = sameSet ? code.let('i32', 'met', value(code)`${latest} != ${anySource} ? 0 : ${node} as i32`) : i32(0)
    write(code)`
      if ${sameSet} {
        const met: i32 = ${met}
        if met {
          ${list}(${place}, ${placeEnd})
          ${meetWith}(${end})
        }
      }
      ${narrow}()
      ${walk.all}(${met}, ${take})
      ${meetWith}(${end})
      ${eachBlock}(${targets.finish})`
  }
}

/** Writes the phase. `power` is the power of the distance that the targets keep. */
function defineNearest(
  options: BlockPassOptions,
  near: ListOptions,
  tiles: Tiles,
  parts: ScratchAddresses,
  power: 1 | 2,
): void {
  const { writer } = options
  const meet = defineMeet(options, near, tiles, parts, power)
  writer.phase('pairs', (code, of) => {
    const [nodes, starts] = ['targetNodes', 'unitStarts'].map((name) => writer.slot(code, of.block, name)) as [
      Node,
      Node,
    ]
    const group = groupWalk(code, of, options, parts, meet)
    code.for('unit', of.first, of.last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      eachGroup(code, { nodes, from, to, mostBlocks: groupBlocks }, { group })
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
