/**
 * How a sum meets a tolerance: the settings to try, one after the other, and the setting to keep. It runs nothing itself, so
 * that callers may wait for each attempt or not.
 *
 * @module
 */
import type { TreeSetting } from '../../contract/backend.ts'
import type { ToleranceOf } from '../../ground/report.ts'
import { ladder, nameOf, type Rung, simplexRungs, usualRungs } from './ladder.ts'

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
  /** How many pairs it computed. */
  readonly pairs: number
  /** Whether all pairs would be faster. */
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

/** Grids whose errors are so many times the usual ones leave room for simplices. */
const poor = 3

interface Meeting {
  /** How many usual rungs there are. */
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
  { rungs = usualRungs.length, rare, of = 'terms' }: Partial<Meeting> = {},
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
  const end = before.rung < usualRungs.length ? rungs : ladder.length
  for (let { rung } = before; rung < end; rung++) {
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

/** Finds the cheapest rung: a usual one, or a simplex where grids are poor. Undefined if no rung is both exact and cheap enough. */
function* climb<T extends Tried>(wanted: number, rungs: number): Generator<Attempt, Found<T> | undefined, T> {
  const { found, isPoor }: Climbed<T> = yield* climbAmong(wanted, usualRungs.slice(0, rungs))
  if (!isPoor) return found
  const other: Climbed<T> = yield* climbAmong(wanted, simplexRungs, found?.outcome.pairs)
  return other.found ?? found
}

interface Climbed<T> {
  readonly found: Found<T> | undefined
  /** Whether a grid had an error that was much larger than usual. */
  readonly isPoor: boolean
}

/**
 * Finds the cheapest of some rungs with at most the wanted error, with few attempts. From rung to rung, errors fall about as they do for the
 * typical points, so an error tells how far to go.
 *
 * @param fewer a rung must compute fewer pairs than this
 */
function* climbAmong<T extends Tried>(
  wanted: number,
  rungs: readonly number[],
  fewer: number = Number.POSITIVE_INFINITY,
): Generator<Attempt, Climbed<T>, T> {
  const rungAt = (place: number) => ladder[rungs[place] as number] as Rung
  const placeOf = (error: number) => rungs.findIndex((_, place) => rungAt(place).typical <= error)
  const guess = placeOf(wanted)
  /** The last place that is too inexact, and the first that is exact enough or too dear. */
  let [low, high] = [-1, rungs.length]
  let found: Found<T> | undefined
  let isPoor = false
  let place = guess < 0 ? rungs.length - 1 : guess
  while (high - low > 1) {
    const setting = rungAt(place)
    const outcome: T = yield { setting, judges: chosenBy }
    const { error } = outcome
    const dear = outcome.dear || outcome.pairs >= fewer
    // An error that is not a number is not exact.
    const exact = error <= wanted
    if (exact && !dear) found = { rung: rungs[place] as number, outcome }
    if (setting.proxies !== 'simplex' && !outcome.dear && error > poor * setting.typical) isPoor = true
    if (exact || dear) high = place
    else low = place
    const next = dear ? place - 1 : placeOf((setting.typical * wanted) / error)
    place = Math.max(low + 1, next < 0 ? high - 1 : Math.min(high - 1, next))
  }
  return { found, isPoor }
}
