/**
 * Measures one problem with all contenders of one environment: prepares, judges, times in rounds, judges again. Returns the
 * rows.
 */

import type { CallParts, Contender, Entry, Problem, Sample, Sketch } from '../contender.ts'
import { type Judge, judgeOf } from '../judge.ts'
import { infoOf } from '../problem.ts'
import type { ErrorFigures, Measured, Refused, Row, TimedParts, Who } from '../record.ts'
import { type Pace, tooSlow } from './pace.ts'
import type { Pacing } from './pacing.ts'
import { rounds } from './rounds.ts'
import { compared, timesOf } from './times.ts'

export interface MeasureOptions extends Pacing {
  /** `Environment.name`. */
  readonly environment: string
  /** Seconds of sampling for the whole problem. */
  readonly seconds: number
  /** The speeds of contenders on earlier problems. A contender is left out if one call would take longer than `seconds`. */
  readonly pace?: Pace
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((fraction: number) => void) | undefined
}

/** The rows of all contenders, in their order. After an abort, only rows with at least one sample. */
export async function measure(
  problem: Problem,
  contenders: readonly Contender[],
  options: MeasureOptions,
  judge: Judge = judgeOf(problem),
): Promise<readonly Row[]> {
  const places = contenders.map((one) => ({ one, place: undefined as Ready | Unfit | undefined }))
  for (const entrant of places)
    if (!options.signal?.aborted) entrant.place = await enter(entrant.one, problem, judge, options)
  const ready = places.flatMap(({ place }) => (place && 'entry' in place ? [place] : []))
  const samples = await rounds(
    ready.map(({ entry }) => entry),
    options,
  )
  const rows: Row[] = []
  for (const { one, place } of places) {
    if (!place) continue
    const own = 'entry' in place ? samples[ready.indexOf(place)] : undefined
    const outcome = 'entry' in place ? await finish(place, own ?? [], judge, problem) : place
    const beside = 'entry' in place ? besideOf(place, ready, samples) : {}
    const who = 'entry' in place ? place.entry.who : nobody(one)
    if ('entry' in place) place.entry.dispose()
    if (!outcome) continue
    const { environment, pace } = options
    if ('interactionsPerSecond' in outcome) pace?.set(one.name, outcome.interactionsPerSecond)
    rows.push(rowOf(environment, problem, who, { ...outcome, ...beside }))
  }
  return rows
}

interface Ready {
  readonly group: string | undefined
  readonly entry: Entry
  readonly error: ErrorFigures
  /** Milliseconds of the first call. */
  readonly first: number
}

type Unfit = Refused

/** Prepares a contender and judges its first answer. */
async function enter(
  contender: Contender,
  problem: Problem,
  judge: Judge,
  { pace, seconds }: MeasureOptions,
): Promise<Ready | Unfit> {
  const refused = pace && tooSlow(contender.name, pace, problem, seconds)
  if (refused !== undefined) return { refused }
  let entry: Entry | undefined
  try {
    entry = await contender.prepare(problem)
    const start = performance.now()
    await entry.run()
    const first = performance.now() - start
    return { group: contender.group, entry, first, error: await judge.judge(entry) }
  } catch (error) {
    entry?.dispose()
    return refusal(error)
  }
}

/** The figures of an entry if its latest answer is still right; undefined if it was never sampled. */
async function finish(
  { entry, error, first }: Ready,
  samples: readonly Sample[] | Error,
  judge: Judge,
  { interactions }: Problem,
): Promise<Measured | Refused | undefined> {
  if (samples instanceof Error) return refusal(samples)
  if (samples.length === 0) return undefined
  try {
    const latest = await judge.judge(entry)
    const call = timesOf(samples.map(({ call, parts }) => (entry.ownClock && parts ? parts.compute : call)))
    const parts = entry.ownClock ? undefined : partsOf(entry, samples)
    const clocked = samples.flatMap((sample) => sample.parts?.device ?? [])
    return {
      call,
      ...(entry.ownClock ? { ownClock: entry.ownClock } : {}),
      ...(entry.resident ? { resident: entry.resident } : {}),
      first,
      ...(entry.evaluated === undefined ? {} : { evaluated: entry.evaluated }),
      ...(parts ? { parts } : {}),
      ...(clocked.length === samples.length ? { device: timesOf(clocked) } : {}),
      interactionsPerSecond: (1000 * interactions) / call.median,
      error: latest.max > error.max ? latest : error,
    }
  } catch (wrong) {
    return refusal(wrong)
  }
}

/** The times of an entry next to those of the entries before it in its group. */
function besideOf(
  { group, entry }: Ready,
  ready: readonly Ready[],
  samples: readonly (readonly Sample[] | Error)[],
): Pick<Measured, 'beside'> {
  if (group === undefined) return {}
  const times = ready.flatMap((one, n) => {
    const own = samples[n]
    return one.group !== group || !own || own instanceof Error ? [] : [{ one, calls: own.map(({ call }) => call) }]
  })
  const place = times.findIndex(({ one }) => one.entry === entry)
  const mine = times[place]?.calls
  if (!mine || place === 0) return {}
  const before = times.slice(0, place)
  return { beside: Object.fromEntries(before.map(({ one, calls }) => [one.entry.who.name, compared(mine, calls)])) }
}

function partsOf(entry: Entry, samples: readonly Sample[]): TimedParts | undefined {
  const parts = samples.flatMap((sample) => sample.parts ?? [])
  if (parts.length < samples.length) return undefined
  const times = (of: (one: CallParts) => number) => timesOf(parts.map(of))
  return {
    compile: entry.compile ?? 0,
    upload: times((one) => one.upload),
    compute: times((one) => one.compute),
    readback: times((one) => one.readback),
  }
}

const refusal = (error: unknown): Refused => ({
  refused: (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '',
})

/** The row of a contender that was not run. */
export const refusedRow = (
  environment: string,
  sketch: Sketch,
  contender: Omit<Contender, 'prepare'>,
  refused: string,
): Row => rowOf(environment, sketch, nobody(contender), { refused })

const rowOf = (environment: string, sketch: Sketch, contender: Who, outcome: Row['outcome']): Row => ({
  environment,
  problem: infoOf(sketch),
  contender,
  interactions: sketch.interactions,
  outcome,
})

const nobody = ({ name, rival = false, about }: Omit<Contender, 'prepare'>): Who => ({
  name,
  rival,
  device: '-',
  kind: 'cpu',
  precision: 'f32',
  ...about,
})
