/** Shared code of the measuring commands: check the arguments, measure, print, write, and report missing rows. */

import { resolve } from 'node:path'
import type { RecordFiles } from '../arguments/options.ts'
import { BadInputError } from '../errors.ts'
import { isWrongAnswer } from '../judge.ts'
import { checkWritable, writeRecord, writeReport } from '../node/files.ts'
import { interruptible } from '../node/interrupt.ts'
import { machine } from '../node/machine.ts'
import { type ProgressBar, progressBar } from '../node/progress.ts'
import { typedCommand } from '../node/typed-command.ts'
import { type ProblemSpec, problemOf } from '../problem.ts'
import { type BenchmarkRecord, isMeasured, type JudgedBackend, type Kind } from '../record.ts'
import { markdown, printed } from '../report/print.ts'
import { run as runProblems } from '../sessions/run.ts'
import type { Session } from '../sessions/session.ts'
import type { Pacing } from '../timing/pacing.ts'

export interface Task {
  readonly kind: Kind
  readonly options: RecordFiles & { readonly duration?: number }
  readonly problems: readonly ProblemSpec[]
  readonly pacing?: Pacing
  /** The command line for the record; by default the one of `npm run bench`. */
  readonly command?: string
  /** The run ends after these minutes, with the rows that it has. */
  readonly minutes?: number
  /** Verdicts on the backends, before anything is timed. */
  judge?(signal: AbortSignal): AsyncIterable<JudgedBackend>
  /** Shows progress; by default a bar. */
  readonly progress?: ProgressBar
  /** Whether to end after a problem that was too large for every contender. */
  readonly ascending?: boolean
  /** Opens the environments with their contenders. */
  open(): Promise<readonly Session[]>
}

/** @throws BadInputError before anything is measured */
export async function execute(task: Task): Promise<void> {
  const { json, html, markdown: isMarkdown } = task.options
  if (json !== undefined) checkWritable(json, '--json')
  if (html !== undefined) checkWritable(html, '--html')
  if (json !== undefined && html !== undefined && resolve(json) === resolve(html))
    throw new BadInputError(`--json and --html expected two files, got "${html}" for both`)
  const record = await interruptible((signal) => measured(task, signal))
  console.log(isMarkdown ? markdown(record) : printed(record))
  if (json !== undefined) writeRecord(record, json)
  if (html !== undefined) await writeReport(record, html)
  // On stderr, to keep it out of the tables.
  for (const file of [json, html]) if (file !== undefined) console.error(`bench: wrote ${resolve(file)}`)
  if (record.partial !== undefined) {
    const saved = json === undefined ? '' : `, as ${json} says too`
    console.error(`bench: ${record.partial}: these results are partial${saved}`)
    process.exitCode = 130
  } else if (isFailed(record, task.problems.length)) process.exitCode = 1
}

async function measured(task: Task, interrupt: AbortSignal): Promise<BenchmarkRecord> {
  const { options, problems, minutes, judge, progress, open, ...run } = task
  const { json, duration = 0 } = options
  const signal = minutes === undefined ? interrupt : AbortSignal.any([interrupt, over(minutes)])
  const sessions = await open()
  try {
    await checkSizes(sessions, problems)
    const bar = progress ?? progressBar()
    return await runProblems(sessions, {
      command: typedCommand('npm run bench --', process.argv.slice(2)),
      ...run,
      problems,
      machine: machine(),
      seconds: duration,
      ...(judge ? { judge: judge(interrupt) } : {}),
      ...(json === undefined ? {} : { save: (record) => writeRecord(record, json) }),
      signal,
      onProgress: bar.update,
    }).finally(bar.stop)
  } finally {
    for (const session of sessions) await session.dispose?.()
  }
}

function over(minutes: number): AbortSignal {
  const controller = new AbortController()
  setTimeout(() => controller.abort(`its ${minutes} minutes were over`), 60_000 * minutes).unref()
  return controller.signal
}

/** Kinds that hold us to our promises. A wrong answer in them is a failure, however many others are right. */
const strict: readonly Kind[] = ['tree']

/** Whether no row has a figure, a backend was found wrong, or a wrong answer counts. */
function isFailed({ kind, rows, judged = [] }: BenchmarkRecord, problems: number): boolean {
  const isFaulty = judged.some((one) => 'faults' in one && one.faults.length > 0)
  const isWrong = rows.some(({ outcome }) => !isMeasured(outcome) && isWrongAnswer(outcome.refused))
  const isEmpty = !rows.some(({ outcome }) => isMeasured(outcome))
  return isFaulty || (isWrong && strict.includes(kind)) || (isEmpty && problems > 0)
}

/** @throws BadInputError if no contender has room for the largest problem of a kind */
async function checkSizes(sessions: readonly Session[], problems: readonly ProblemSpec[]): Promise<void> {
  for (const problem of problems) {
    if (problem.count < few) checkPoints(problem)
    const answers = await Promise.all(sessions.map((session) => session.refusals?.(problem) ?? []))
    const refusals = answers.flat()
    const reasons = [...new Set(refusals.filter((reason) => reason !== undefined))]
    if (refusals.length > 0 && reasons.length > 0 && refusals.every((reason) => reason !== undefined))
      throw new BadInputError(`N = ${problem.count} exceeds every device asked for: ${reasons.join('; ')}`)
  }
}

/** Fewer points may be too few for a workload, such as the nearest eight. */
const few = 64

/** @throws BadInputError */
function checkPoints(problem: ProblemSpec): void {
  try {
    problemOf(problem)
  } catch (error) {
    throw new BadInputError(`N = ${problem.count}: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
  }
}
