/**
 * The loop that visits each pair once, for sums of a symmetric law over one set of points: both points of a pair receive its
 * term.
 *
 * Points are divided into blocks. A block of targets, in lanes, meets each later block of sources. Targets add up terms in
 * locals; each source adds them up in a register in scratch. When two blocks are done, both sums join float64 totals. Within a
 * block, each unit of targets meets later sources in the same way, and itself as a plain tile.
 *
 * The pairs of blocks are divided into parts, one after the other, and each part has totals of its own. Threads that share the memory
 * compute the calls of a part in order, so the totals have the same bits whichever threads do. The last phase adds up the totals.
 *
 * The phases are `clear` (its units are parts), `pairs` (pairs of blocks), and `collect` (registers of points). `collect`
 * leaves totals of 0.
 *
 * @module
 */

import type { OnceStore } from '../../design/design.ts'
import { value, write } from '../language/kernel.ts'
import { defineMark, type MarkOptions } from '../parts/marks.ts'
import { bytesOf, loadPoint, registerAt } from '../parts/points.ts'
import { defineBoth, defineJoin, reactionBytes } from '../parts/reactions.ts'
import { defineTile, type TileOptions } from '../parts/tile.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { get, type Local, type Node } from '../wasm/nodes.ts'

/** The most pairs in one call of `pairs`: enough that the call itself costs little. */
const callPairs = 2 ** 17

export interface Once {
  /** Bytes of the scratch of a thread. */
  readonly scratchBytes: number
  readonly callUnits: number
  readonly once: OnceStore
}

/** Adds the phases. The numbers of blocks and parts, and the bytes of totals, are slots. */
export function defineOnce(options: TileOptions): Once {
  const { writer, body, fold, registers } = options
  const { vector } = writer
  const unitTargets = registers * vector.lanes
  // A block has as many points as a tile has sources.
  const blockPoints = writer.tile
  const received = reactionBytes(options)
  const recordBytes = bytesOf(writer, options.sources)
  const mark: MarkOptions = { writer, targets: unitTargets, skipSelf: body.skipSelf, exclusions: false }
  const plain = defineTile({ ...options, body: { ...body, reaction: [] } }, body.skipSelf)
  const marks = body.skipSelf ? defineMark(mark) : undefined
  const both = defineBoth(options)
  const join = defineJoin(options)
  // Offsets in the scratch of a thread, which begins with the sums of sources.
  const tileAt = blockPoints * received
  const maskAt = tileAt + registers * fold.tileBytes

  writer.phase('clear', (code, { block, first, last }) => {
    const [totals, totalBytes] = ['totals', 'totalBytes'].map((name) => writer.slot(code, block, name)) as [Node, Node]
    write(code)`for part in ${first}..${last} { memory.fill(${totals} + part * ${totalBytes}, 0, ${totalBytes}) }`
  })

  writer.phase('pairs', (code, { block, scratch: reaction, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targets, sources, count] = [slot('targets'), slot('sources'), slot('sourceCount')]
    const blocks = slot('blocks')
    const [totals, totalBytes, partPairs] = [slot('totals'), slot('totalBytes'), slot('partPairs')]
    const spare = value(code)`${reaction} + ${tileAt}`
    const meetings = value(code)`
      let meetings = ${blocks} + 1
      meetings`
    const perBlock = blockPoints / unitTargets
    const targetBytes = registers * bytesOf(writer, options.targets)
    /** Visits the units of a block of targets. */
    const eachUnit = (code: FunctionBuilder, here: Node, sums: Node, visit: VisitUnit) => write(code)`
      let unitFrom = ${here} * ${perBlock}
      for unit in unitFrom..unitFrom + ${perBlock} {
        let point = unit * ${unitTargets}
        // The last block may end early.
        if point < ${count} {
          let target = ${targets} + unit * ${targetBytes}
          let state = ${sums} + unit * ${registers * fold.stateBytes}
          ${visit}(target, state, point)
        }
      }`
    /** A unit of targets meets itself. It always has marks, so the returned flag is not needed. */
    const meetItself: MeetUnit = marks
      ? (code, target, state, point, own, ownEnd) => write(code)`
          const mask = ${reaction} + ${maskAt}
          let marked: i32 = ${marks}(${block}, 0, ${point}, ${point}, (${ownEnd} - ${own}) / ${recordBytes}, mask)
          ${plain}(${block}, ${target}, ${state}, ${own}, ${ownEnd}, ${point}, ${spare}, mask)`
      : (code, target, state, point, own, ownEnd) => write(code)`
          ${plain}(${block}, ${target}, ${state}, ${own}, ${ownEnd}, ${point}, ${spare})`
    /** A unit of targets meets itself, then the later sources of its block. */
    const meetOwn = (code: FunctionBuilder, here: Node, sums: Node, from: Node, end: Node) =>
      eachUnit(
        code,
        here,
        sums,
        (code, target, state, point) => write(code)`
          let own = ${sources} + ${point} * ${recordBytes}
          let after = own + ${unitTargets * recordBytes}
          let ownEnd = min(after, ${end})
          ${meetItself}(${target}, ${state}, ${point}, own, ownEnd)
          // Every unit but the last is full.
          if after < ${end} {
            const later = ${reaction} + (${point} + ${unitTargets} - ${from}) * ${received}
            ${both}(${block}, ${target}, ${state}, after, ${end}, later, ${spare})
          }`,
      )
    const meetOther = (code: FunctionBuilder, here: Node, sums: Node, start: Node, end: Node) =>
      eachUnit(
        code,
        here,
        sums,
        (code, target, state) => write(code)`
          ${both}(${block}, ${target}, ${state}, ${start}, ${end}, ${reaction}, ${spare})`,
      )
    write(code)`
      for pair in ${first}..${last} {
        let sums = ${totals} + pair / ${partPairs} * ${totalBytes}
        // The n-th block and the n-th from the end together meet one block more than there are.
        let nth = pair / ${meetings}
        let met = pair % ${meetings}
        let ofNth = ${blocks} - nth
        let early = met < ofNth
        let here = early ? nth : ofNth - 1
        let there = here + (met - (early ? 0 : ofNth))
        let from = there * ${blockPoints}
        let left = ${count} - from
        let inBlock = min(${blockPoints}, left)
        let start = ${sources} + from * ${recordBytes}
        let end = start + inBlock * ${recordBytes}
        memory.fill(${reaction}, 0, inBlock * ${received})
        if here == there { ${meetOwn}(here, sums, from, end) } else { ${meetOther}(here, sums, start, end) }
        ${join}(sums + from * ${fold.stateBytes / vector.lanes}, ${reaction}, inBlock)
      }`
  })

  defineCollect(options)
  return {
    scratchBytes: maskAt + (body.skipSelf ? unitTargets ** 2 * vector.bytes : 0),
    callUnits: Math.max(1, Math.floor(callPairs / blockPoints ** 2)),
    once: { blockPoints, blockBytes: (blockPoints / vector.lanes) * fold.stateBytes },
  }
}

/** The phase `collect` adds up the totals of all parts, sets them to 0, scales the sums, and writes the results. */
function defineCollect({ writer, body, fold, targets }: TileOptions): void {
  const { vector } = writer
  const [result] = fold.results
  if (!result) return
  const halves = fold.stateBytes / 16
  writer.phase('collect', (code, { block, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [all, totalBytes, parts] = [slot('totals'), slot('totalBytes'), slot('parts')]
    const [count, values, to] = [slot('targetCount'), slot('targets'), slot(`result.${result.name}`)]
    const numbers = writer.numbers(code, block, body.scale ? body.run : [])
    const finish = (code: FunctionBuilder, n: Node, start: Node, totals: readonly Local[]) => {
      const point = loadPoint(writer, targets, code.let('i32', 'at', registerAt(writer, targets, values, n)))
      const scale = body.scale && writer.evaluate(code, new Map([...numbers, ...point]), [])(body.scale)
      const factor = scale && code.let('v128', 'scale', scale)
      const address = element(code, to, start, result.entries * vector.bytes)
      const perComponent = vector.lanes / 2
      const stores = Array.from({ length: result.entries }, (_, c) => {
        const parts = totals.slice(c * perComponent, (c + 1) * perComponent).map(get)
        const value = vector.narrowed(parts)
        const place = { address, stride: result.entries, offset: c * vector.bytes }
        return strided(code, vector, place, factor ? vector.op('mul', value, factor) : value)
      })
      storeElements(code, vector, value(code)`${count} - ${start}`, stores)
    }
    write(code)`
      for n in ${first}..${last} {
        let start = n * ${vector.lanes}
        unroll half of 0..${halves} { var total[half]: f64x2 }
        unroll half of 0..${halves} { total[half] = 0 }
        for part in 0..${parts} {
          let state = ${all} + part * ${totalBytes} + n * ${fold.stateBytes}
          unroll half of 0..${halves} {
            total[half] += f64x2[state + half * 16]
            f64x2[state + half * 16] = 0
          }
        }
        ${finish}(n, start, total)
      }`
  })
}

/** Gets a unit of targets: its address, that of its state, and its first point. */
type VisitUnit = (code: FunctionBuilder, target: Node, state: Node, point: Node) => void
/** Gets also the address of the unit's sources, and of their end. */
type MeetUnit = (code: FunctionBuilder, target: Node, state: Node, point: Node, own: Node, ownEnd: Node) => void
