/** What the measuring commands share: check what was typed, measure, print, write. */

import { BadInputError } from '../errors.ts'
import { localSession } from '../local-session.ts'
import { chromiumSession } from '../node/chromium-session.ts'
import { nodeEnvironment } from '../node/environment.ts'
import { interruptSignal } from '../node/interrupt.ts'
import { machine } from '../node/machine.ts'
import { checkWritable, writeRecord, writeReport } from '../node/output.ts'
import { readPoints } from '../node/points-file.ts'
import { progressBar } from '../node/progress.ts'
import { runWithSoftwareGpu } from '../node/software-gpu.ts'
import type { Options, RecordingOptions } from '../options.ts'
import { countOf, type ProblemSpec, problemOf } from '../problem.ts'
import type { BenchmarkRecord, Kind } from '../record.ts'
import { run } from '../run.ts'
import type { Session } from '../session.ts'

export interface Task {
  readonly kind: Kind
  readonly options: Options
  /** The record as the terminal shows it. */
  readonly table: (record: BenchmarkRecord) => string
}

export async function execute({ options, ...task }: Task): Promise<void> {
  checkOutputs(options)
  const problems = problemsOf(options)
  if (options.environments.includes('node') && options.backends.includes('webgpu')) {
    const code = await runWithSoftwareGpu()
    if (code !== undefined) {
      process.exitCode = code
      return
    }
  }
  await measureAndTell({ ...task, options, problems, sessions: await sessionsOf(options) })
}

/** @throws BadInputError if a file that was asked for could not be written */
export function checkOutputs({ json, html }: RecordingOptions): void {
  if (json !== undefined) checkWritable(json, '--json')
  if (html !== undefined) checkWritable(html, '--html')
}

export interface Measurement extends Omit<Task, 'options'> {
  readonly options: RecordingOptions
  readonly problems: readonly ProblemSpec[]
  readonly sessions: readonly Session[]
}

/** Disposes of the sessions. */
export async function measureAndTell({ kind, options, table, problems, sessions }: Measurement): Promise<void> {
  const signal = interruptSignal()
  const bar = progressBar()
  const record = await run(sessions, {
    kind,
    command: ['npm run bench --', ...process.argv.slice(2)].join(' '),
    machine: machine(),
    problems,
    seconds: options.duration,
    signal,
    onProgress: bar.update,
  })
  bar.stop()
  for (const session of sessions) await session.dispose()
  console.log(table(record))
  if (options.json !== undefined) writeRecord(record, options.json)
  if (options.html !== undefined) await writeReport(record, options.html)
}

/** Node has no WebGL, and a page has no use for the reference. */
const backendsIn: Readonly<Record<string, readonly string[]>> = {
  node: ['reference', 'cpu-wasm', 'webgpu'],
  chromium: ['cpu-wasm', 'webgpu', 'webgl'],
}

async function sessionsOf({ environments, backends }: Options): Promise<readonly Session[]> {
  const specsIn = (environment: string) =>
    backends.filter((backend) => backendsIn[environment]?.includes(backend)).map((backend) => ({ backend }))
  const sessions: Session[] = []
  for (const environment of environments) {
    const specs = specsIn(environment)
    if (specs.length === 0) continue
    sessions.push(environment === 'node' ? localSession(nodeEnvironment(), specs) : await chromiumSession(specs))
  }
  return sessions
}

/** @throws BadInputError if a law or the points for it cannot be had */
function problemsOf({ laws, expression, sizes, seed, input }: Options): readonly ProblemSpec[] {
  const points = input === undefined ? undefined : readPoints(input)
  const whats = expression === undefined ? laws.map((law) => ({ law })) : [{ expression }]
  const counts = points ? [countOf(points)] : sizes
  const specs = whats.flatMap((what) =>
    counts.map((count) => ({ what, count, seed, ...(points === undefined ? {} : { points }) })),
  )
  try {
    for (const what of whats) problemOf({ what, count: 8, seed, ...(points === undefined ? {} : { points }) })
  } catch (error) {
    throw new BadInputError(error instanceof Error ? error.message : String(error))
  }
  return specs
}
