/**
 * The facts about the formulas of a workload that its runs read, as plain data. The language derives them. A compiled program brings
 * them along, so its runs read no formula.
 *
 * @module
 */
import type { Expr } from '../../language/nodes.ts'
import type { NamedTape } from '../../language/tape.ts'
import type { CutoffSizes } from './cutoff-sizes.ts'
import type { RoomOfKinds } from './rooms-of-kinds.ts'
import type { PairWorkload, Shape, Workload } from './workload.ts'

export interface LawFacts {
  /** The attributes that a term reads of both points; of maps, `targets` are all names that outputs read. */
  readonly reads: { readonly targets: readonly string[]; readonly sources: readonly string[] }
  /** The names of the look-ups in tables; absent if there are none. */
  readonly lookups?: readonly string[] | undefined
  /** The vectors of a law over pairs, and whether a run needs positions; absent if there are none. */
  readonly vectors?: VectorFacts | undefined
  /** For results with a width that the formulas decide: the numbers of a target in each. */
  readonly components: Readonly<Record<string, number>>
  /** The cutoff of each pair in the numbers of its points; absent if it is a number of the run. */
  readonly cutoff?: Expr | undefined
  /** The sizes of points in that cutoff; absent if it has none, or if targets keep the nearest, which are looked for within one reach. */
  readonly sizes?: CutoffSizes | undefined
  /** The tables that these sizes read; absent if there are none. */
  readonly rooms?: readonly RoomOfKinds[] | undefined
  /** The parts of expressions that depend on the parameters of a run alone. */
  readonly parts: RunParts
}

export interface VectorFacts {
  /** Vectors of one group, attributes and parameters, have one length. */
  readonly groups: readonly (readonly string[])[]
  /** An attribute with as many components as the term; undefined if the term is a number. */
  readonly term?: string | undefined
  readonly placed: boolean
}

/** Parts of expressions that change at most once per run: their values, their names for messages, and the use of each. */
export interface RunParts extends NamedTape {
  readonly uses: readonly PartUse[]
}

export interface PartUse {
  /** Whether it is a factor, a divisor, or the whole expression: then it must not be too small. */
  readonly factor: boolean
  /** Whether something is compared with it: then it may be too large. */
  readonly compared: boolean
}

/** The parts of a shape that facts depend on. */
export type FactShape = Pick<Shape, 'dimension' | 'scaled' | 'vectors' | 'lengths'>

/** Derives each fact from formulas. */
export type LawLanguage = {
  readonly [Fact in keyof LawFacts]-?: (workload: Workload, shape: FactShape) => LawFacts[Fact]
}

let language: LawLanguage | undefined

/** The constructors of workloads bring the language along, so engines need not import it. */
export function speak(spoken: LawLanguage): void {
  language = spoken
}

/** Facts that a workload brought along. */
const brought = new WeakMap<Workload, (shape: FactShape) => LawFacts>()

/** Takes the facts of a compiled workload. */
export function bring(workload: Workload, facts: (shape: FactShape) => LawFacts): void {
  brought.set(workload, facts)
}

export function lawFact<Fact extends keyof LawFacts>(name: Fact, workload: Workload, shape: FactShape): LawFacts[Fact] {
  const facts = brought.get(workload)
  if (facts) return facts(shape)[name]
  if (!language) throw new TypeError('"workload" expected one that a function of this library has made')
  return language[name](workload, shape) as LawFacts[Fact]
}

/** Whether a workload is a sum of vectors of any length. */
export const isVectorSum = (workload: Workload, shape: FactShape): workload is PairWorkload =>
  shape.lengths !== undefined && lawFact('vectors', workload, shape)?.term !== undefined
