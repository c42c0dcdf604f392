/**
 * Runs of sums that are vectors, block of components by block, and their checks. Each block is a call of its own; together they have one
 * result and one report. `with-reference.ts` brings this on demand.
 *
 * @module
 */
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { blockRuns } from '../../problem/workloads/component-blocks.ts'
import { copiedRun } from '../../problem/workloads/copied-cells.ts'
import { copiesIn } from '../../problem/workloads/domain.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { arraysFor, fittingInto } from '../results/into.ts'
import type { EngineRunOptions, RunReport } from '../run-types.ts'
import { joinedVerification, type Verification } from '../verification.ts'
import { verify } from '../verify.ts'

interface Run {
  readonly report: RunReport
}

/** Runs each block, and puts its components into the result. */
export async function runInBlocks<R extends Run>(
  wanted: PairBound,
  { into, onProgress, ...options }: EngineRunOptions,
  precision: Precision,
  run: (bound: Bound, options: EngineRunOptions) => Promise<R>,
): Promise<R> {
  const expected = arraysFor(wanted, precision)
  const [name = ''] = wanted.workload.results
  const { Type, length } = expected.get(name) as NonNullable<ReturnType<typeof expected.get>>
  const all = ((into && fittingInto(into, expected))?.[name] ?? new Type(length)) as FloatArray
  const { runs, components, width } = blockRuns(wanted)
  const reports: RunReport[] = []
  for (const [n, { first, bound }] of runs.entries()) {
    const progress = onProgress && ((done: number) => onProgress((n + done) / runs.length))
    const { report, ...results } = await run(bound, { ...options, onProgress: progress })
    const values = (results as unknown as ArrayResults)[name] as FloatArray
    for (let t = 0; t < wanted.shape.targets; t++)
      all.set(values.subarray(t * width, (t + 1) * width), t * components + first)
    reports.push(report)
  }
  return { [name]: all, report: joinedReport(reports) } as unknown as R
}

/** Checks each block. */
export async function verifyInBlocks(
  wanted: PairBound,
  sample: number | undefined,
  run: (bound: Bound) => Promise<Run>,
): Promise<Verification> {
  const all: Verification[] = []
  const reports: RunReport[] = []
  const reported = async (bound: Bound) => {
    const done = await run(bound)
    reports.push(done.report)
    return done
  }
  for (const { bound } of blockRuns(wanted).runs) {
    const { workload } = bound
    const images = copiesIn(workload.domain) ? copiedRun({ ...bound, workload }).bound : bound
    all.push(await verify(reported, images, sample))
  }
  return joinedVerification(all, joinedReport(reports))
}

/** The report of all blocks: that of the last one, with the times of all. */
function joinedReport(reports: readonly RunReport[]): RunReport {
  const last = reports.at(-1) as RunReport
  const added = (name: keyof RunReport['timings']) => reports.reduce((sum, { timings }) => sum + timings[name], 0)
  const timings = Object.fromEntries(
    Object.keys(last.timings).map((name) => [name, added(name as keyof RunReport['timings'])]),
  ) as unknown as RunReport['timings']
  const notes = [...new Set(reports.flatMap((report) => report.notes ?? []))]
  return {
    ...last,
    timings,
    interactionsPerSecond: 1 / reports.reduce((sum, one) => sum + 1 / one.interactionsPerSecond, 0),
    recoveries: reports.flatMap(({ recoveries }) => recoveries),
    ...(notes.length > 0 && { notes }),
  }
}
