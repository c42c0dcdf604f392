/**
 * The steps of a block of targets in a loop by blocks: it starts, meets neighbour lists, and finishes.
 *
 * @module
 */

import { blockPoints } from '@manybody/core/backend'
import type { PairBody } from '@manybody/core/expression'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Callable, call, type Node, plus, times } from '../wasm/nodes.ts'
import { bytesOf } from './points.ts'
import { targetRegisters } from './target-registers.ts'
import type { PassOptions } from './tile.ts'

export interface BlockPassOptions extends PassOptions {
  readonly periodic: boolean
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
  /** In a periodic box: the same body for pairs that need no images. */
  readonly direct: PairBody | undefined
  /** If targets keep the nearest sources: the power of the distance that they keep. */
  readonly kept: 1 | 2 | undefined
  /** Whether pairs of targets of one unit are met once: the body has a reaction. */
  readonly once: boolean
  /** A node of the targets' tree with at most this many blocks lies in one unit as a whole. */
  readonly unitBlocks: number
  /** Whether the design has Verlet lists, which a sequence reuses for several rounds. */
  readonly lasts?: boolean | undefined
}

/** The addresses of the parts of scratch: states of a unit's blocks, then the rest. */
export interface ScratchAddresses {
  readonly list: number
  readonly mask: number
  readonly tile: number
  /** The terms that sources in the unit receive where pairs are met once. */
  readonly reaction: number
  /** The frame of a walk and its lists: the sources near the blocks of a group, or the nearest sources. */
  readonly walk: number
}

/** The functions that meet a tile. */
export interface Tiles {
  readonly plain: Callable
  readonly masked: Callable | undefined
  readonly marks: Callable | undefined
}

/** Bytes of the states of a block. */
export const blockState = ({ writer, fold }: BlockPassOptions): number =>
  (blockPoints / writer.vector.lanes) * fold.stateBytes

/** The first place of a unit, and the place after its last. */
export function placesOfUnit(code: FunctionBuilder, starts: Node, unit: Node): readonly [from: Node, to: Node] {
  const start = plus(starts, times(unit, 4))
  return [code.let('i32', 'unitFrom', at('i32.load', 0, start)), code.let('i32', 'unitTo', at('i32.load', 4, start))]
}

/** Writes a step of a block, or of a piece of it, given its number and the address of its state. */
export type BlockStep = (code: FunctionBuilder, number: Node, state: Node) => void

/** Writes how a block, or a piece of it, meets the sources in a list. */
type MeetList = (code: FunctionBuilder, number: Node, state: Node, list: Node, end: Node) => void

/** The steps of a block of targets. */
export interface TargetBlock {
  readonly start: BlockStep
  readonly finish: BlockStep
  /** Meets the sources in a list, which is not empty. */
  readonly meet: (tiles: Tiles) => MeetList
  /** Meets a list with one piece of a block: the targets that a tile takes in one call. */
  readonly meetPiece: (tiles: Tiles) => MeetList
  /**
   * Meets a list with one piece of a block, and adds the reactions of the sources. `reaction` is the address for the source at
   * place 0.
   */
  readonly meetPieceBoth: (both: Callable, reaction: Node) => MeetList
  /** Runs `write` for each piece of a block. */
  readonly eachPiece: (code: FunctionBuilder, number: Node, state: Node, write: BlockStep) => void
}

/** Number of pieces of a block. */
export const piecesOf = ({ writer, registers }: Pick<PassOptions, 'writer' | 'registers'>): number =>
  blockPoints / (registers * writer.vector.lanes)

export function targetBlock(
  options: PassOptions,
  code: FunctionBuilder,
  block: Node,
  scratch: Node,
  parts: Pick<ScratchAddresses, 'mask' | 'tile'>,
): TargetBlock {
  const { writer, fold, registers } = options
  const slot = (name: string) => writer.slot(code, block, name)
  const [targets, sources, order] = [
    slot('targets'),
    slot(options.sources.laneAt ? 'targets' : 'sources'),
    slot('sourceOrder'),
  ]
  const registersOf = targetRegisters(options, code, block)
  const pieceTargets = registers * writer.vector.lanes
  const pieces = Array.from({ length: piecesOf(options) }, (_, n) => n)
  const targetOf = (piece: Node) => plus(targets, times(piece, registers * bytesOf(writer, options.targets)))
  const eachPiece: TargetBlock['eachPiece'] = (code, number, state, write) => {
    for (const n of pieces)
      write(
        code,
        code.let('i32', 'piece', plus(times(number, pieces.length), n)),
        plus(state, n * registers * fold.stateBytes),
      )
  }
  type Register = ReturnType<typeof registersOf>[number]
  const eachRegister =
    (write: (code: FunctionBuilder, of: Register) => void): BlockStep =>
    (code, number, state) =>
      eachPiece(code, number, state, (code, piece, pieceState) => {
        for (const register of registersOf(piece, pieceState)) write(code, register)
      })
  const meetPiece =
    ({ plain, masked, marks }: Tiles): MeetList =>
    (code, piece, state, list, end) => {
      const rest = [block, targetOf(piece), state, sources, end, order, plus(scratch, parts.tile)]
      const meetPlain = () => code.emit(call(plain, ...rest, list))
      if (!marks || !masked) return meetPlain()
      const mask = plus(scratch, parts.mask)
      code.if(
        call(marks, block, times(piece, pieceTargets), list, end, mask),
        () => code.emit(call(masked, ...rest, mask, list)),
        meetPlain,
      )
    }
  return {
    start: eachRegister((code, { register }) => fold.start(code, register)),
    finish: eachRegister((code, { register, scale }) => fold.finish(code, register, scale())),
    meet: (tiles) => (code, number, state, list, end) =>
      eachPiece(code, number, state, (code, piece, pieceState) => meetPiece(tiles)(code, piece, pieceState, list, end)),
    meetPiece,
    meetPieceBoth: (both, reaction) => (code, piece, state, list, end) => {
      const tile = plus(scratch, parts.tile)
      code.emit(call(both, block, targetOf(piece), state, sources, end, reaction, tile, list))
    },
    eachPiece,
  }
}
