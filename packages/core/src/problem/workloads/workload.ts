/**
 * A workload: a computation as plain frozen data. It has an interaction, a loop over pairs, a reduction of the terms, and a
 * domain. Types only; `pair.ts`, `particle.ts` and `grid.ts` make workloads.
 *
 * @module
 */

import type { Floats, Precision } from '../../ground/precision.ts'
import type { Interaction } from '../interactions/interaction.ts'
import type { Fast } from '../reductions/fast.ts'
import type { Mesh } from '../reductions/mesh.ts'
import type { Reduction } from '../reductions/table.ts'
import type { Tree } from '../reductions/tree.ts'
import type { Domain } from './domain.ts'

export type { ArrayResults } from '../reductions/rule.ts'
export type { ReduceOperation, Reduction } from '../reductions/table.ts'

/** The quantity evaluated for a pair. `virial` is `-F . d` per pair; half its total is the virial. */
export type Quantity = 'term' | 'potential' | 'force' | 'acceleration' | 'virial'

/** A loop over pairs: for each target, terms over sources, folded by a reduction (`none` keeps them all: a matrix). */
export interface PairWorkload<Name extends string = string> {
  readonly loop: 'pair'
  readonly results: readonly Name[]
  readonly law: Interaction
  readonly quantity: Quantity
  readonly reduction: Reduction
  /** How many are kept by `smallest` or `least`. */
  readonly k?: number
  /** The largest term that `count` counts; absent if it counts by distance. */
  readonly limit?: number
  /** Whether results are added up over targets, in float64, into one number. Pairs of one set then count once. */
  readonly total: boolean
  readonly domain: Domain
  /** How a sum may be approximated. Devices get workloads without it. */
  readonly method?: Method
}

/** How a sum may be approximated. */
export type Method = Tree | Mesh | Fast

/** A loop over points: each output from the point's own attributes, component by component. */
export interface MapWorkload<Name extends string = string> {
  readonly loop: 'particle'
  readonly operation: 'map'
  readonly results: readonly Name[]
  /** One expression for each output, or one per component. */
  readonly outputs: Readonly<Record<Name, string | readonly string[]>>
  readonly parameters: Readonly<Record<string, number>>
  /**
   * Values that are read from points of the source set, by name. Core makes such maps for stages of sequences. No output is written to
   * an array that values are gathered from.
   */
  readonly gather?: Readonly<Record<string, Gathered>>
}

/** The value of another point: a number of the sources' array `of`, at the index in the point's attribute `at`. */
export interface Gathered {
  readonly of: string
  readonly at: string
}

/** A loop over points that returns the grid cell of each. */
export interface CellIndexWorkload<Name extends string = string> {
  readonly loop: 'particle'
  readonly operation: 'cellIndex'
  readonly results: readonly Name[]
  readonly grid: Grid
}

/** A loop over grid cells: each output from a cell and its six (in 2-D four) neighbours. */
export interface StencilWorkload<Name extends string = string> {
  readonly loop: 'grid'
  readonly results: readonly Name[]
  readonly outputs: Readonly<Record<Name, string | readonly string[]>>
  readonly parameters: Readonly<Record<string, number>>
  readonly grid: Grid
}

export type Workload<Name extends string = string> =
  | PairWorkload<Name>
  | MapWorkload<Name>
  | CellIndexWorkload<Name>
  | StencilWorkload<Name>

/** A regular grid of cells; x varies fastest: `cell = ix + nx*(iy + ny*iz)`. */
export interface Grid {
  /** Cells along each axis: two entries in 2-D, three in 3-D. */
  readonly cells: readonly number[]
  /** Edge lengths of a cell, in the unit of positions. */
  readonly spacing: readonly number[]
  /** The corner of cell 0. */
  readonly origin: readonly number[]
  /** The cells beyond an edge: the opposite side, or the edge cell again. */
  readonly edges: 'periodic' | 'clamp'
}

export type Dimension = 1 | 2 | 3

/** Everything about the data that a program is compiled for. */
export interface Shape {
  readonly dimension: Dimension
  /** The number of points that receive; for a grid, of its cells. */
  readonly targets: number
  /** The number of points that exert. */
  readonly sources: number
  /** Whether targets and sources are one set. A point can then meet itself. */
  readonly sameSet: boolean
  /** Components of each bound array that has more than one: 'position', 'velocity'. */
  readonly vectors: readonly string[]
  /** Pair loops: the number of components of each attribute that the law reads as a vector. Absent if there are none. */
  readonly lengths?: Readonly<Record<string, number>>
  /** Pair loops: whether each coordinate is split into two floats (see `device-numbers.ts`). */
  readonly split?: true
  /** Pair loops: whether the law is computed in another unit of length (see `units.ts`). */
  readonly scaled?: true
  /** Pair loops: whether blocks of targets meet only the sources in ranges, which are bound with each run. */
  readonly ranged?: true
}

/** The types of integer results. All other results are {@link Floats}. */
interface ResultTypes {
  /** The source of the extreme term, the source of each neighbour, or the cell; -1 if there is none. */
  readonly index: Int32Array
  readonly offsets: Uint32Array
  readonly count: Uint32Array
  readonly energy: number
  readonly virial: number
}

export type ResultOf<Name extends string, P extends Precision = 'f32'> = Name extends keyof ResultTypes
  ? ResultTypes[Name]
  : Floats<P>

/** The results of a workload by name, in the precision of an engine. */
export type Results<Name extends string = string, P extends Precision = 'f32'> = {
  readonly [N in Name]: ResultOf<N, P>
}
