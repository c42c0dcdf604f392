/**
 * How lists read the coordinates of points: where they are, and four sources at a time, as float32.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node } from '../wasm/nodes.ts'
import { float32 } from '../wasm/vector.ts'

/** Where the coordinates of points are: bytes of a point or of a register of points, and the offsets in them. */
export interface StoredCoordinates {
  readonly bytes: number
  readonly axes: readonly number[]
  /** The sizes of points as targets and as sources, if the search goes by sizes and the side has them. */
  readonly asTarget: number
  readonly asSource: number
}

export interface CoordinateOptions {
  readonly writer: ModuleWriter
  /** Coordinates of targets are registers. */
  readonly targets: StoredCoordinates
  /** Coordinates of sources are single numbers. */
  readonly sources: StoredCoordinates
  /** Whether targets and sources are one set. */
  readonly sameSet: boolean
}

/** Four numbers as float32. */
export const numbersOf = (_: FunctionBuilder, halves: readonly Node[]): Node =>
  halves.length === 1 ? (halves[0] as Node) : float32.narrowed(halves)

/** The coordinates and sizes of four sources, in one register or in two halves. */
export interface FourSources {
  /** The address of the sources from a place on. */
  readonly addressOf: (code: FunctionBuilder, place: Node) => Node
  /** Loads the coordinates of a half along an axis, from that address. */
  readonly load: (code: FunctionBuilder, from: Node, axis: number, half: number) => Node
  readonly sizes: (code: FunctionBuilder, from: Node, half: number) => Node
}

/** Writes how to load four sources from a place on. */
export function fourSources(
  code: FunctionBuilder,
  block: Node,
  { writer, targets, sources, sameSet }: CoordinateOptions,
): FourSources {
  const { vector } = writer
  const { lanes } = vector
  if (sameSet) {
    // Targets are in registers, which have the places of the sources.
    const base = writer.slot(code, block, 'targets')
    const { bytes, axes, asSource } = targets
    const load = (from: Node, half: number, offset: number) => at('v128.load', half * bytes + offset, from)
    return {
      addressOf: (code, place) => value(code)`${base} + ${place} / ${lanes} * ${bytes}`,
      load: (_, from, axis, half) => load(from, half, axes[axis] as number),
      sizes: (_, from, half) => load(from, half, asSource),
    }
  }
  const base = writer.slot(code, block, 'sources')
  const { bytes, axes, asSource } = sources
  const load = (code: FunctionBuilder, from: Node, half: number, offset: number) =>
    Array.from({ length: lanes }, (_, lane) => lane).reduce(
      (register, lane) => vector.loadLane(lane, (half * lanes + lane) * bytes + offset, from, register),
      code.constant('i32x4', 0),
    )
  return {
    addressOf: (code, place) => value(code)`${base} + ${place} * ${bytes}`,
    load: (code, from, axis, half) => load(code, from, half, axes[axis] as number),
    sizes: (code, from, half) => load(code, from, half, asSource),
  }
}
