/**
 * How a sum meets a tolerance: the settings to try, one after the other, and the setting to keep. It runs nothing itself, so
 * that callers may wait for each attempt or not.
 *
 * @module
 */
import type { TreeSetting } from '../../contract/backend.ts'
import type { ToleranceOf } from '../../ground/report.ts'
import { ladder, nameOf, type Rung } from './ladder.ts'

/** A setting to try, and on how many targets to measure its error. */
export interface Attempt {
  readonly setting: TreeSetting
  readonly judges: number
}

/** The outcome of a setting. */
export interface Tried {
  readonly setting: TreeSetting
  /** The error that must be within the tolerance. It does not matter if the setting is dear. */
  readonly error: number
  /** Whether all pairs would be faster than the pairs it computed. */
  readonly dear: boolean
}

export interface Met<T> {
  /** The attempt that meets the tolerance; undefined if all pairs are faster. */
  readonly outcome?: T | undefined
  /** Notes for the user on how the tolerance was met, or why it was not. */
  readonly notes: string
}

/** A setting that was found before. */
interface KnownSetting {
  /** The number of its rung. */
  readonly rung: number
  /** The error of `chosenBy` targets when the setting was last accepted. */
  readonly error: number
}

/** All pairs were faster for the points of the latest attempt. Other points may follow, so a tree is tried again. */
interface NoSetting {
  readonly rung?: undefined
  /** The number of runs over all pairs before a tree is tried again, and how many of them are left. */
  readonly pause: number
  left: number
}

/** The latest finding for each key. */
export type KnownSettings = Map<string, KnownSetting | NoSetting>

/** The finding that all pairs are faster. */
export const noSetting = (pause: number): NoSetting => ({ pause, left: pause })

/**
 * A setting is chosen if its error is at most this share of the tolerance, and kept as long as it is within the tolerance,
 * because points move. The largest error of 512 targets is above the 99th percentile of all but six times in 1000. In 401 runs,
 * that percentile was at most 0.88 times the tolerance. An error of the result is a mean, and the mean of all targets may be larger.
 */
const chosen = { terms: 0.9, result: 0.7 }
/**
 * How many targets measure the error when a setting is chosen, and how many in each run. The 99th percentile of all targets is often
 * above the largest of 64. So if these show a larger error than the points when the setting was accepted, more targets judge it. A
 * mean of 64 targets is as often above as below the mean of 512, so more targets judge it only if it would not be chosen any more.
 */
const [chosenBy, judgedBy] = [512, 64]

interface Meeting {
  /** The number of rungs of the ladder. */
  readonly rungs: number
  /** Whether runs are rare enough to try a tree in each. The outcome then depends on their points alone. */
  readonly rare: boolean | undefined
  /** The scale of the errors and of the tolerance. */
  readonly of: ToleranceOf | undefined
}

/**
 * The first setting that meets the tolerance, from the known one on. Answer each attempt with its outcome.
 *
 * Where all pairs are faster, a tree is tried again after 1, 3, 7, ... further runs. So points that spread out soon get a tree,
 * and points that stay together lose little time.
 */
export function* findSetting<T extends Tried>(
  known: KnownSettings,
  key: string,
  tolerance: number,
  { rungs = ladder.length, rare, of = 'terms' }: Partial<Meeting> = {},
): Generator<Attempt, Met<T>, T> {
  const notes: string[] = []
  const before = known.get(key)
  const none = 'no setting that meets the tolerance is faster than all pairs'
  if (before?.rung === undefined) {
    if (before && before.left-- > 0) return { notes: none }
    const found: Found<T> | undefined = yield* climb(chosen[of] * tolerance, rungs)
    if (found) {
      known.set(key, { rung: found.rung, error: found.outcome.error })
      return { outcome: found.outcome, notes: '' }
    }
    known.set(key, noSetting(rare ? 0 : 2 * (before?.pause ?? 0) + 1))
    return { notes: none }
  }
  for (let { rung } = before; rung < rungs; rung++) {
    const setting = ladder[rung] as TreeSetting
    const least = of === 'result' ? chosen.result * tolerance : before.error
    const accepted = rung === before.rung ? Math.min(least, tolerance) : 0
    let outcome: T = yield { setting, judges: judgedBy }
    if (outcome.dear) break
    if (outcome.error <= accepted) return { outcome, notes: notes.join('; ') }
    if (outcome.error <= tolerance) outcome = yield { setting, judges: chosenBy }
    if (outcome.error <= tolerance) {
      known.set(key, { rung, error: outcome.error })
      return { outcome, notes: notes.join('; ') }
    }
    notes.push(`repeated, because ${nameOf(setting)} had an error of ${outcome.error.toPrecision(2)}`)
  }
  known.set(key, noSetting(rare ? 0 : 1))
  return { notes: [...notes, none].join('; ') }
}

interface Found<T> {
  readonly rung: number
  readonly outcome: T
}

/**
 * Finds the cheapest rung with at most the wanted error, with few attempts. From rung to rung, errors fall about as they do for the
 * typical points, so an error tells how far to go. Returns undefined if no rung is both exact and cheap enough.
 */
function* climb<T extends Tried>(wanted: number, rungs: number): Generator<Attempt, Found<T> | undefined, T> {
  const guess = ladder.findIndex(({ typical }) => typical <= wanted)
  /** The last rung that is too inexact, and the first that is exact enough or too dear. */
  let [low, high] = [-1, rungs]
  let found: Found<T> | undefined
  let rung = guess < 0 ? rungs - 1 : Math.min(guess, rungs - 1)
  while (high - low > 1) {
    const outcome: T = yield { setting: ladder[rung] as TreeSetting, judges: chosenBy }
    const { error, dear } = outcome
    // An error that is not a number is not exact.
    const exact = error <= wanted
    if (exact && !dear) found = { rung, outcome }
    if (exact || dear) high = rung
    else low = rung
    const goal = ((ladder[rung] as Rung).typical * wanted) / error
    const next = dear ? rung - 1 : ladder.findIndex(({ typical }) => typical <= goal)
    rung = Math.max(low + 1, next < 0 ? high - 1 : Math.min(high - 1, next))
  }
  return found
}
