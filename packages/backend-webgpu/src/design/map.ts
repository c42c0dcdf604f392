/**
 * The texts of a map, so that one shader may run several maps in order without their formulas.
 *
 * @module
 */
import type { NamedTape } from '@manybody/core/backend'

/**
 * In these texts, `{points.mass}` is the array with that key, `#_` comes before every name of the map, and `#2` is the number
 * that the third of `reads` has loaded.
 */
export interface DesignedMap {
  readonly workgroup: number
  /** Names of the outputs. */
  readonly outputs: readonly string[]
  /** Computed once per run, from its parameters. */
  readonly run: NamedTape
  /** A comment for each of these values, for the printed shader. */
  readonly notes: readonly string[]
  /** The functions that the statements call, each after those that it calls. */
  readonly functions: readonly string[]
  /** The places of the numbers that it reads. */
  readonly reads: readonly string[]
  readonly compute: readonly string[]
  /** Places, and the values to write there. All values are computed before any is written. */
  readonly writes: readonly (readonly [place: string, value: string])[]
}
