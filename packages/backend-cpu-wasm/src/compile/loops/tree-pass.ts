/**
 * The loop over pairs of a sum with a tolerance. A few blocks of targets walk the tree together. The walk gathers sources and
 * the proxies of far nodes side by side, and each block meets them in tiles, as in the loop over all pairs. Sources that some
 * target must leave out, itself or an excluded source, are listed by their places and met with a mask.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/backend'
import { define, value, write } from '../language/kernel.ts'
import { defineListedMark } from '../parts/listed-marks.ts'
import { type MarkOptions, maskBytes } from '../parts/marks.ts'
import { bytesOf } from '../parts/points.ts'
import { type BlockStep, placesOfUnit, type Tiles, targetBlock } from '../parts/target-block.ts'
import { eachGroup, type TargetGroup } from '../parts/target-groups.ts'
import { defineTile, type PassOptions } from '../parts/tile.ts'
import { defineExcludedNodes } from '../ranges/excluded-nodes.ts'
import { openingWalk } from '../ranges/opening-walk.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import type { LoopUnits } from './pair-loop.ts'

/** The most blocks of targets that walk together. */
const mostBlocks: Readonly<Record<number, number>> = { 2: 2, 3: 4 }
/** Blocks of a node that lies in one unit as a whole, at most, and the number of units in a call. */
const [unitBlocks, callUnits] = [32, 2]
/** The most records that are copied side by side before they are met. */
const mostGathered = 2048
/** The most proxies of a node, and the most points of a node that is taken directly. */
const mostAtOnce = 1024

export interface TreePassOptions extends PassOptions {
  readonly sameSet: boolean
}

/** The units of the loop, and whether its scratch is followed by a set of nodes. */
export interface TreePass extends LoopUnits {
  readonly nodeSet: boolean
}

/** Adds the phase `pairs`. */
export function defineTreePass(options: TreePassOptions): TreePass {
  const { writer, body, fold, registers, dimension, exclusions } = options
  const { vector } = writer
  const pieceTargets = registers * vector.lanes
  const pieces = blockPoints / pieceTargets
  const blockState = pieces * registers * fold.stateBytes
  const most = mostBlocks[dimension] as number
  const record = bytesOf(writer, options.sources)
  const mark: MarkOptions = { writer, targets: pieceTargets, skipSelf: body.skipSelf, exclusions }
  const plain = defineTile(options, false)
  const masked = body.skipSelf || exclusions
  const excludedNodes = exclusions ? defineExcludedNodes(writer) : undefined

  // Layout of scratch: fold states, the mask, scratch of a tile, places that are listed, records, the set of nodes.
  const maskAt = most * blockState
  const tileAt = maskAt + (masked ? maskBytes(mark) : 0)
  const listAt = tileAt + registers * fold.tileBytes
  const recordsAt = Math.ceil((listAt + (masked ? 4 * most * blockPoints : 0)) / 16) * 16
  const setAt = recordsAt + mostGathered * record + 16

  /** The address of the state of a piece, counted from the block `first`. */
  const stateOf = (code: FunctionBuilder, scratch: Node, piece: Node, first: Node) => value(code)`
    ${scratch} + (${piece} - ${first} * ${pieces}) * ${registers * fold.stateBytes}`

  /** `meet(block, scratch, first, last, end)` meets the blocks of targets from `first` on with the records up to `end`. */
  const meet = define(writer.module)`
    fn meet(block, scratch, first, last, end) {
      let targets = i32[block + ${writer.offset('targets')}]
      let evaluated = i32[block + ${writer.offset('evaluated')}]
      let records = scratch + ${recordsAt}
      let held = (end - records) / ${record}
      for number in first..last {
        let met = evaluated + number * 4
        i32[met] += held
      }
      for tile in records..end step ${writer.tile * record} {
        const next = tile + ${writer.tile * record}
        let tileEnd = next < end ? next : end
        for piece in first * ${pieces}..last * ${pieces} {
          const target = targets + piece * ${registers * bytesOf(writer, options.targets)}
          ${plain}(block, target, ${stateOf}(scratch, piece, first), tile, tileEnd, 0, scratch + ${tileAt})
        }
      }
    }`
  /** The tiles for listed places. A mask leaves out some of their pairs. */
  const listed = { ...options, listed: 'places' as const }
  const tiles: Tiles | undefined = masked
    ? {
        plain: defineTile(listed, false, 'Listed'),
        masked: defineTile(listed, true, 'Listed'),
        marks: defineListedMark({ ...mark, listed: 'places', ascending: true }),
      }
    : undefined
  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [nodes, starts, evaluated] = [slot('targetNodes'), slot('unitStarts'), slot('evaluated')]
    const [sources, proxies, proxyBytes] = [slot('sources'), slot('proxies'), slot('proxyBytes')]
    const records = value(code)`
      let records = ${scratch} + ${recordsAt}
      records`
    const full = value(code)`
      let full = ${records} + ${(mostGathered - mostAtOnce) * record}
      full`
    const opens = exclusions ? code.let('i32', 'opens', value(code)`${scratch} + ${setAt}`) : undefined
    const walk = openingWalk(code, block, { ...options, opens })
    const targets = targetBlock(listed, code, block, scratch, { mask: maskAt, tile: tileAt })
    const end = value(code)`
      var gatheredEnd: i32
      gatheredEnd`
    const group = ({ node, place, end: placeEnd, firstBlock, endBlock }: TargetGroup) => {
      const each = (code: FunctionBuilder, visit: BlockStep) =>
        write(code)`
          for number in ${firstBlock}..${endBlock} {
            let state: i32 = ${stateOf}(${scratch}, number * ${pieces}, ${firstBlock})
            ${visit}(number, state)
          }`
      const copy = (code: FunctionBuilder, address: Node, bytes: Node) => write(code)`
        if ${end} as i32 > ${full} {
          ${meet}(${block}, ${scratch}, ${firstBlock}, ${endBlock}, ${end})
          ${end} = ${records}
        }
        let copied = ${address}
        let bytes = ${bytes}
        memory.copy(${end}, copied, bytes)
        ${end} = ${end} + bytes`
      const meetListed = (code: FunctionBuilder, from: Node, to: Node) => {
        if (!tiles) return
        const list = value(code)`
          let list = ${scratch} + ${listAt}
          list`
        const count = value(code)`
          let listed = ${to} - ${from}
          listed`
        write(code)`for n in 0..${count} { i32[${list} + n * 4] = ${from} + n }`
        each(
          code,
          (code, number, state) => write(code)`
            let met = ${evaluated} + ${number} * 4
            i32[met] += ${count}
            ${targets.meet(tiles)}(${number}, ${state}, ${list}, ${list} + ${count} * 4)`,
        )
      }
      each(
        code,
        (code, number, state) => write(code)`
          i32[${evaluated} + ${number} * 4] = 0
          ${targets.start}(${number}, ${state})`,
      )
      if (excludedNodes && opens) write(code)`${excludedNodes}(${block}, ${place}, ${placeEnd}, ${opens})`
      write(code)`${end} = ${records}`
      walk(node, {
        take: (sourceFrom, sourceTo, excluded) => {
          const [a, b] = [code.let('i32', 'from', sourceFrom), code.let('i32', 'to', sourceTo)]
          const copySources = (code: FunctionBuilder) =>
            copy(code, value(code)`${sources} + ${a} * ${record}`, value(code)`(${b} - ${a}) * ${record}`)
          const meetSources = (code: FunctionBuilder) => {
            if (!exclusions) return copySources(code)
            write(code)`if ${excluded} { ${meetListed}(${a}, ${b}) } else { ${copySources}() }`
          }
          // Targets meet each other below, where they leave themselves out.
          if (!body.skipSelf) return meetSources(code)
          write(code)`if ${a} as i32 >= ${placeEnd} || ${place} as i32 >= ${b} { ${meetSources}() }`
        },
        takeProxies: (proxy) => copy(code, value(code)`${proxies} + ${proxy} * ${record}`, proxyBytes),
      })
      write(code)`${meet}(${block}, ${scratch}, ${firstBlock}, ${endBlock}, ${end})`
      if (body.skipSelf) meetListed(code, place, placeEnd)
      each(code, targets.finish)
    }
    const meetUnit = (code: FunctionBuilder, unit: Node) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      eachGroup(code, { nodes, from, to, mostBlocks: most }, { group })
    }
    write(code)`for unit in ${first}..${last} { ${meetUnit}(unit) }`
  })
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits,
    scratchBytes: setAt,
    nodeSet: exclusions,
  }
}
