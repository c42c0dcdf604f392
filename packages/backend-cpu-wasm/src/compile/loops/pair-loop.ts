/**
 * The outer loops over pairs. A chunk of targets meets all sources, tile by tile, so that every target of the chunk reads the
 * tile from the first-level cache.
 *
 * A unit of the phase `pairs` is as many targets as the inner loop takes at a time. A call takes a chunk of units.
 *
 * @module
 */
import { value, write } from '../language/kernel.ts'
import { defineMark, type MarkOptions, maskBytes, startCursors } from '../parts/marks.ts'
import { bytesOf } from '../parts/points.ts'
import { targetRegisters } from '../parts/target-registers.ts'
import { defineTile, type PassOptions } from '../parts/tile.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'

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
export function chunkOf({ writer, fold, registers }: PassOptions): {
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
  const sourceBytes = bytesOf(writer, options.sources)

  writer.phase('pairs', (code, { block, scratch, first, last }) => {
    const slot = (name: string) => writer.slot(code, block, name)
    const [targets, sources, count] = [slot('targets'), slot('sources'), slot('sourceCount')]
    const sourceFirst = slot('sourceFirst')
    const registersOf = targetRegisters(options, code, block)
    const cursors = (code: FunctionBuilder, unit: Node) => value(code)`
      ${scratch} + ${cursorsAt} + (${unit} - ${first}) * ${unitTargets * 4}`
    const start = (code: FunctionBuilder, unit: Node, state: Node) => {
      for (const { register } of registersOf(unit, state)) fold.start(code, register)
      if (options.exclusions)
        startCursors(mark, code, { block, cursors: cursors(code, unit), first: value(code)`${unit} * ${unitTargets}` })
    }
    const finish = (code: FunctionBuilder, unit: Node, state: Node) => {
      for (const { register, scale } of registersOf(unit, state)) fold.finish(code, register, scale())
    }
    const meet = (code: FunctionBuilder, unit: Node, state: Node, tile: Node, inTile: Node, from: Node, to: Node) => {
      const target = value(code)`${targets} + ${unit} * ${registers * bytesOf(writer, options.targets)}`
      const [number, spare] = [value(code)`${sourceFirst} + ${tile}`, value(code)`${scratch} + ${tileAt}`]
      const meetPlain = (code: FunctionBuilder) => write(code)`
        ${plain}(${block}, ${target}, ${state}, ${from}, ${to}, ${number}, ${spare})`
      if (!withMask || !marks) return meetPlain(code)
      const mask = value(code)`${scratch} + ${maskAt}`
      write(code)`
        if ${marks}(${block}, ${cursors}(${unit}), ${unit} * ${unitTargets}, ${tile}, ${inTile}, ${mask}) {
          ${withMask}(${block}, ${target}, ${state}, ${from}, ${to}, ${number}, ${spare}, ${mask})
        } else { ${meetPlain}() }`
    }
    write(code)`
      for unit in ${first}..${last} {
        let state = ${scratch} + (unit - ${first}) * ${unitState}
        ${start}(unit, state)
      }
      for tile in 0..${count} step ${writer.tile} {
        let left = ${count} - tile
        let inTile = min(left, ${writer.tile})
        let from = ${sources} + tile * ${sourceBytes}
        let to = from + inTile * ${sourceBytes}
        for unit in ${first}..${last} {
          let state = ${scratch} + (unit - ${first}) * ${unitState}
          ${meet}(unit, state, tile, inTile, from, to)
        }
      }
      for unit in ${first}..${last} {
        let state = ${scratch} + (unit - ${first}) * ${unitState}
        ${finish}(unit, state)
      }`
  })
  return { unitTargets, callUnits, scratchBytes: tileAt + registers * fold.tileBytes }
}
