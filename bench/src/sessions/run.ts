/** Runs problems in sessions and fills a record. It shows progress. When it is interrupted, it keeps its measurements so far. */

import type { ProblemSpec } from '../problem.ts'
import { type BenchmarkRecord, isMeasured, type JudgedBackend, type Kind, type Machine, type Row } from '../record.ts'
import type { Pacing } from '../timing/pacing.ts'
import type { Session } from './session.ts'

export interface Run {
  readonly kind: Kind
  readonly command: string
  readonly machine: Machine
  readonly problems: readonly ProblemSpec[]
  /** Total seconds of sampling. */
  readonly seconds: number
  readonly pacing?: Pacing
  /** Whether problems grow. The run then ends after a problem that was too large for every contender. */
  readonly ascending?: boolean
  /** Its reason says why rows are missing; by default `interrupted`. */
  readonly signal?: AbortSignal | undefined
  /** Verdicts on the backends, before anything is timed. */
  readonly judge?: AsyncIterable<JudgedBackend>
  /** Called for all new rows, so that none are lost, however the run ends. */
  readonly save?: (record: BenchmarkRecord) => void
  readonly onRow?: (row: Row) => void
  /** Called with the fraction done, 0 to 1, and the current activity. */
  readonly onProgress?: (fraction: number, label: string) => void
}

/** Runs every problem in every session. Sessions take turns for each problem, so that the state of the machine is the same for all. */
export async function run(sessions: readonly Session[], options: Run): Promise<BenchmarkRecord> {
  const { kind, command, machine, problems, signal } = options
  const date = new Date().toISOString()
  const rows: Row[] = []
  const judged: JudgedBackend[] = []
  const record = (partial: string | undefined): BenchmarkRecord => ({
    command,
    kind,
    date,
    ...(partial === undefined ? {} : { partial }),
    machine,
    environments: sessions.map(({ environment }) => environment),
    ...(judged.length === 0 ? {} : { judged }),
    rows,
  })
  for await (const one of options.judge ?? []) {
    judged.push(one)
    options.save?.(record('ended before anything was timed'))
  }
  const parts = problems.length * sessions.length
  const seconds = options.seconds / Math.max(1, parts)
  for (const [index, problem] of problems.entries()) {
    const before = rows.length
    for (const [place, session] of sessions.entries()) {
      if (signal?.aborted) break
      const done = index * sessions.length + place
      const label = `${labelOf(problem)} in ${session.environment.name}`
      const onProgress = (fraction: number) => options.onProgress?.((done + fraction) / parts, label)
      onProgress(0)
      for (const row of await session.measure(problem, { ...options.pacing, seconds, signal, onProgress })) {
        rows.push(row)
        options.onRow?.(row)
      }
    }
    options.save?.(record(`ended in the middle, after ${index + 1} of ${problems.length} problems`))
    if (options.ascending && !rows.slice(before).some(({ outcome }) => isMeasured(outcome))) break
  }
  if (!signal?.aborted) return record(undefined)
  return record(typeof signal.reason === 'string' ? signal.reason : 'interrupted')
}

function labelOf({ what, count }: ProblemSpec): string {
  const name = 'law' in what ? what.law : 'task' in what ? what.task : what.expression
  return `${name}, N = ${count}`
}
