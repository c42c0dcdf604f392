/**
 * The interface between folds and loops, as WGSL: the variables that an invocation keeps per target, how a pair changes them,
 * how two partial folds merge, and how results are written. `folds.ts` has the folds themselves.
 *
 * In names such as `sum0_3`, the number after the underscore is the target `r` of the invocation.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import type { Resource, ScalarType } from '../../design/shader.ts'
import { indent } from '../wgsl/shader.ts'

interface FoldResult {
  readonly name: string
  /** Type in the shader. */
  readonly type: ScalarType | 'atomic<u32>'
  /** Type on the host, which reads the bits of some integers as floats. */
  readonly hostType: ScalarType
  /** Numbers per target. */
  readonly width: number
}

/** The expressions of the pair in scope, as WGSL. */
interface PairTexts {
  readonly terms: readonly string[]
  /** Components of the displacement, if the term is its coefficient. */
  readonly along: readonly string[] | undefined
  /** A condition for pairs that count; undefined if every pair counts. */
  readonly keep: string | undefined
  readonly source: string
}

/** A cheap test of the sources of one step of a loop, before the fold visits those that matter. */
interface Look {
  /** Declares the variables of the look. */
  readonly open: (r: number) => string
  /** Looks at a pair; `bit` stands for its source within the step. */
  readonly pair: (r: number, texts: PairTexts) => string
  /** Updates the fold after all sources of the step. */
  readonly close: (r: number, step: LookedAt) => string
  /** Finds the source within the step that the fold remembers; `visit` visits the sources of a step, starting at `j`. */
  readonly settle?: (r: number, visit: string) => string
}

/**
 * Marks the sources that may change the fold, then visits them. Visiting them at once would be slow, because the targets of a
 * subgroup seldom agree on the sources.
 *
 * @param may whether a source may change the fold; undefined if every source may
 */
export const visitMarked = (may: (r: number, texts: PairTexts) => string | undefined): Look => ({
  open: (r) => `var marks_${r} = 0u;`,
  pair: (r, texts) => guarded(may(r, texts), `marks_${r} |= bit;`),
  close: (r, { visit }) => `while (marks_${r} != 0u) {
  let u = firstTrailingBit(marks_${r});
  marks_${r} &= marks_${r} - 1u;
  ${indent(visit('u'), 1)}
}`,
})

/** The step that a look has seen. */
interface LookedAt {
  /** Index of its first source. */
  readonly first: string
  readonly sources: number
  /** Visits the source with number `u` within the step. */
  readonly visit: (u: string) => string
  /** Whether to skip the pair of a point with itself. */
  readonly skipSelf: boolean
}

/** Whether sources come in ascending order, so that the first of equal terms has the lower source, or in any order. */
export type SourceOrder = 'ascending' | 'any'

export interface Fold {
  readonly results: readonly FoldResult[]
  /** Present if the fold writes each pair at once, so that nothing is left to merge: the arrays that it reads for that. */
  readonly appends?: readonly Resource[]
  /** An array that the invocations of a workgroup share. */
  readonly memory?: { readonly type: 'atomic<u32>'; readonly name: string; readonly length: number }
  /** How many 32-bit words hold the fold of one target. */
  readonly words: number
  /** Whether the fold remembers sources. */
  readonly indexed: boolean
  /** Whether it continues earlier results by visiting their sources again. */
  readonly revisits: boolean
  /** Names of the variables of a sum, which loops may keep per block of sources; empty for other folds. */
  readonly sums: (r: number) => readonly string[]
  /** Declares the fold of no pairs. */
  readonly declare: (r: number) => string
  readonly pair: (r: number, texts: PairTexts) => string
  /** For folds that keep the least terms: the greatest of them, or `largest` if there is room for more. */
  readonly farthest?: (r: number) => string
  /** For the same folds: forgets all sources of the present pass. */
  readonly forget?: (r: number) => string
  /** For folds that few sources change: a cheap test of all sources of a step first, including the target itself. */
  readonly look?: Look
  /** Present if the fold must meet all sources several times: how often, and statements before each pass, whose number is `passAt`. */
  readonly passes?: { readonly count: number; readonly begin: (r: number) => string }
  /** Writes the words of a fold. */
  readonly save: (r: number, write: (word: string, value: string) => string) => string
  /** Merges the words of another fold, over earlier or later sources. */
  readonly merge: (r: number, read: (word: string) => string) => string
  /** Adds the earlier results at `at`, over any other sources. Empty if the fold revisits. */
  readonly resume: (r: number, at: string) => string
  /** Writes the results of the target at `at`; `scale` multiplies sums. */
  readonly finish: (r: number, at: string, scale: string | undefined) => string
  /** Writes one word of a sum. The words of a sum are independent of each other; other folds lack this. */
  readonly finishWord?: (word: string, at: string, sum: string, scale: string | undefined) => string
}

/** Where a fold is used. */
export interface FoldPlace {
  /** By default ascending. */
  readonly order?: SourceOrder
  /** Number of targets of a workgroup, if it alone meets all their sources; undefined if others do, too. */
  readonly owned?: number
  /** Whether an invocation alone meets all sources of its targets, as often as the fold asks. */
  readonly passes?: boolean
}

/** Makes the fold of a workload, for terms with this number of components. */
export type FoldOf = (workload: PairWorkload, components: number, place?: FoldPlace) => Fold

/** The largest float32, which represents infinity in a shader, because WGSL may assume that infinity never occurs. */
export const largest = '3.4028234e38'
export const infinityBits = '0x7f800000u'
export const minusInfinityBits = '0xff800000u'
/** Runs `text` if the pair counts. */
export const guarded = (keep: string | undefined, text: string): string => (keep ? `if (${keep}) { ${text} }` : text)
/** Replaces `best` if the value is better. A NaN never is: `min` and `max` would not do, because drivers differ for NaN. */
export const betterOf = (better: '<' | '>', best: string, value: string): string =>
  `let other = ${value}; ${best} = select(${best}, other, other ${better} ${best});`
export const range = (n: number): readonly number[] => Array.from({ length: n }, (_, k) => k)
export const float = (bits: string): string => `bitcast<f32>(${bits})`
export const bits = (value: string): string => `bitcast<u32>(${value})`
