/**
 * The loop over pairs by blocks of points that are close together. Blocks of targets gather the places of the sources near them
 * in neighbour lists, and meet the lists in tiles.
 *
 * A unit of the phase `pairs` is a few blocks of targets. The blocks of a node of their tree walk the tree of the sources
 * together. Targets, sources and results are in the order of places; the phase `scatter` puts the results in the order of
 * points. `@manybody/core/backend` defines the layout of the trees, and the walks do the same as its `walkWithin` and
 * `walkNearest`.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import type { ResultLayout } from '../../design/design.ts'
import { mostPicked } from '../../design/list-layout.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { defineSortList, sortBytes } from '../folds/sort-list.ts'
import { define, write } from '../language/kernel.ts'
import { defineSizes } from '../lists/block-sizes.ts'
import { groupBlocks, type ListOptions, listBytesOf } from '../lists/neighbour-lists.ts'
import { defineListedMark, type ListedMarkOptions } from '../parts/listed-marks.ts'
import { maskBytes } from '../parts/marks.ts'
import { coordinatesIn } from '../parts/points.ts'
import { reactionBytes } from '../parts/reactions.ts'
import { type BlockPassOptions, blockState, type ScratchAddresses, type Tiles } from '../parts/target-block.ts'
import { defineTile } from '../parts/tile.ts'
import { unitGroups } from '../parts/unit-groups.ts'
import { copyBytes } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import { defineCutoffPass } from './cutoff-pass.ts'
import type { NearestPass } from './nearest-pass.ts'
import type { LoopUnits } from './pair-loop.ts'
import type { defineVerletLists } from './verlet-lists.ts'

/** Number of units in one call, each with some ten thousand pairs. */
const callUnits = 2

/** Passes that a page loads only if it may need them. */
export interface OptionalPasses {
  /** Absent if no workload keeps nearest sources. */
  readonly nearestPass?: NearestPass
  /** Absent if no sequence reuses neighbour lists. */
  readonly defineVerletLists?: typeof defineVerletLists
}

/** Adds the phases `pairs` and `scatter`, and those of Verlet lists. */
export function defineBlockPass(given: BlockPassOptions, { nearestPass, ...others }: OptionalPasses): LoopUnits {
  const options = { ...given, listed: 'places' as const }
  const { writer, body, fold, registers, kept } = options
  const nearest = kept && nearestPass
  if (kept && !nearest) throw new TypeError('Cannot design what is nearest: only the loops of sums are loaded')
  const masked = body.skipSelf || options.exclusions
  const mark: ListedMarkOptions = {
    writer,
    targets: registers * writer.vector.lanes,
    skipSelf: body.skipSelf,
    exclusions: options.exclusions,
    listed: 'places',
    ascending: !nearest,
  }
  const near: ListOptions = {
    ...options,
    targets: coordinatesIn(writer, options.targets, options.dimension, body.sizes),
    sources: coordinatesIn(writer, options.sources, options.dimension, body.sizes),
    sized: body.sizes !== undefined,
    apart: options.direct !== undefined,
  }
  const unitBlocks = options.unitBlocks
  const list = groupBlocks * blockState(options)
  // Registers are written whole, also at the end of the list.
  const mask = list + (nearest ? 0 : 4 * (mostPicked + blockPoints))
  const tile =
    mask + (masked ? Math.max(1, (nearest ? nearest.mostInTile(options) : 0) / writer.tile) * maskBytes(mark) : 0)
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
  if (kept && nearest) nearest.define(options, near, tiles[0] as Tiles, parts, kept)
  else {
    const groups = unitGroups(options, tiles, parts)
    if (near.sized) defineSizes(near)
    defineCutoffPass(options, near, groups, parts)
    if (options.lasts) others.defineVerletLists?.(options, near, groups, parts)
  }
  const [listed] = fold.results.filter((result) => result.listed)
  if (listed) defineSortedScatter(writer, listed)
  else defineScatter(writer, fold.results)
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits: options.once ? 1 : callUnits,
    scratchBytes: Math.max(sortBytes, walk + (nearest ? nearest.scratchBytes(options) : listBytesOf(near))),
  }
}

/** The phase `scatter` puts results in the order of points. Its units are places. */
export function defineScatter(writer: ModuleWriter, results: readonly ResultLayout[]): void {
  writer.phase('scatter', (code, { block, first, last }) => {
    const order = writer.slot(code, block, 'targetOrder')
    const arrays = results.map(({ name, entries, type }) => {
      const bytes = entries * (type === 'number' ? writer.vector.bytes : 4)
      const copy = (code: FunctionBuilder, to: Node, from: Node) => copyBytes(code, to, from, bytes)
      return [
        writer.slot(code, block, `result.${name}`),
        writer.slot(code, block, `final.${name}`),
        bytes,
        copy,
      ] as const
    })
    const scatter = (code: FunctionBuilder, place: Node, point: Node) => {
      for (const [from, to, bytes, copy] of arrays)
        write(code)`
          let source = ${from} + ${place} * ${bytes}
          let target = ${to} + ${point} * ${bytes}
          ${copy}(target, source)`
    }
    write(code)`
      for place in ${first}..${last} {
        let point = i32[${order} + place * 4]
        ${scatter}(place, point)
      }`
  })
}

/** The phase `scatter` of lists. It also sorts them, because blocks visit sources in the order of places. */
function defineSortedScatter(writer: ModuleWriter, { name }: ResultLayout): void {
  const sortList = writer.module.once('sortList', () => defineSortList(writer.module))
  const slot = (entry: string) => writer.offset(entry)
  define(writer.module)`
    fn scatter(block, scratch, first, last) {
      let order = i32[block + ${slot('targetOrder')}]
      let starts = i32[block + ${slot('starts')}]
      let finalStarts = i32[block + ${slot('finalStarts')}]
      let from = i32[block + ${slot(`result.${name}`)}]
      let to = i32[block + ${slot(`final.${name}`)}]
      for place in first..last {
        const point = i32[order + place * 4]
        let start = i32[starts + place * 4]
        const count = i32[starts + place * 4 + 4] - start
        const finalStart = i32[finalStarts + point * 4]
        ${sortList}(from + start * 4, to + finalStart * 4, count, scratch)
      }
    }`
}
