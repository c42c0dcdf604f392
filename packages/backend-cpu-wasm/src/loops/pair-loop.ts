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
import { call, i32, type Node, op, plus, times } from '../wasm/nodes.ts'
import { defineMark, type MarkOptions, maskBytes, startCursors } from './marks.ts'
import { bytesOf, loadPoint, registerAt } from './points.ts'
import { defineTile, type TileOptions } from './tile.ts'

export interface PassOptions extends TileOptions {
  readonly exclusions: boolean
}

export interface Pass {
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

/** Adds the phase `pairs`. */
export function definePass(options: PassOptions): Pass {
  const { writer, body, fold, registers } = options
  const { v } = writer
  const unitTargets = registers * v.lanes
  const unitState = registers * fold.stateBytes
  const callUnits = Math.max(1, Math.min(chunkTargets / unitTargets, Math.floor(stateBudget / unitState)))
  const masked = body.skipSelf || options.exclusions
  const mark: MarkOptions = { writer, targets: unitTargets, skipSelf: body.skipSelf, exclusions: options.exclusions }
  const plain = defineTile(options, false)
  const withMask = masked ? defineTile(options, true) : undefined
  const marks = masked ? defineMark(mark) : undefined

  // Layout of scratch: fold states, cursors of exclusions, the mask, scratch of a tile.
  const cursorsAt = callUnits * unitState
  const maskAt = cursorsAt + (options.exclusions ? callUnits * unitTargets * 4 : 0)
  const tileAt = maskAt + (masked ? maskBytes(mark) : 0)

  writer.phase('pairs', (f, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(f, block, name)
    const [targets, sources, count] = [slot('targets'), slot('sources'), slot('sourceCount')]
    const sourceFirst = slot('sourceFirst')
    const units = (write: (unit: Node, state: Node) => void) =>
      f.for('unit', first, last, 1, (unit) =>
        write(unit, f.let('i32', 'state', plus(scratch, times(op('i32.sub', unit, first), unitState)))),
      )
    const cursors = (unit: Node) => plus(plus(scratch, cursorsAt), times(op('i32.sub', unit, first), unitTargets * 4))
    const registersOf = targetRegisters(options, f, block)

    units((unit, state) => {
      for (const { register } of registersOf(unit, state)) fold.start(f, register)
      if (options.exclusions) startCursors(mark, f, { block, cursors: cursors(unit), first: times(unit, unitTargets) })
    })
    f.for('tile', i32(0), count, writer.tile, (tile) => {
      const left = f.let('i32', 'left', op('i32.sub', count, tile))
      const most = i32(writer.tile)
      const inTile = f.let('i32', 'inTile', op('select', left, most, op('i32.lt_u', left, most)))
      const from = f.let('i32', 'from', plus(sources, times(tile, bytesOf(writer, options.sources))))
      const to = f.let('i32', 'to', plus(from, times(inTile, bytesOf(writer, options.sources))))
      units((unit, state) => {
        const target = plus(targets, times(unit, registers * bytesOf(writer, options.targets)))
        const args = [block, target, state, from, to, plus(sourceFirst, tile), plus(scratch, tileAt)]
        if (!withMask || !marks) return f.emit(call(plain, ...args))
        const mask = plus(scratch, maskAt)
        f.if(
          call(marks, block, cursors(unit), times(unit, unitTargets), tile, inTile, mask),
          () => f.emit(call(withMask, ...args, mask)),
          () => f.emit(call(plain, ...args)),
        )
      })
    })
    units((unit, state) => {
      for (const { register, scale } of registersOf(unit, state)) fold.finish(f, register, scale())
    })
  })
  return { unitTargets, callUnits, scratchBytes: tileAt + registers * fold.tileBytes }
}

/** The registers of targets of a unit. */
export function targetRegisters(
  { writer, body, fold, registers, targets }: PassOptions,
  f: Parameters<ModuleWriter['slot']>[0],
  block: Node,
) {
  const { v } = writer
  const results = new Map(fold.results.map(({ name }) => [name, writer.slot(f, block, `result.${name}`)]))
  const [merge, targetCount, base] = [
    writer.slot(f, block, 'merge'),
    writer.slot(f, block, 'targetCount'),
    writer.slot(f, block, 'targets'),
  ]
  const numbers = writer.numbers(f, block, body.scale ? body.run : [])
  return (unit: Node, state: Node): readonly { register: TargetRegister; scale: () => Node | undefined }[] =>
    Array.from({ length: registers }, (_, u) => {
      const target = f.let('i32', 'target', plus(times(unit, registers * v.lanes), u * v.lanes))
      const remaining = f.let('i32', 'remaining', op('i32.sub', targetCount, target))
      const register: TargetRegister = {
        state: plus(state, u * fold.stateBytes),
        target,
        remaining,
        result: (name) => results.get(name) ?? i32(0),
        merge,
      }
      const scale = () => {
        if (!body.scale) return undefined
        const number = plus(times(unit, registers), u)
        const address = f.let('i32', 'values', registerAt(writer, targets, base, number))
        const used = loadPoint(writer, targets, address)
        return writer.evaluate(f, new Map([...numbers, ...used]), [])(body.scale)
      }
      return { register, scale }
    })
}
