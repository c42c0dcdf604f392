/**
 * The loop over pairs of a sum with a tolerance. A few blocks of targets walk the tree together. The walk gathers sources and
 * the proxies of far nodes side by side, and each block meets them in tiles, as in the loop over all pairs. Sources that some
 * target must leave out, itself or an excluded source, are listed by their places and met with a mask.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import { defineExcludedNodes } from '../ranges/excluded-nodes.ts'
import { openingWalk } from '../ranges/opening-walk.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineListedMark, type MarkOptions, maskBytes } from './marks.ts'
import type { LoopUnits, PassOptions } from './pair-loop.ts'
import { bytesOf } from './points.ts'
import { placesOfUnit, type Tiles, targetBlock } from './target-block.ts'
import { eachGroup, type TargetGroup } from './target-groups.ts'
import { defineTile } from './tile.ts'

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
  const stateOf = (scratch: Node, piece: Node, first: Node) =>
    plus(scratch, times(op('i32.sub', piece, times(first, pieces)), registers * fold.stateBytes))

  /** `meet(block, scratch, first, last, end)` meets the blocks of targets from `first` on with the records up to `end`. */
  const parameters = integers('block', 'scratch', 'first', 'last', 'end')
  const meet = writer.module.define('meet', parameters, undefined, (code, { block, scratch, first, last, end }) => {
    const [targets, evaluated] = [writer.slot(code, block, 'targets'), writer.slot(code, block, 'evaluated')]
    const records = code.let('i32', 'records', plus(scratch, recordsAt))
    const held = code.let('i32', 'held', op('i32.div_u', op('i32.sub', end, records), i32(record)))
    code.for('number', first, last, 1, (number) => {
      const met = code.let('i32', 'met', plus(evaluated, times(number, 4)))
      code.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), held)))
    })
    code.for('tile', records, end, writer.tile * record, (tile) => {
      const next = plus(tile, writer.tile * record)
      const tileEnd = code.let('i32', 'tileEnd', op('select', next, end, op('i32.lt_u', next, end)))
      code.for('piece', times(first, pieces), times(last, pieces), 1, (piece) => {
        const target = plus(targets, times(piece, registers * bytesOf(writer, options.targets)))
        code.emit(
          call(plain, block, target, stateOf(scratch, piece, first), tile, tileEnd, i32(0), plus(scratch, tileAt)),
        )
      })
    })
  })
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
    const records = code.let('i32', 'records', plus(scratch, recordsAt))
    const full = code.let('i32', 'full', plus(records, (mostGathered - mostAtOnce) * record))
    const opens = exclusions ? code.let('i32', 'opens', plus(scratch, setAt)) : undefined
    const walk = openingWalk(code, block, { ...options, opens })
    const targets = targetBlock(listed, code, block, scratch, { mask: maskAt, tile: tileAt })
    const end = code.local('i32', 'gatheredEnd')
    const group = ({ node, place, end: placeEnd, firstBlock, endBlock }: TargetGroup) => {
      const each = (write: (number: Node, state: Node) => void) =>
        code.for('number', firstBlock, endBlock, 1, (number) =>
          write(number, code.let('i32', 'state', stateOf(scratch, times(number, pieces), firstBlock))),
        )
      const meetAll = () => code.emit(call(meet, block, scratch, firstBlock, endBlock, get(end)))
      const copy = (address: Node, bytes: Node) => {
        code.if(op('i32.gt_u', get(end), full), () => {
          meetAll()
          code.emit(set(end, records))
        })
        const source = code.let('i32', 'copied', address)
        const length = code.let('i32', 'bytes', bytes)
        code.emit(op('memory.copy', get(end), source, length))
        code.emit(set(end, plus(get(end), length)))
      }
      const meetListed = (from: Node, to: Node) => {
        if (!tiles) return
        const list = code.let('i32', 'list', plus(scratch, listAt))
        const count = code.let('i32', 'listed', op('i32.sub', to, from))
        code.for('n', i32(0), count, 1, (n) => code.emit(at('i32.store', 0, plus(list, times(n, 4)), plus(from, n))))
        each((number, state) => {
          const met = code.let('i32', 'met', plus(evaluated, times(number, 4)))
          code.emit(at('i32.store', 0, met, plus(at('i32.load', 0, met), count)))
          targets.meet(number, state, list, plus(list, times(count, 4)), tiles)
        })
      }
      each((number, state) => {
        code.emit(at('i32.store', 0, plus(evaluated, times(number, 4)), i32(0)))
        targets.start(number, state)
      })
      if (excludedNodes && opens) code.emit(call(excludedNodes, block, place, placeEnd, opens))
      code.emit(set(end, records))
      walk(node, {
        take: (sourceFrom, sourceTo, excluded) => {
          const [a, b] = [code.let('i32', 'from', sourceFrom), code.let('i32', 'to', sourceTo)]
          const copySources = () => copy(plus(sources, times(a, record)), times(op('i32.sub', b, a), record))
          const meetSources = () =>
            exclusions ? code.if(excluded, () => meetListed(a, b), copySources) : copySources()
          // Targets meet each other below, where they leave themselves out.
          if (body.skipSelf) code.if(op('i32.or', op('i32.ge_u', a, placeEnd), op('i32.ge_u', place, b)), meetSources)
          else meetSources()
        },
        takeProxies: (proxy) => copy(plus(proxies, times(proxy, record)), proxyBytes),
      })
      meetAll()
      if (body.skipSelf) meetListed(place, placeEnd)
      each(targets.finish)
    }
    code.for('unit', first, last, 1, (unit) => {
      const [from, to] = placesOfUnit(code, starts, unit)
      eachGroup(code, { nodes, from, to, mostBlocks: most }, { group })
    })
  })
  return {
    unitTargets: unitBlocks * blockPoints,
    callUnits,
    scratchBytes: setAt,
    nodeSet: exclusions,
  }
}
