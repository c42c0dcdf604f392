/**
 * The design of a workload, as plain data that survives JSON: the texts of its passes, the arrays and numbers that they read,
 * and the name of the driver that runs them. The compiling half makes designs, `text.ts` prints them, and the running half
 * compiles and runs them.
 *
 * @module
 */

import type { Report } from '@manybody/core'
import type { Guard, GuardRule, NamedTape } from '@manybody/core/backend'
import type { FoldState } from './fold-state.ts'
import type { PassSource } from './pass.ts'

/** The place of a result among the numbers that a pass writes for each element, and whether the largest numbers stand for infinity. */
export type ResultPlace = readonly [offset: number, components: number, unbounded?: boolean]

/** The loops of this backend read their sources from textures. */
export const loopVariant = 'texture-loop'

/** The attributes that are read besides `position`, in the order of their textures. */
interface AttributesRead {
  readonly targets: readonly string[]
  readonly sources: readonly string[]
}

interface DesignOf<Driver extends string, Passes extends readonly PassSource[]> {
  readonly driver: Driver
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** The passes in running order. */
  readonly passes: Passes
  /** Values that depend on the parameters of a run alone. The host computes them in float64, in order. */
  readonly run: NamedTape
  /** The results that can stay on the device, by name. */
  readonly resident: Readonly<Record<string, ResultPlace>>
}

type PackAndLoop = readonly [pack: PassSource, loop: PassSource]

/** Packs the sources, then folds one slice of them after another into the state of every target. */
export interface PairDesign extends DesignOf<'pair', PackAndLoop> {
  readonly attributes: AttributesRead
  readonly state: FoldState
}

/** Packs the sources, then writes one block of rows after another. */
export interface MatrixDesign extends DesignOf<'matrix', PackAndLoop> {
  readonly attributes: AttributesRead
  /** Rows that one pass writes. */
  readonly rows: number
  /** Numbers in a row: whole texels. */
  readonly stride: number
}

/** One pass that visits each element once. Its results are all in `resident`. */
export interface ElementDesign extends DesignOf<'element', readonly [PassSource]> {
  /** Arrays to bind, in the order of textures `array0, array1, ...`. */
  readonly arrays: readonly string[]
  /** How many of them, at the end, are arrays of the sources. */
  readonly gathered: number
  /** Parameters that come from the workload itself, such as those of its grid. */
  readonly parameters: Readonly<Record<string, number>>
}

/** A kernel that gpu.js makes from JavaScript, with whole arrays as arguments. */
export interface NaiveDesign extends DesignOf<'naive', readonly []> {
  readonly attributes: AttributesRead
  /** The kernel as JavaScript for gpu.js. */
  readonly source: string
  readonly result: string
}

export type ProgramDesign = PairDesign | MatrixDesign | ElementDesign | NaiveDesign

/** The designs of a workload: one for each guard against coincident points that a run may need, with the same driver. */
export interface GuardedDesigns {
  readonly rule: GuardRule
  readonly of: (guard: Guard) => ProgramDesign
}
