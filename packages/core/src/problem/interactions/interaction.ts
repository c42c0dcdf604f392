/**
 * An interaction is a law for one pair of points: expressions and the parameters they read. Plain frozen data.
 *
 * This file defines the data. `define.ts` makes interactions from text, and `quantity.ts` derives forces and other quantities.
 *
 * @module
 */
import type { Functions } from '../../ground/curves.ts'
import { lowNames } from '../../ground/names.ts'
import type { Tables } from '../../ground/table.ts'

/** The meaning of the expressions: an energy, a force, or any other term. */
export type InteractionKind = 'potential' | 'force' | 'term'

/** A law with its parameters set. Survives `JSON.stringify`; any engine can run it. */
export interface Interaction {
  readonly name: string
  readonly kind: InteractionKind
  /**
   * Expression text by role:
   * - potential: `energy`, the energy u of the pair;
   * - force: `radial`, the force on the target divided by the displacement (positive attracts), or `x`, `y` (, `z`);
   * - term: `value`, or one entry per component, in order.
   */
  readonly expressions: Readonly<Record<string, string>>
  /** Values of the parameters, which are the same for all pairs. */
  readonly parameters: Readonly<Record<string, number>>
  /** Values of the parameters that are vectors. `tables` has their numbers, too. Absent if there are none. */
  readonly vectors?: Readonly<Record<string, readonly number[]>>
  /** Numbers by the kinds of points, which expressions read as `epsilon[kind_i, kind_j]`. Absent if the law has no tables. */
  readonly tables?: Tables
  /** Tabulated functions of the distance, which expressions read as `u(r)`. `tables` has their numbers, too. Absent if there are none. */
  readonly functions?: Functions
  /** Lowest allowed values of the parameters that have one. */
  readonly minimum?: Readonly<Partial<Record<string, number>>>
  /** The attribute that turns force into acceleration, if the law has one. */
  readonly inertia?: string
  /** Whether the force on the source is minus the force on the target (for a term: whether exchange leaves it unchanged). */
  readonly symmetric: boolean
}

/** A range for each symbol of a law, in the law's units. Tests sample the law there. */
export type Sampling = Readonly<Record<string, readonly [from: number, to: number]>>

/** The value of a parameter: a number, or a list of them for a vector. */
export type ParameterInput = number | ArrayLike<number>

/** A law: call it with parameter values to get an {@link Interaction}. */
export interface Law<Parameter extends string = string> {
  (parameters?: Readonly<Partial<Record<Parameter, ParameterInput>>>): Interaction
  readonly law: string
  /** Default values of the parameters that are numbers; one without a default must be given. */
  readonly defaults: Readonly<Partial<Record<Parameter, number>>>
  readonly sampling: Sampling
}

/** Names with a fixed meaning in every pair expression. */
export const pairNames: readonly string[] = ['dx', 'dy', 'dz', 'r', 'r2']

/** Names that the domain of a workload binds. No law may use them. */
export const domainNames: readonly string[] = [
  ...['cutoff', 'switchDistance', 'boxX', 'boxY', 'boxZ'],
  // Of a triclinic box: see `cell.ts`.
  ...['cellXX', 'cellXY', 'cellXZ', 'cellYY', 'cellYZ', 'cellZZ'],
  // Bound in runs with numbers beyond float32: see `split.ts` and `units.ts`.
  ...['lengthUnit', 'lowestNumber', 'boxLowX', 'boxLowY', 'boxLowZ'],
  ...lowNames.flatMap((name) => [`${name}_i`, `${name}_j`]),
]

/** Names that pair loops give to coordinates and to a guarded `r2`. No law may use them. */
export const loopNames: readonly string[] = ['xi', 'yi', 'zi', 'xj', 'yj', 'zj', 'safeR2']

/** Names with another meaning among the arrays of a set of points. No attribute may have them. */
export const setNames: readonly string[] = ['position', 'dimension']
