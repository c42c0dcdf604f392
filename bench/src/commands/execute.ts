/** What the measuring commands share: check what was typed, measure, print, write. */

import { BadInputError } from '../errors.ts'
import { localSession } from '../local-session.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { interruptSignal } from '../node/interrupt.ts'
import { machine } from '../node/machine.ts'
import { checkWritable, writeRecord } from '../node/output.ts'
import { progressBar } from '../node/progress.ts'
import type { Options } from '../options.ts'
import { type ProblemSpec, problemOf } from '../problem.ts'
import type { BenchmarkRecord, Kind } from '../record.ts'
import { run } from '../run.ts'

export interface Task {
  readonly kind: Kind
  readonly options: Options
  /** The record as the terminal shows it. */
  readonly table: (record: BenchmarkRecord) => string
}

export async function execute({ kind, options, table }: Task): Promise<void> {
  if (options.json !== undefined) checkWritable(options.json, '--json')
  const problems = problemsOf(options)
  const specs = options.backends.filter((backend) => backend !== 'webgl').map((backend) => ({ backend }))
  const sessions = [localSession(nodeEnvironment(), specs)]
  const record = await run(sessions, {
    kind,
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    machine: machine(),
    problems,
    seconds: options.duration,
    signal: interruptSignal(),
    progress: progressBar(),
  })
  for (const session of sessions) await session.dispose()
  console.log(table(record))
  if (options.json !== undefined) writeRecord(record, options.json)
}

/** @throws BadInputError if a law cannot be had */
function problemsOf({ laws, expression, sizes, seed }: Options): readonly ProblemSpec[] {
  const whats = expression === undefined ? laws.map((law) => ({ law })) : [{ expression }]
  const specs = whats.flatMap((what) => sizes.map((count) => ({ what, count, seed })))
  try {
    for (const what of whats) problemOf({ what, count: 2, seed })
  } catch (error) {
    throw new BadInputError(error instanceof Error ? error.message : String(error))
  }
  return specs
}
