/**
 * Runs of sums that are vectors, block of components by block, and their checks. Each block is a call of its own; together they have one
 * result and one report. `with-reference.ts` brings this on demand.
 *
 * @module
 */
import type { PointSet } from '../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { type BlockRun, blockRuns } from '../../problem/workloads/component-blocks.ts'
import { copiedRun } from '../../problem/workloads/copied-cells.ts'
import { copiesIn } from '../../problem/workloads/domain.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import { inFloat32, withSets } from '../../problem/workloads/numbers/float32-numbers.ts'
import type { ArrayResults } from '../../problem/workloads/workload.ts'
import { YieldTimer } from '../../truth/reference/yield-timer.ts'
import { arraysFor, fittingInto, placed } from '../results/into.ts'
import type { EngineRunOptions, RunReport } from '../run-types.ts'
import { joinedVerification, type Verification } from '../verification.ts'
import { verify } from '../verify.ts'

interface Run {
  readonly report: RunReport
}

type RunBlock<R> = (bound: Bound, options: EngineRunOptions) => Promise<R>

/** The call of all blocks. */
interface BlocksCall {
  /** When it began. */
  readonly start?: number | undefined
  /** Devices lost before the first block. */
  readonly recoveries: readonly string[]
  /** The note about a result that is not finite; undefined if all are. */
  readonly noteOf: (bound: Bound, results: ArrayResults, report: RunReport) => Promise<string> | undefined
}

/** Runs each block, and puts its components into the result. */
export async function runInBlocks<R extends Run>(
  wanted: PairBound,
  { into, ...options }: EngineRunOptions,
  precision: Precision,
  run: RunBlock<R>,
  { start = performance.now(), recoveries, noteOf }: BlocksCall,
): Promise<R> {
  const begun = performance.now()
  const expected = arraysFor(wanted, precision)
  const [name = ''] = wanted.workload.results
  const { Type, length } = expected.get(name) as NonNullable<ReturnType<typeof expected.get>>
  const arrays = into && fittingInto(into, expected)
  const numbers = new Type(length) as FloatArray
  const reports: RunReport[] = []
  let inBlocks = 0
  await inTurn(wanted, options, precision, async ({ first, width, components, bound }, now) => {
    const from = performance.now()
    const { report, ...results } = await run(bound, now)
    inBlocks += performance.now() - from
    const values = (results as unknown as ArrayResults)[name] as FloatArray
    for (let t = 0; t < wanted.shape.targets; t++)
      numbers.set(values.subarray(t * width, (t + 1) * width), t * components + first)
    reports.push(report)
  })
  const results = arrays ? placed({ [name]: numbers }, arrays) : { [name]: numbers }
  const outside = { checks: begun - start, binding: performance.now() - begun - inBlocks }
  const joined = joinedReport(reports, outside, recoveries)
  const all = reports.flatMap((report) => report.notes ?? [])
  // A note of a block has the place of its component in the block.
  const isStray = (note: string) => note.startsWith(`"${name}" of `)
  const stray = all.some(isStray) ? await noteOf(wanted, { [name]: numbers }, joined) : undefined
  const notes = [...new Set(all.filter((note) => !isStray(note))), ...(stray === undefined ? [] : [stray])]
  return { ...results, report: { ...joined, ...(notes.length > 0 && { notes }) } } as unknown as R
}

/** The part of the progress of a check that its run tells. */
const shareOfRun = 0.5

/** Runs the whole sum, and checks it block by block. @throws `signal.reason` when aborted */
export async function verifyInBlocks(
  wanted: PairBound,
  sample: number | undefined,
  { onProgress, ...options }: EngineRunOptions,
  precision: Precision,
  run: RunBlock<Run>,
): Promise<Verification> {
  const during = onProgress && ((done: number) => onProgress(shareOfRun * done))
  const whole = await run(wanted, { ...options, onProgress: during })
  const all: Verification[] = []
  const timer = new YieldTimer()
  const checks = {
    ...options,
    onProgress: onProgress && ((done: number) => onProgress(shareOfRun + (1 - shareOfRun) * done)),
  }
  await inTurn(wanted, checks, precision, async ({ bound, ...block }, { signal, onProgress: told }) => {
    signal?.throwIfAborted()
    if (timer.due()) await timer.pause(signal)
    const images = copiesIn(bound.workload.domain) ? copiedRun(bound).bound : bound
    all.push(await verify(async () => partOf(whole, wanted, block), images, sample))
    told?.(1)
  })
  return joinedVerification(all, whole.report)
}

/** The components of a block in the results of the whole sum. */
function partOf(
  { report, ...results }: Run,
  { workload, shape }: PairBound,
  { first, width, components }: Pick<BlockRun, 'first'> & { readonly width: number; readonly components: number },
): Run {
  const [name = ''] = workload.results
  const all = (results as unknown as ArrayResults)[name] as FloatArray
  const part = all.slice(0, shape.targets * width)
  for (let t = 0; t < shape.targets; t++)
    part.set(all.subarray(t * components + first, t * components + first + width), t * width)
  return { report, [name]: part } as Run
}

/** Does some work for each block, with options that tell the progress of all. @throws RangeError for numbers that a device does not hold */
async function inTurn(
  wanted: PairBound,
  { onProgress, ...options }: EngineRunOptions,
  precision: Precision,
  work: (
    block: BlockRun & { readonly width: number; readonly components: number },
    options: EngineRunOptions,
  ) => Promise<void>,
): Promise<void> {
  const { runs, count, ...sizes } = blockRuns(precision === 'f32' ? vectorsInFloat32(wanted) : wanted)
  let before = 0
  for (const block of runs) {
    const begun = before++
    const progress = onProgress && ((done: number) => onProgress((begun + done) / count))
    await work({ ...block, ...sizes }, { ...options, onProgress: progress })
  }
}

/**
 * The run with its vectors in float32. They are checked before they are split, so errors have the names and indices of the caller.
 * Devices get positions in their own way.
 */
function vectorsInFloat32(wanted: PairBound): PairBound {
  const { targets, sources, tables } = wanted.bindings
  const { bindings } = inFloat32(wanted)
  const withPosition = (set: PointSet, { arrays: { position } }: PointSet): PointSet =>
    position ? { ...set, arrays: { ...set.arrays, position } } : set
  const given = { ...wanted, bindings: { ...bindings, ...(tables && { tables }) } }
  const here = withPosition(bindings.targets, targets)
  return {
    ...withSets(given, targets === sources, here, () => withPosition(bindings.sources, sources)),
    workload: wanted.workload,
  }
}

/**
 * The report of all blocks: that of the last one, with the times of all. They share one program, which was compiled once.
 *
 * @param outside milliseconds between the runs of blocks
 * @param recoveries devices lost before the first block
 */
function joinedReport(
  reports: readonly RunReport[],
  outside: Partial<RunReport['timings']>,
  recoveries: readonly string[],
): RunReport {
  const { notes: _, ...last } = reports.at(-1) as RunReport
  const added = (name: keyof RunReport['timings']) =>
    reports.reduce((sum, { timings }) => sum + timings[name], outside[name] ?? 0)
  const { compile } = last.timings
  const timings = {
    ...{ checks: added('checks'), binding: added('binding'), compile },
    ...{ upload: added('upload'), compute: added('compute'), readback: added('readback') },
  }
  return {
    ...last,
    timings,
    interactionsPerSecond: 1 / reports.reduce((sum, one) => sum + 1 / one.interactionsPerSecond, 0),
    recoveries: [...recoveries, ...reports.flatMap((report) => report.recoveries)],
  }
}
