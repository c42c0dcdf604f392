/**
 * A compiled workload as plain data: shaders, the arrays that they bind, and the numbers for making the steps of each run. It
 * survives `structuredClone` and JSON, and needs neither a device nor a formula.
 *
 * @module
 */

import type { Report } from '@manybody/core'
import type { GuardRule, NamedTape } from '@manybody/core/backend'
import type { ReachRule } from '@manybody/core/near'
import type { DesignedMap } from './map.ts'
import type { Shader } from './shader.ts'
import type { BoxSpace } from './space.ts'
import type { Size } from './spread.ts'
import { type Versions, versionFor } from './versions.ts'

export type ProgramDesign =
  | ElementDesign
  | MatrixDesign
  | VectorDesign
  | PairDesign
  | OnceDesign
  | BlocksDesign
  | CellsDesign
  | VerletDesign
  | TreeDesign
export type VersionOf<D extends ProgramDesign> = NonNullable<D['versions'][keyof D['versions']]>
export type AnyVersion = VersionOf<ProgramDesign>

/** The shaders in running order. @param version the version for the parameters of a run; by default, of the workload */
export function shadersOf(design: ProgramDesign, version: AnyVersion = versionFor(design)): readonly Shader[] {
  const { lists } = design
  const shaders: readonly Shader[] = Object.values(version.shaders)
  return lists ? [...(lists.clear ? [lists.clear] : []), ...shaders, lists.sort] : shaders
}

/** Values of a uniform block, by the names of its fields. */
export type FieldValues = Readonly<Record<string, number>>

/** A result: `width` numbers for each target, except in lists and matrices. */
export interface ResultRule {
  readonly name: string
  readonly type: 'f32' | 'u32' | 'i32'
  readonly width: number
  /** The largest possible number, if the result consists of integers; by default the number of sources. */
  readonly most?: number
}

/** The shaders for one guard in running order, and the values of a run that formulas give. */
interface Version {
  readonly shaders: Readonly<Record<string, Shader>>
  /** Computed once per run, from its parameters. */
  readonly run: NamedTape
}

interface Designed<Driver extends string, V extends Version> {
  /** The module of `drivers/` that makes its steps. */
  readonly driver: Driver
  readonly variant: string
  readonly accumulation: Report['accumulation']
  /**
   * If the design needs a proof: the number of points for it. The design must agree with the plain loop before the model may
   * choose it.
   */
  readonly proof?: number
  /** Keys of the arrays that it reads. */
  readonly inputs: readonly string[]
  readonly results: readonly ResultRule[]
  readonly guard: GuardRule
  readonly versions: Versions<V>
  /** Present if the loop fills lists. */
  readonly lists?: ListShaders
  /** If this loop computes only whole runs: the design of runs over ranges, and of runs that continue earlier results. */
  readonly inParts?: ProgramDesign
}

export interface ListShaders {
  /** Clears the counters of the lists before they are filled, unless the loop writes them. */
  readonly clear?: Shader
  /** Sorts each list afterwards. */
  readonly sort: Shader
  /** The result with the entries of all lists; the other result has the length of each. */
  readonly entries: string
}

export interface ElementVersion extends Version {
  readonly shaders: { readonly loop: Shader }
  /** Parameters that runs do not give. */
  readonly known: FieldValues
  /** Workgroups of every run; without it, each element of a run has one invocation. */
  readonly size?: Size
}

/** Maps, cell indices and stencils: a loop over elements. */
export interface ElementDesign extends Designed<'element', ElementVersion> {
  /** Present if each point reads only numbers of its own: then one shader may run several of these in order. */
  readonly map?: DesignedMap
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

/** The sizes of a loop over the components of vectors. */
export interface VectorSizes {
  readonly workgroup: number
  /** Invocations side by side, each with other components. */
  readonly lanes: number
  /** Components of an invocation. */
  readonly components: number
  /** Targets of an invocation. */
  readonly targets: number
  /** Targets of a workgroup. */
  readonly ofGroup: number
  /** Sources of a tile. */
  readonly sources: number
}

export interface VectorVersion extends Version {
  readonly shaders: {
    readonly loop: Shader
    /** Runs after the loop, if the grid splits the sources. */
    readonly add: Shader
  }
}

/** A sum that is a vector of any length. */
export interface VectorDesign extends Designed<'vector', VectorVersion> {
  readonly sizes: VectorSizes
  /** Numbers of components that workgroups divide the vector into. Each of them computes the numbers of a pair. */
  readonly blocks: number
  /** The most parts into which the grid splits the sources. */
  readonly parts: number
  /** Workgroups that occupy the device: with fewer, the grid splits the sources. */
  readonly groups: number
}

export interface PairVersion extends Version {
  readonly shaders: {
    /** Runs before the loop, if the loop reads packed sources. It has one invocation per source. */
    readonly pack?: Shader
    readonly loop: Shader
    /** Runs after the loop, if the loop writes partial folds or the minima of groups. */
    readonly combine?: Shader
  }
  /** Bytes of a packed source. */
  readonly sourceBytes: number
  /** 32-bit words of a partial fold. */
  readonly words: number
}

/** A loop over all pairs. */
export interface PairDesign extends Designed<'pair', PairVersion> {
  /** Number of sources that a loop visits together: steps and parts are whole multiples. */
  readonly tile: number
  readonly targetsPerGroup: number
  /** A step divides its sources into at most this many parts. */
  readonly parts: number
  /** Whether workgroups continue with further targets, in strides of the grid. */
  readonly gridStride: boolean
  /** Number of sources of a group. The loop writes the least term of each group; 0 if it folds terms. */
  readonly group: number
  /** The most bytes that the minima of groups may take. */
  readonly minimaBytes: number
  readonly targetsPerCombine: number
}

/** A dispatch with numbers that are known before any run. Each run adds its own. */
export interface KnownDispatch {
  /** One of the shaders of its version. */
  readonly shader: string
  readonly values: FieldValues
  readonly size: Size
}

/** A loop by workgroups. Each has some consecutive targets, and meets some of the sources. */
export interface GroupsVersion extends Version {
  readonly shaders: Readonly<Record<string, Shader>> & { readonly loop: Shader }
  /** Dispatches on the points before the loop. */
  readonly before: readonly KnownDispatch[]
  /** Numbers of every dispatch. `evaluated` is the place in the array `order` that counts the sources of each workgroup. */
  readonly values: FieldValues & { readonly sourceCount: number; readonly evaluated: number }
  /** Bytes of arrays that only the shaders read and write, by key. */
  readonly scratch: Readonly<Record<string, number>>
}

/** A loop over pairs within a cutoff, or over the nearest sources, by blocks of points. */
export interface BlocksDesign extends Designed<'blocks', GroupsVersion> {
  readonly targetsPerGroup: number
  readonly reach: BlocksReach
}

/** A loop over pairs within a cutoff by a grid of cells over a periodic box. */
export interface CellsDesign extends Designed<'cells', GroupsVersion> {
  readonly targetsPerGroup: number
  readonly reach: BlocksReach
  readonly mostCells: number
  /** How many numbers rounds of a sequence carry for Verlet lists, and the design of these rounds, if targets and sources are one set. */
  readonly carries?: number | undefined
  readonly lasting?: VerletDesign | undefined
}

/** The same for rounds of a sequence, by Verlet lists that last for several rounds. */
export interface VerletDesign extends Designed<'verlet', VerletVersion> {
  readonly targetsPerGroup: number
  /** Number of invocations that share a target. Each has a list of its own. */
  readonly slices: number
  readonly reach: BlocksReach
  readonly mostCells: number
}

export interface VerletVersion extends GroupsVersion {
  /** The loop visits lists. In rounds that sort points, `cells` runs before it, builds lists, and computes the results unless the loop does. */
  readonly shaders: GroupsVersion['shaders'] & { readonly cells: Shader }
}

/** How far the walk over blocks looks. */
export interface BlocksReach {
  readonly rule: Omit<ReachRule, 'cutoff' | 'unit'> & BoxSpace
  /** Whether the reach shrinks to the sources that targets keep. */
  readonly shrinks: boolean
  /** Whether there is a cutoff. */
  readonly cut: boolean
}

export interface TreeVersion extends GroupsVersion {
  /** The parameters that weights depend on, by the names of their fields. */
  readonly parameters: Readonly<Record<string, string>>
}

/** A sum with a tolerance. */
export interface TreeDesign extends Designed<'tree', TreeVersion> {
  readonly targetsPerGroup: number
  /** An estimate of the number of pairs of a target. */
  readonly expectedPairs: number
}

export interface OnceVersion extends Version {
  readonly shaders: { readonly loop: Shader; readonly combine: Shader }
}

/** A loop that meets each pair once. */
export interface OnceDesign extends Designed<'once', OnceVersion> {
  readonly subgroup: number
  /** Targets of an invocation. */
  readonly targets: number
  /** Number of offsets of one workgroup: few, so that many workgroups finish at about the same time. */
  readonly offsets: number
  /** Numbers of a result. */
  readonly width: number
  /** Bytes of the slots of one round. */
  readonly slotBytes: number
  readonly targetsPerCombine: number
}
