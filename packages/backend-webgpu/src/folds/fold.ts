/**
 * What a fold of terms is to the loops, as WGSL: what an invocation keeps per target, how a pair changes it, how two
 * partial folds merge, and what is written in the end. The folds themselves are in `folds.ts`.
 *
 * Loops know folds only through this interface; the numbers behind a name such as `sum0_3` belong to target 3.
 *
 * @module
 */
import type { ScalarType } from '../wgsl/shader.ts'

interface FoldResult {
  readonly name: string
  /** In the shader. */
  readonly type: ScalarType
  /** On the host, where bits written as integers are read as numbers. */
  readonly hostType: ScalarType
  /** Numbers per target. */
  readonly width: number
}

/** A pair in scope: WGSL texts. */
interface PairTexts {
  readonly terms: readonly string[]
  /** Components of the displacement, if the term is a coefficient of it. */
  readonly along: readonly string[] | undefined
  /** Whether the pair counts; undefined: always. */
  readonly keep: string | undefined
  readonly source: string
}

/** A cheap look at the sources of one step of a loop, then what the fold makes of it. */
interface Look {
  /** Declares what the look keeps. */
  readonly open: (r: number) => string
  /** Looks at a pair, whose `bit` tells the source within the step. */
  readonly pair: (r: number, texts: PairTexts) => string
  readonly close: (r: number, step: LookedAt) => string
  /** Turns the step that the fold remembers into the source: `visit` visits the sources of a step from `j` on. */
  readonly settle?: (r: number, visit: string) => string
}

interface LookedAt {
  /** Index of its first source. */
  readonly first: string
  readonly sources: number
  /** Visits the pair of a source by its number within the step. */
  readonly visit: (u: string) => string
  /** Whether to skip the pair of a point with itself. */
  readonly skipSelf: boolean
}

export interface Fold {
  readonly results: readonly FoldResult[]
  /** 32-bit words that hold the fold of one target. */
  readonly words: number
  /** Whether a fold remembers sources. */
  readonly indexed: boolean
  /** Whether it continues earlier results by visiting their sources again. */
  readonly revisits: boolean
  /** Names of plain sums, which may be kept per block of sources; empty for other folds. */
  readonly sums: (r: number) => readonly string[]
  /** Declares the fold of no pairs. */
  readonly declare: (r: number) => string
  readonly pair: (r: number, texts: PairTexts) => string
  /** For folds that few sources change: a cheaper look at the sources of a step first, none of which is skipped as self. */
  readonly look?: Look
  /** Writes the words of a fold. */
  readonly save: (r: number, write: (word: string, value: string) => string) => string
  /** Merges the words of another fold, of later sources or not. */
  readonly merge: (r: number, read: (word: string) => string) => string
  /** Takes in earlier results at `at`, of whichever sources, unless it revisits. */
  readonly resume: (r: number, at: string) => string
  /** Writes results of the target at `at`; `scale` multiplies sums. */
  readonly finish: (r: number, at: string, scale: string | undefined) => string
  /** Writes one word of a sum, whose words add up and end each by itself; other folds have none. */
  readonly finishWord?: (word: string, at: string, sum: string, scale: string | undefined) => string
}

/** The largest float32, which represents infinity in a shader, because WGSL may assume that infinity never occurs. */
export const largest = '3.4028234e38'
export const infinityBits = '0x7f800000u'
/** Does what `text` says where the pair counts. */
export const guarded = (keep: string | undefined, text: string): string => (keep ? `if (${keep}) { ${text} }` : text)
/** Makes `best` the value if that is better. Drivers differ in what `min` and `max` make of a NaN, which is passed over here. */
export const betterOf = (operation: 'min' | 'max', best: string, value: string): string =>
  `let other = ${value}; ${best} = select(${best}, other, other ${operation === 'min' ? '<' : '>'} ${best});`
export const range = (n: number): readonly number[] => Array.from({ length: n }, (_, k) => k)
export const float = (bits: string): string => `bitcast<f32>(${bits})`
export const bits = (value: string): string => `bitcast<u32>(${value})`
