/** A session in this process: in Node, or inside a page. */

import { backends } from 'manybody'
import type { Contender, Problem, Sketch } from '../contender.ts'
import { type BackendSpec, backendContenders, Devices } from '../contenders/backend.ts'
import { type Judge, judgeOf } from '../judge.ts'
import { type ProblemSpec, problemOf, sketchOf } from '../problem.ts'
import type { Environment, Row } from '../record.ts'
import { type MeasureOptions, measure, refusedRow } from '../timing/measure.ts'
import { type Pace, tooSlow } from '../timing/pace.ts'
import { pilot } from '../timing/pilot.ts'
import type { Session } from './session.ts'

/** Contenders: the backends, and others beside them. */
export function localSession(
  environment: Environment,
  specs: readonly BackendSpec[],
  beside: readonly Contender[] = [],
): Session {
  const devices = new Devices()
  const ours = backendContenders(specs, backends(), devices)
  const contenders = [...ours, ...beside]
  const session = sessionOf(
    environment,
    () => contenders,
    () => devices.dispose(),
  )
  const refusals = (spec: ProblemSpec) => {
    const sketch = sketchOf(spec)
    // A missing backend is reported in its row.
    return Promise.all(ours.map((contender) => contender.refusal?.(sketch).catch(() => undefined)))
  }
  return { ...session, refusals }
}

/** The contenders of one problem. */
export interface Turns {
  /** Those of a group are prepared together and take turns; one group follows the other. */
  readonly groups: readonly (readonly Contender[])[]
  /** By default, answers are compared with the float64 reference. */
  readonly judge?: Judge
  end?(): void
}

export interface TurnOptions {
  /** Milliseconds of warming up before the first problem. */
  readonly wake?: number
  dispose?(): Promise<void>
}

/** Contenders that take turns at each problem, however slow they were at earlier ones: their time does not grow with the pairs. */
export function turnsSession(
  environment: Environment,
  turnsOf: (problem: Problem, spec: ProblemSpec) => Turns | Promise<Turns>,
  { wake, ...rest }: TurnOptions = {},
): Session {
  let waking = wake === undefined ? {} : { wake }
  return {
    environment,
    async measure(spec, options) {
      const how = { ...options, ...waking, environment: environment.name }
      waking = {}
      const problem = problemOf(spec)
      const { groups, judge, end } = await turnsOf(problem, spec)
      try {
        return await inGroups(problem, groups, how, judge)
      } finally {
        end?.()
      }
    },
    ...rest,
  }
}

/** The contenders of a problem. Those for which a call would take too long are left out. */
export function sessionOf(
  environment: Environment,
  contendersOf: (problem: Sketch) => readonly Contender[],
  dispose: () => Promise<void>,
): Session {
  const paces = new Map<string, Pace>()
  return {
    environment,
    async measure(spec, options) {
      const sketch = sketchOf(spec)
      const contenders = contendersOf(sketch)
      // Each law has a different pace.
      const law = JSON.stringify(spec.what)
      const pace = paces.get(law) ?? new Map()
      paces.set(law, pace)
      if (sketch.interactions > large) await findPaces(contenders, spec, pace, options.signal)
      if (options.signal?.aborted) return []
      // Making many points takes long, so they are made only if some contender runs.
      const slow = contenders.flatMap((one) => {
        const reason = tooSlow(one.name, pace, sketch, options.seconds)
        return reason === undefined ? [] : [refusedRow(environment.name, sketch, one, reason)]
      })
      if (contenders.length > 0 && slow.length === contenders.length) return slow
      const groups = divided(contenders, options.together)
      return inGroups(problemOf(spec), groups, { environment: environment.name, pace, ...options })
    },
    dispose,
  }
}

/** Measures one group after the other. Each gets its share of the time. */
async function inGroups(
  problem: Problem,
  groups: readonly (readonly Contender[])[],
  options: MeasureOptions,
  judge: Judge = judgeOf(problem),
): Promise<readonly Row[]> {
  const { seconds, signal, onProgress } = options
  const all = groups.flat().length
  const rows: Row[] = []
  let done = 0
  for (const group of groups) {
    if (signal?.aborted) break
    const [before, share] = [done / all, group.length / all]
    done += group.length
    const own = { seconds: seconds * share, onProgress: (part: number) => onProgress?.(before + share * part) }
    rows.push(...(await measure(problem, group, { ...options, ...own }, judge)))
  }
  return rows
}

/** Groups of the size in the pacing. */
const divided = (contenders: readonly Contender[], together = contenders.length): readonly (readonly Contender[])[] =>
  Array.from({ length: Math.ceil(contenders.length / together) }, (_, n) =>
    contenders.slice(n * together, (n + 1) * together),
  )

/** A number of terms that every contender computes in a few seconds. */
const large = 2e7

async function findPaces(
  contenders: readonly Contender[],
  { what, count, seed }: ProblemSpec,
  pace: Pace,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const contender of contenders) {
    if (pace.has(contender.name) || signal?.aborted) continue
    const found = await pilot(contender, (count) => problemOf({ what, count, seed }), count)
    if (found !== undefined) pace.set(contender.name, found)
  }
}
