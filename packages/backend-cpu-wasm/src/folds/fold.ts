/**
 * What a fold is to the pair loop: how the terms of a register of targets are taken in, tile by tile.
 *
 * A fold keeps its state in memory between tiles and in locals within one. Each reduction is one file beside this one.
 *
 * @module
 */
import type { ModuleWriter } from '../expressions/module-writer.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { Local, Node } from '../wasm/nodes.ts'

/** One result array: how many entries a target has, and of what type. */
export interface ResultLayout {
  readonly name: string
  readonly entries: number
  readonly type: 'number' | 'i32' | 'u32'
  /** What stands there while nothing has counted. */
  readonly empty: number
}

/** A pair of one register of targets with one source. */
export interface PairTerms {
  readonly terms: readonly Node[]
  /** What the source receives, if each pair is visited once; of a radial term, to be taken from it. */
  readonly reaction: readonly Node[]
  /** Where the pair counts; undefined: in every lane. */
  readonly condition: Node | undefined
  /** The index of the source, as a whole number. */
  readonly index: Node
}

/** The part of a fold that is in one tile. */
export interface TileFold {
  /** In the loop over sources. */
  add(pair: PairTerms): void
  /** What the loop adds up, component by component. */
  readonly totals?: readonly Local[]
  /** After it: back to memory; from where the totals have been stored meanwhile, if they have. */
  end(stored?: (component: number) => Node): void
}

/** One register of targets: where its state and its results are. */
export interface TargetRegister {
  readonly state: Node
  /** The number of the first lane's target among the targets of the run. */
  readonly target: Node
  /** Targets from there on. */
  readonly remaining: Node
  /** The address of a result array. */
  readonly result: (name: string) => Node
  /** Whether the result arrays hold earlier results to go on from. */
  readonly merge: Node
}

export interface Fold {
  /** Whether a pair that does not count may be taken in as a term of 0; else the fold looks at the condition. */
  readonly additive: boolean
  readonly results: readonly ResultLayout[]
  /** Bytes of state for a register of targets. */
  readonly stateBytes: number
  /** Bytes of scratch that a tile needs for a register of targets. */
  readonly tileBytes: number
  /** Sets up the state; it may start from earlier results. */
  start(f: FunctionBuilder, register: TargetRegister): void
  /** Begins a tile for one register of its targets. */
  tile(f: FunctionBuilder, state: Node, scratch: Node): TileFold
  /** Writes the results; `scale` is the factor that was taken out of the sum. */
  finish(f: FunctionBuilder, register: TargetRegister, scale: Node | undefined): void
}

/** Whether sources are met by ascending index, so that of equal terms the first is kept, or in any order. */
export type SourceOrder = 'ascending' | 'any'

/** Makes a fold for a module, given the number of components of a term. */
export type FoldOf = (writer: ModuleWriter, components: number) => Fold
