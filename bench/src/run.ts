/** Runs problems through sessions into a record, with progress, and with what is there when it is interrupted. */

import type { Progress } from './node/progress.ts'
import type { ProblemSpec } from './problem.ts'
import type { BenchmarkRecord, Kind, Machine, Row } from './record.ts'
import type { Session } from './session.ts'

export interface Run {
  readonly kind: Kind
  readonly command: string
  readonly machine: Machine
  readonly problems: readonly ProblemSpec[]
  /** Seconds of sampling in all. */
  readonly seconds: number
  readonly signal: AbortSignal
  readonly progress: Progress
}

/** Every problem in every session: sessions take turns problem by problem, so that they meet the same machine. */
export async function run(sessions: readonly Session[], options: Run): Promise<BenchmarkRecord> {
  const { kind, command, machine, problems, signal, progress } = options
  const date = new Date().toISOString()
  const rows: Row[] = []
  const parts = problems.length * sessions.length
  const seconds = options.seconds / Math.max(1, parts)
  progress.start()
  let part = 0
  for (const problem of problems)
    for (const session of sessions) {
      if (signal.aborted) break
      const label = `${labelOf(problem)} in ${session.environment.name}`
      const onProgress = (fraction: number) => progress.update((part + fraction) / parts, label)
      onProgress(0)
      rows.push(...(await session.measure(problem, { seconds, signal, onProgress })))
      part++
    }
  progress.stop()
  return {
    schema: 1,
    command,
    kind,
    date,
    ...(signal.aborted ? { partial: 'interrupted' } : {}),
    machine,
    environments: sessions.map(({ environment }) => environment),
    rows,
  }
}

function labelOf({ what, count, points }: ProblemSpec): string {
  const name = 'law' in what ? what.law : 'task' in what ? what.task : what.expression
  return `${name}, ${points ? points.name : `N = ${count}`}`
}
