/**
 * The interface between folds and the pair loop: how a register of targets takes in its terms, tile by tile.
 *
 * A fold keeps its state in locals within a tile, and in memory between tiles. Each fold has a file in this folder.
 *
 * @module
 */
import type { ResultLayout } from '../../design/design.ts'
import type { ModuleWriter } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

/**
 * Writes `write(k, components)` for parts of a vector of some length: the numbers of its components after `k`, which is in bytes of a number, and their
 * values in each lane.
 */
export type EachComponent = (
  code: FunctionBuilder,
  length: number,
  write: (k: Node | undefined, components: readonly (readonly [n: number, value: Node])[]) => void,
) => void

/** The pairs of one register of targets with one source. */
export interface PairTerms {
  readonly terms: readonly Node[]
  /** The components of a term that is a vector. */
  readonly components?: EachComponent
  /** The term that the source receives if each pair is visited once. A radial term is subtracted from the source. */
  readonly reaction: readonly Node[]
  /** Marks the lanes that count in this pair; undefined if all lanes count. */
  readonly condition: Node | undefined
  /** The index of the source, as an integer. */
  readonly index: Node
}

/** The part of a fold within one tile. */
export interface TileFold {
  /** Adds a pair, in the loop over sources. */
  add(pair: PairTerms): void
  /** Saves the state after the loop. */
  end(): void
}

/** The addresses of the state and the results of one register of targets. */
export interface TargetRegister {
  readonly state: Node
  /** The index of the first lane's target among the targets of the run. */
  readonly target: Node
  /** Number of targets from that one to the last. */
  readonly remaining: Node
  /** The address of a result array. */
  readonly result: (name: string) => Node
  /** Whether the result arrays contain earlier results to continue from. */
  readonly merge: Node
  /** Address of the number of entries before the list of each target; 0 without lists. */
  readonly starts: Node
}

export interface Fold {
  /** Whether a pair that does not count can be added as a term of 0. Otherwise the fold must read the condition. */
  readonly additive: boolean
  readonly results: readonly ResultLayout[]
  /** Bytes of state for a register of targets. */
  readonly stateBytes: number
  /** Bytes of scratch that a tile needs for a register of targets. */
  readonly tileBytes: number
  /** Sets up the state; it may start from earlier results. */
  start(code: FunctionBuilder, register: TargetRegister): void
  /** Between tiles: adds a number of sources that count for every target of a register. Only folds that read no term have it. */
  whole?(code: FunctionBuilder, state: Node, sources: Node): void
  /** Between tiles, if all targets keep sources at distance 0: the greatest index of a source that could still replace one. */
  lastIndex?(code: FunctionBuilder, state: Node): Node
  /** Starts a tile for one register of targets. */
  tile(code: FunctionBuilder, state: Node, scratch: Node): TileFold
  /** Writes the results; `scale` is the common factor of all terms of a sum. */
  finish(code: FunctionBuilder, register: TargetRegister, scale: Node | undefined): void
}

/** Whether sources are visited in ascending order, which keeps the first of equal terms, or in any order. */
export type SourceOrder = 'ascending' | 'any'

/** Makes a fold for a module, for terms with this number of components. */
export type FoldOf = (writer: ModuleWriter, components: number) => Fold

/** The greatest of some indices. */
export const greatest = (code: FunctionBuilder, indices: readonly Node[]): Node =>
  indices
    .map((index) => code.let('i32', 'index', index))
    .reduce(
      (a, b) => value(code)`
        let greatest = max(${a}, ${b})
        greatest`,
    )

/** Loads consecutive 32-bit integers into lanes of the vector's width. */
export const loadIntegers =
  ({ bytes }: Vector) =>
  (code: FunctionBuilder, address: Node): Node =>
    value(code)`
    const at = ${address}
    ${bytes === 4} ? v128[at] : i64x2.extend_low_i32x4_s(v128.load64_zero[at])`

/** The lanes of a mask that count. */
export const counting =
  (condition: Node | undefined) =>
  (code: FunctionBuilder, mask: Node): Node =>
    condition ? value(code)`${mask} as v128 & ${condition} as v128` : mask

/** The term of a pair, with another number in lanes that do not count. */
export function termOr(
  code: FunctionBuilder,
  vector: Vector,
  other: number,
  { terms: [term], condition }: PairTerms,
): Node | undefined {
  if (term === undefined || condition === undefined) return term
  return value(code)`
    lanes real = ${vector.type}
    v128.bitselect(${term}, real(${other}), ${condition})`
}
