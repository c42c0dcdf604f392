/**
 * The outer loops over pairs. A chunk of targets meets all sources, tile by tile, so that every target of the chunk reads the
 * tile from the first-level cache.
 *
 * A unit of the phase `pairs` is as many targets as the inner loop takes at a time. A call takes a chunk of units.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { TargetRegister } from '../folds/fold.ts'
import { integers } from '../wasm/module-builder.ts'
import { at, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import {
  defineListedMark,
  defineMark,
  type ListedMarkOptions,
  type MarkOptions,
  maskBytes,
  startCursors,
} from './marks.ts'
import { bytesOf, loadPoint, registerAt } from './points.ts'
import { defineTile, type TileOptions } from './tile.ts'

export interface PassOptions extends TileOptions {
  readonly exclusions: boolean
}

export interface LoopUnits {
  /** Number of targets in one unit. */
  readonly unitTargets: number
  /** The most units in one call: their states fit the first-level cache together with a tile of sources. */
  readonly callUnits: number
  readonly scratchBytes: number
}

/** Number of targets that one call should take: enough to reuse a tile of sources often, and few enough for short calls. */
const chunkTargets = 128
/** The most bytes for the states of a chunk. */
const stateBudget = 1 << 16

/** The targets of a unit, the bytes of their states, and the most units of a call. */
function chunkOf({ writer, fold, registers }: PassOptions): {
  readonly unitTargets: number
  readonly unitState: number
  readonly callUnits: number
} {
  const unitTargets = registers * writer.vector.lanes
  const unitState = registers * fold.stateBytes
  const callUnits = Math.max(1, Math.min(chunkTargets / unitTargets, Math.floor(stateBudget / unitState)))
  return { unitTargets, unitState, callUnits }
}

/** Adds the phase `pairs`. */
export function definePass(options: PassOptions): LoopUnits {
  const { writer, body, fold, registers } = options
  const { unitTargets, unitState, callUnits } = chunkOf(options)
  const masked = body.skipSelf || options.exclusions
  const mark: MarkOptions = { writer, targets: unitTargets, skipSelf: body.skipSelf, exclusions: options.exclusions }
  const plain = defineTile(options, false)
  const withMask = masked ? defineTile(options, true) : undefined
  const marks = masked ? defineMark(mark) : undefined

  // Layout of scratch: fold states, cursors of exclusions, the mask, scratch of a tile.
  const cursorsAt = callUnits * unitState
  const maskAt = cursorsAt + (options.exclusions ? callUnits * unitTargets * 4 : 0)
  const tileAt = maskAt + (masked ? maskBytes(mark) : 0)

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targets, sources, count] = [slot('targets'), slot('sources'), slot('sourceCount')]
    const sourceFirst = slot('sourceFirst')
    const units = (write: (unit: Node, state: Node) => void) =>
      code.for('unit', first, last, 1, (unit) =>
        write(unit, code.let('i32', 'state', plus(scratch, times(op('i32.sub', unit, first), unitState)))),
      )
    const cursors = (unit: Node) => plus(plus(scratch, cursorsAt), times(op('i32.sub', unit, first), unitTargets * 4))
    const registersOf = targetRegisters(options, code, block)

    units((unit, state) => {
      for (const { register } of registersOf(unit, state)) fold.start(code, register)
      if (options.exclusions)
        startCursors(mark, code, { block, cursors: cursors(unit), first: times(unit, unitTargets) })
    })
    code.for('tile', i32(0), count, writer.tile, (tile) => {
      const left = code.let('i32', 'left', op('i32.sub', count, tile))
      const most = i32(writer.tile)
      const inTile = code.let('i32', 'inTile', op('select', left, most, op('i32.lt_u', left, most)))
      const from = code.let('i32', 'from', plus(sources, times(tile, bytesOf(writer, options.sources))))
      const to = code.let('i32', 'to', plus(from, times(inTile, bytesOf(writer, options.sources))))
      units((unit, state) => {
        const target = plus(targets, times(unit, registers * bytesOf(writer, options.targets)))
        const args = [block, target, state, from, to, plus(sourceFirst, tile), plus(scratch, tileAt)]
        if (!withMask || !marks) return code.emit(call(plain, ...args))
        const mask = plus(scratch, maskAt)
        code.if(
          call(marks, block, cursors(unit), times(unit, unitTargets), tile, inTile, mask),
          () => code.emit(call(withMask, ...args, mask)),
          () => code.emit(call(plain, ...args)),
        )
      })
    })
    units((unit, state) => {
      for (const { register, scale } of registersOf(unit, state)) fold.finish(code, register, scale())
    })
  })
  return { unitTargets, callUnits, scratchBytes: tileAt + registers * fold.tileBytes }
}

/** The registers of targets of a unit. */
export function targetRegisters(
  { writer, body, fold, registers, targets }: PassOptions,
  code: Parameters<ModuleWriter['slot']>[0],
  block: Node,
) {
  const { vector } = writer
  const results = new Map(fold.results.map(({ name }) => [name, writer.slot(code, block, `result.${name}`)]))
  const [merge, targetCount, base] = [
    writer.slot(code, block, 'merge'),
    writer.slot(code, block, 'targetCount'),
    writer.slot(code, block, 'targets'),
  ]
  const starts = fold.results.some(({ listed }) => listed) ? writer.slot(code, block, 'starts') : i32(0)
  const numbers = writer.numbers(code, block, body.scale ? body.run : [])
  return (unit: Node, state: Node): readonly { register: TargetRegister; scale: () => Node | undefined }[] =>
    Array.from({ length: registers }, (_, u) => {
      const target = code.let('i32', 'target', plus(times(unit, registers * vector.lanes), u * vector.lanes))
      const remaining = code.let('i32', 'remaining', op('i32.sub', targetCount, target))
      const register: TargetRegister = {
        state: plus(state, u * fold.stateBytes),
        target,
        remaining,
        result: (name) => results.get(name) ?? i32(0),
        merge,
        starts,
      }
      const scale = () => {
        if (!body.scale) return undefined
        const number = plus(times(unit, registers), u)
        const address = code.let('i32', 'values', registerAt(writer, targets, base, number))
        const used = loadPoint(writer, targets, address)
        return writer.evaluate(code, new Map([...numbers, ...used]), [])(body.scale)
      }
      return { register, scale }
    })
}

/**
 * Adds the phase `pairs` over ranges from the caller. Each block of targets lists the sources in its ranges, in ascending
 * order, and meets them in tiles. Where a unit holds targets of several blocks, a mask leaves out the other blocks' targets.
 */
export function defineRangedPass(given: PassOptions): LoopUnits {
  const options = { ...given, listed: 'numbers' as const }
  const { writer, body, fold, registers } = options
  const { unitTargets, unitState, callUnits } = chunkOf(options)
  const mark: ListedMarkOptions = {
    ...{ writer, targets: unitTargets, listed: 'numbers', ascending: true },
    ...{ skipSelf: body.skipSelf, exclusions: options.exclusions },
  }
  const plain = defineTile(options, false)
  const masked = defineTile(options, true)
  const marks = defineListedMark(mark)

  // Layout of scratch: fold states, the list of sources, the mask, scratch of a tile.
  const listAt = callUnits * unitState
  const maskAt = listAt + 4 * writer.tile
  const tileAt = maskAt + maskBytes(mark)

  /** `meetGiven(block, scratch, first, from, to, end)` meets the targets `from ... to` with a list; a call begins at unit `first`. */
  const parameters = integers('block', 'scratch', 'first', 'from', 'to', 'end')
  const meet = writer.module.define('meetGiven', parameters, undefined, (code, values) => {
    const { block, scratch, first, from, to, end } = values
    const [targets, sources] = [writer.slot(code, block, 'targets'), writer.slot(code, block, 'sources')]
    const list = code.let('i32', 'list', plus(scratch, listAt))
    const unitFrom = code.let('i32', 'unitFrom', op('i32.div_u', from, i32(unitTargets)))
    const unitTo = code.let('i32', 'unitTo', op('i32.div_u', plus(to, unitTargets - 1), i32(unitTargets)))
    code.for('unit', unitFrom, unitTo, 1, (unit) => {
      const state = code.let('i32', 'state', plus(scratch, times(op('i32.sub', unit, first), unitState)))
      const target = plus(targets, times(unit, registers * bytesOf(writer, options.targets)))
      const args = [block, target, state, sources, end, i32(0), plus(scratch, tileAt)]
      const mask = plus(scratch, maskAt)
      code.if(
        call(marks, block, times(unit, unitTargets), list, end, mask, from, to),
        () => code.emit(call(masked, ...args, mask, list)),
        () => code.emit(call(plain, ...args, list)),
      )
    })
  })

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [starts, offsets, ranges, blocks] = [
      slot('rangeTargets'),
      slot('rangeOffsets'),
      slot('rangeSources'),
      slot('rangeBlocks'),
    ]
    const count = slot('targetCount')
    const units = (write: (unit: Node, state: Node) => void) =>
      code.for('unit', first, last, 1, (unit) =>
        write(unit, code.let('i32', 'state', plus(scratch, times(op('i32.sub', unit, first), unitState)))),
      )
    const registersOf = targetRegisters(options, code, block)
    const word = (list: Node, n: Node, offset = 0) => at('i32.load', offset, plus(list, times(n, 4)))
    const [number, end] = [code.local('i32', 'number'), code.local('i32', 'listEnd')]
    const begin = code.let('i32', 'begin', times(first, unitTargets))
    const after = code.let('i32', 'after', times(last, unitTargets))
    const stop = code.let('i32', 'stop', op('select', after, count, op('i32.lt_u', after, count)))
    const list = code.let('i32', 'list', plus(scratch, listAt))

    units((unit, state) => {
      for (const { register } of registersOf(unit, state)) fold.start(code, register)
    })
    code.emit(set(number, word(blocks, first)))
    code.repeat(() => {
      const [own, next] = [
        code.let('i32', 'own', word(starts, get(number))),
        code.let('i32', 'next', word(starts, get(number), 4)),
      ]
      const from = code.let('i32', 'from', op('select', own, begin, op('i32.gt_u', own, begin)))
      const to = code.let('i32', 'to', op('select', next, stop, op('i32.lt_u', next, stop)))
      const meetAll = () => code.emit(call(meet, block, scratch, first, from, to, get(end)), set(end, list))
      code.emit(set(end, list))
      code.for('range', word(offsets, get(number)), word(offsets, get(number), 4), 1, (range) => {
        const place = plus(ranges, times(range, 8))
        code.for('source', at('i32.load', 0, place), at('i32.load', 4, place), 1, (source) => {
          code.emit(at('i32.store', 0, get(end), source), set(end, plus(get(end), 4)))
          code.if(op('i32.eq', get(end), plus(list, 4 * writer.tile)), meetAll)
        })
      })
      code.if(op('i32.ne', get(end), list), meetAll)
      code.emit(set(number, plus(get(number), 1)))
      return op('i32.lt_u', next, stop)
    })
    units((unit, state) => {
      for (const { register, scale } of registersOf(unit, state)) fold.finish(code, register, scale())
    })
  })
  return { unitTargets, callUnits, scratchBytes: tileAt + registers * fold.tileBytes }
}
