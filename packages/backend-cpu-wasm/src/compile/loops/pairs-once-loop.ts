/**
 * The loop that visits each pair once, for sums of a symmetric law over one set of points: both points of a pair receive its
 * term.
 *
 * Points are divided into blocks. A block of targets, in lanes, meets each later block of sources. Targets add up terms in
 * locals; each source adds them up in a register in scratch. When two blocks are done, both sums join the float64 totals of the
 * thread. Within a block, each unit of targets meets later sources in the same way, and itself as a plain tile. The last phase
 * adds up the totals of all threads.
 *
 * The phases are `clear` (its units are threads), `pairs` (pairs of blocks), and `collect` (registers of points). `collect`
 * leaves totals of 0.
 *
 * @module
 */

import type { OnceStore } from '../../design/design.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { element, storeElements, strided } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, type Callable, call, get, i32, laned, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import { defineMark, type MarkOptions } from './marks.ts'
import { bytesOf, loadPoint, registerAt } from './points.ts'
import { defineBoth, defineTile, reactionBytes, type TileOptions } from './tile.ts'

/** The most pairs in one call of `pairs`: enough that the call itself costs little. */
const callPairs = 2 ** 17

export interface Once {
  /** Bytes of scratch behind the totals. */
  readonly scratchBytes: number
  readonly callUnits: number
  readonly once: OnceStore
}

/** Adds the phases. The number of blocks, and the bytes of their totals, are slots. */
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
  // Offsets from the end of the totals.
  const tileAt = blockPoints * received
  const maskAt = tileAt + registers * fold.tileBytes

  writer.phase('clear', (code, { block, first, last }) => {
    const base = writer.slot(code, block, 'scratchBase')
    const stride = writer.slot(code, block, 'scratchBytes')
    const totalBytes = writer.slot(code, block, 'totalBytes')
    code.for('thread', first, last, 1, (thread) =>
      code.emit(op('memory.fill', plus(base, op('i32.mul', thread, stride)), i32(0), totalBytes)),
    )
  })

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targets, sources, count] = [slot('targets'), slot('sources'), slot('sourceCount')]
    const blocks = slot('blocks')
    const reaction = code.let('i32', 'reaction', plus(scratch, slot('totalBytes')))
    const tileScratch = plus(reaction, tileAt)
    const meetings = code.let('i32', 'meetings', plus(blocks, 1))
    const units = (here: Node, write: (target: Node, state: Node, point: Node) => void) => {
      const from = code.let('i32', 'unitFrom', times(here, blockPoints / unitTargets))
      code.for('unit', from, plus(from, blockPoints / unitTargets), 1, (unit) => {
        const point = code.let('i32', 'point', times(unit, unitTargets))
        // The last block may end early.
        code.if(op('i32.lt_u', point, count), () =>
          write(
            code.let('i32', 'target', plus(targets, times(unit, registers * bytesOf(writer, options.targets)))),
            code.let('i32', 'state', plus(scratch, times(unit, registers * fold.stateBytes))),
            point,
          ),
        )
      })
    }
    code.for('pair', first, last, 1, (pair) => {
      // The n-th block and the n-th from the end together meet `blocks + 1` blocks.
      const nth = code.let('i32', 'nth', op('i32.div_u', pair, meetings))
      const met = code.let('i32', 'met', op('i32.rem_u', pair, meetings))
      const ofNth = code.let('i32', 'ofNth', op('i32.sub', blocks, nth))
      const early = code.let('i32', 'early', op('i32.lt_u', met, ofNth))
      const here = code.let('i32', 'here', op('select', nth, op('i32.sub', ofNth, i32(1)), early))
      const there = code.let('i32', 'there', plus(here, op('i32.sub', met, op('select', i32(0), ofNth, early))))
      const from = code.let('i32', 'from', times(there, blockPoints))
      const left = code.let('i32', 'left', op('i32.sub', count, from))
      const whole = op('i32.lt_u', i32(blockPoints), left)
      const inBlock = code.let('i32', 'inBlock', op('select', i32(blockPoints), left, whole))
      const start = code.let('i32', 'start', plus(sources, times(from, recordBytes)))
      const end = code.let('i32', 'end', plus(start, times(inBlock, recordBytes)))
      code.emit(op('memory.fill', reaction, i32(0), times(inBlock, received)))
      code.if(
        op('i32.eq', here, there),
        () =>
          // A unit of targets meets itself, then the later sources of its block.
          units(here, (target, state, point) => {
            const own = code.let('i32', 'own', plus(sources, times(point, recordBytes)))
            const after = code.let('i32', 'after', plus(own, unitTargets * recordBytes))
            const ownEnd = code.let('i32', 'ownEnd', op('select', after, end, op('i32.lt_u', after, end)))
            const args = [block, target, state, own, ownEnd, point, tileScratch]
            if (marks) {
              const mask = plus(reaction, maskAt)
              const inUnit = op('i32.div_u', op('i32.sub', ownEnd, own), i32(recordBytes))
              // A unit with itself always has marks, so the returned flag is not needed.
              code.emit(set(code.local('i32', 'marked'), call(marks, block, i32(0), point, point, inUnit, mask)))
              code.emit(call(plain, ...args, mask))
            } else code.emit(call(plain, ...args))
            // Every unit but the last is full.
            code.if(op('i32.lt_u', after, end), () => {
              const later = plus(reaction, times(op('i32.sub', plus(point, unitTargets), from), received))
              code.emit(call(both, block, target, state, after, end, later, tileScratch))
            })
          }),
        () =>
          units(here, (target, state) =>
            code.emit(call(both, block, target, state, start, end, reaction, tileScratch)),
          ),
      )
      code.emit(call(join, plus(scratch, times(from, fold.stateBytes / vector.lanes)), reaction, inBlock))
    })
  })

  defineCollect(options)
  return {
    scratchBytes: maskAt + (body.skipSelf ? unitTargets ** 2 * vector.bytes : 0),
    callUnits: Math.max(1, Math.floor(callPairs / blockPoints ** 2)),
    once: { blockPoints, blockBytes: (blockPoints / vector.lanes) * fold.stateBytes },
  }
}

/** `join(state, reaction, count)` adds up the lanes of each source's reaction, and adds the sums to the totals. */
export function defineJoin({ writer, fold }: Pick<TileOptions, 'writer' | 'fold'>): Callable {
  const { vector } = writer
  const components = fold.results[0]?.entries ?? 0
  const sourceBytes = reactionBytes({ fold })
  return writer.module.define('join', integers('state', 'reaction', 'count'), undefined, (code, values) => {
    const { state, reaction, count } = values
    const registers = op('i32.div_u', plus(count, vector.lanes - 1), i32(vector.lanes))
    code.for('n', i32(0), registers, 1, (n) => {
      const from = element(code, reaction, n, vector.lanes * sourceBytes)
      const to = element(code, state, n, fold.stateBytes)
      for (let c = 0; c < components; c++) {
        const received = Array.from({ length: vector.lanes }, (_, lane) =>
          code.let('v128', 'received', at('v128.load', lane * sourceBytes + c * 16, from)),
        )
        for (const [h, half] of vector.widened(code, sumOfLanes(code, writer, received)).entries()) {
          const offset = (c * vector.halves + h) * 16
          code.emit(at('v128.store', offset, to, op('f64x2.add', at('v128.load', offset, to), half)))
        }
      }
    })
  })
}

/** Adds up the lanes of each register. Lane n of the result is the sum of register n. */
function sumOfLanes(code: FunctionBuilder, { vector }: ModuleWriter, registers: readonly Node[]): Node {
  // Adds two registers' halves, or four registers' pairs of halves: [a0 + a2, b0 + b2, a1 + a3, b1 + b3].
  const bytes = (...lanes: readonly number[]) =>
    lanes.flatMap((lane) => Array.from({ length: vector.bytes }, (_, b) => lane * vector.bytes + b))
  const folded = (a: Node, b: Node, low: readonly number[], high: readonly number[]) =>
    code.let(
      'v128',
      'folded',
      vector.op('add', laned('i8x16.shuffle', bytes(...low), a, b), laned('i8x16.shuffle', bytes(...high), a, b)),
    )
  const [a, b, c, d] = registers as readonly [Node, Node, Node, Node]
  if (vector.lanes === 2) return folded(a, b, [0, 2], [1, 3])
  const halves = [folded(a, b, [0, 4, 1, 5], [2, 6, 3, 7]), folded(c, d, [0, 4, 1, 5], [2, 6, 3, 7])] as const
  return folded(...halves, [0, 1, 4, 5], [2, 3, 6, 7])
}

/** The phase `collect` adds up the totals of all threads, sets them to 0, scales the sums, and writes the results. */
function defineCollect({ writer, body, fold, targets }: TileOptions): void {
  const { vector } = writer
  const [result] = fold.results
  if (!result) return
  const halves = fold.stateBytes / 16
  writer.phase('collect', (code, { block, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [base, stride, threads] = [slot('scratchBase'), slot('scratchBytes'), slot('threads')]
    const [count, values, to] = [slot('targetCount'), slot('targets'), slot(`result.${result.name}`)]
    const numbers = writer.numbers(code, block, body.scale ? body.run : [])
    code.for('n', first, last, 1, (n) => {
      const start = code.let('i32', 'start', times(n, vector.lanes))
      const totals = Array.from({ length: halves }, () => code.local('v128', 'total'))
      for (const total of totals) code.emit(set(total, code.constant('f64x2', 0)))
      code.for('thread', i32(0), threads, 1, (thread) => {
        const at0 = code.let('i32', 'at', plus(base, op('i32.mul', thread, stride)))
        const state = element(code, at0, n, fold.stateBytes)
        for (const [h, total] of totals.entries()) {
          code.emit(set(total, op('f64x2.add', get(total), at('v128.load', h * 16, state))))
          code.emit(at('v128.store', h * 16, state, code.constant('f64x2', 0)))
        }
      })
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
      storeElements(code, vector, op('i32.sub', count, start), stores)
    })
  })
}
