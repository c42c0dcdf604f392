/**
 * A compiled workload as plain data: shaders, the arrays that they bind, and the numbers from which a driver makes the steps
 * of each run. It survives `structuredClone` and JSON, and needs neither a device nor a formula.
 *
 * @module
 */
import type { Report, Shape } from '@manybody/core'
import type { ElementBody, GuardRule } from '@manybody/core/backend'
import type { Binding } from '@manybody/core/expression'
import type { Shader } from '../wgsl/shader.ts'
import type { Versions } from './versions.ts'

/** Values of a uniform block, by the names of its fields. */
export type Values = Readonly<Record<string, number>>

/** Workgroups along each axis. */
export type Size = readonly [x: number, y: number, z: number]

/** A result: `width` numbers for each target, except in lists and matrices. */
export interface ResultRule {
  readonly name: string
  readonly type: 'f32' | 'u32' | 'i32'
  readonly width: number
  /** The largest possible number, if the result consists of integers; by default the number of sources. */
  readonly most?: number
}

/** The shaders for one guard, in the order in which they run, and the values of a run that formulas give. */
interface Version {
  readonly shaders: Readonly<Record<string, Shader>>
  /** Computed once per run, from its parameters. */
  readonly run: readonly Binding[]
}

interface Designed<Driver extends string, V extends Version> {
  /** The module of `drivers/` that makes its steps. */
  readonly driver: Driver
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /** Number of points on which this must agree with the plain loop before the model may choose it, if it needs a proof. */
  readonly proof?: number
  /** Keys of the arrays that it reads. */
  readonly inputs: readonly string[]
  readonly results: readonly ResultRule[]
  readonly guard: GuardRule
  readonly versions: Versions<V>
  /** Present if the loop fills lists: what runs before it and after it. */
  readonly lists?: ListShaders
  /** If this loop computes only whole runs: the design of runs over ranges, and of those that continue earlier results. */
  readonly inParts?: DesignData
}

export interface ListShaders {
  readonly clear: Shader
  readonly sort: Shader
}

export interface ElementVersion extends Version {
  readonly shaders: { readonly loop: Shader }
  /** Parameters that runs do not give. */
  readonly known: Values
  /** Workgroups of every run; without it, each invocation has one of the elements of a run. */
  readonly size?: Size
}

/** Maps, cell indices and stencils: a loop over elements. */
export interface ElementDesign extends Designed<'element', ElementVersion> {
  /** Present if each point reads only numbers of its own: then one shader may run several of these in order. */
  readonly map?: DesignedMap
}

export interface DesignedMap {
  readonly body: ElementBody
  readonly shape: Pick<Shape, 'dimension' | 'vectors'>
  readonly workgroup: number
}

export interface MatrixVersion extends Version {
  readonly shaders: { readonly loop: Shader }
}

/** A matrix: a row for each target. */
export interface MatrixDesign extends Designed<'matrix', MatrixVersion> {
  /** The most bytes of an array. */
  readonly arrayBytes: number
  readonly rowsPerGroup: number
  readonly columnsPerGroup: number
}

export type DesignData = ElementDesign | MatrixDesign
