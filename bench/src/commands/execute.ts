/** What the measuring commands share: check what was typed, measure, print, write, and say what is missing. */

import { resolve } from 'node:path'
import { BadInputError } from '../errors.ts'
import { interruptible } from '../node/interrupt.ts'
import { machine } from '../node/machine.ts'
import { writeRecord, writeReport } from '../node/output.ts'
import { progressBar } from '../node/progress.ts'
import { typedCommand } from '../node/typed-command.ts'
import { checkWritable } from '../node/writable.ts'
import type { RecordingOptions } from '../options.ts'
import { type ProblemSpec, problemOf } from '../problem.ts'
import { type BenchmarkRecord, isMeasured, type Kind } from '../record.ts'
import { run } from '../run.ts'
import type { Pacing, Session } from '../session.ts'

export interface Task {
  readonly kind: Kind
  readonly options: RecordingOptions
  readonly problems: readonly ProblemSpec[]
  readonly pacing?: Pacing
  /** Whether to end after a problem that was too large for everyone. */
  readonly ascending?: boolean
  /** Opens the environments with their contenders. */
  open(): Promise<readonly Session[]>
  /** The record as the terminal shows it. */
  readonly table: (record: BenchmarkRecord) => string
}

/** @throws BadInputError before anything is measured */
export async function execute({ options, table, ...task }: Task): Promise<void> {
  const { json, html } = options
  if (json !== undefined) checkWritable(json, '--json')
  if (html !== undefined) checkWritable(html, '--html')
  if (json !== undefined && html !== undefined && resolve(json) === resolve(html))
    throw new BadInputError(`--json and --html expected two files, got "${html}" for both`)
  const record = await interruptible((signal) => measured({ options, ...task }, signal))
  console.log(table(record))
  if (json !== undefined) writeRecord(record, json)
  if (html !== undefined) await writeReport(record, html)
  if (record.partial !== undefined) {
    const saved = json === undefined ? '' : `, as ${json} says too`
    console.error(`bench: ${record.partial}: these results are partial${saved}`)
    process.exitCode = 130
  } else if (!record.rows.some(({ outcome }) => isMeasured(outcome))) process.exitCode = 1
}

async function measured(
  { kind, options, problems, pacing, ascending, open }: Omit<Task, 'table'>,
  signal: AbortSignal,
): Promise<BenchmarkRecord> {
  const sessions = await open()
  try {
    await checkSizes(sessions, problems)
    const bar = progressBar()
    return await run(sessions, {
      kind,
      command: typedCommand('npm run bench --', process.argv.slice(2)),
      machine: machine(),
      problems,
      seconds: options.duration,
      ...(pacing ? { pacing } : {}),
      ...(ascending ? { ascending } : {}),
      signal,
      onProgress: bar.update,
    }).finally(bar.stop)
  } finally {
    for (const session of sessions) await session.dispose()
  }
}

/** @throws BadInputError if no contender has room for the largest problem of a kind */
async function checkSizes(sessions: readonly Session[], problems: readonly ProblemSpec[]): Promise<void> {
  for (const problem of problems) {
    if (problem.count < few) checkPoints(problem)
    const answers = await Promise.all(sessions.map((session) => session.refusals(problem)))
    const refusals = answers.flat()
    const reasons = [...new Set(refusals.filter((reason) => reason !== undefined))]
    if (refusals.length > 0 && reasons.length > 0 && refusals.every((reason) => reason !== undefined))
      throw new BadInputError(`N = ${problem.count} exceeds every device asked for: ${reasons.join('; ')}`)
  }
}

/** Of fewer points there may be too few for a workload, as for the nearest eight. */
const few = 64

/** @throws BadInputError */
function checkPoints(problem: ProblemSpec): void {
  try {
    problemOf(problem)
  } catch (error) {
    throw new BadInputError(`N = ${problem.count}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
}
