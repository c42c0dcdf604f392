/**
 * The contents of a file for this backend: the shaders of a workload, each once, and the designs that use them by their
 * numbers. Types only.
 *
 * Most lines of a shader occur in other shaders, too, and many times in an unrolled loop. So a text is the numbers of its
 * lines. Lines follow each other as they did in an earlier shader, so the numbers are written as runs.
 *
 * @module
 */

import type {
  ElementDesign,
  ElementVersion,
  MatrixDesign,
  MatrixVersion,
  OnceVersion,
  PairVersion,
  VectorDesign,
  VectorVersion,
} from '../design/design.ts'
import type { Shader } from '../design/shader.ts'
import type { Versions } from '../design/versions.ts'
import type { OnceFacts } from '../plans/once-plan.ts'
import type { NearFacts } from './near-choice.ts'
import type { BlocksLoop, BlocksVersion, PairLoops } from './pair-loops.ts'

export interface CompiledWebGpu {
  /** The lines of all shaders, each once. */
  readonly lines: readonly string[]
  readonly shaders: readonly FiledShader[]
  /** One entry for each form of the numbers of a run. */
  readonly forms: readonly FiledForm[]
}

/** A shader with its text as runs of lines, one after the other: the number of the first line of a run, and how many lines it has. */
export type FiledShader = Omit<Shader, 'code'> & { readonly code: readonly number[] }

/** A version or design, with the numbers of its shaders in their place. */
export type Filed<T extends { readonly shaders: object }> = Omit<T, 'shaders'> & {
  readonly shaders: { readonly [Name in keyof T['shaders']]: number }
}

export type FiledDesign = (
  | Omit<ElementDesign, 'versions'>
  | Omit<MatrixDesign, 'versions'>
  | Omit<VectorDesign, 'versions'>
) & {
  readonly versions: Versions<Filed<ElementVersion | MatrixVersion | VectorVersion>>
}

export interface FiledForm {
  /** Whether coordinates are in two parts, and lengths in another unit, as in a shape. */
  readonly split: boolean
  readonly scaled: boolean
  /** The design of a map, a stencil, a matrix or a vector, which has one loop. */
  readonly design?: FiledDesign
  /** The loops of a pair workload that folds its terms. */
  readonly loops?: FiledLoops
}

export interface FiledLoops extends Pick<PairLoops, 'law' | 'guard' | 'inputs' | 'results'> {
  /** The loops over all pairs, by the keys of plans (`loopKey`). */
  readonly pair: Readonly<Record<string, Versions<Filed<PairVersion>>>>
  /** Present if each pair may be met once. */
  readonly once?: FiledOnce
  /** Present if blocks of near points may be faster. */
  readonly near?: FiledNear
}

export interface FiledOnce {
  readonly facts: OnceFacts
  /** The versions by the keys of plans (`onceKey`). */
  readonly versions: Readonly<Record<string, Versions<Filed<OnceVersion>>>>
}

export interface FiledNear {
  readonly facts: NearFacts
  /** The number of the shader that lets a device choose. */
  readonly chooser: number
  /** The loops over blocks, by the number of levels of the tree over them. */
  readonly loops: Readonly<Record<string, FiledBlocks>>
  /** The loops over cells, by the number of targets of a workgroup. */
  readonly cells: Readonly<Record<string, FiledBlocks>>
}

export type FiledBlocks = Omit<BlocksLoop, 'versions' | 'design'> & {
  readonly versions: Versions<Filed<BlocksVersion>>
}
