/**
 * Judges a device by one case: whether it runs, whether the result is right, whether the device changed anything else, and whether the
 * report is true.
 *
 * @module
 */
import type { ArrayResults, Device, Precision, Program, Report } from '@manybody/core'
import {
  type Bound,
  bind,
  deviceNumbers,
  errorBound,
  prepareRanged,
  steepFloor,
  type Truth,
  truthOf,
  withRanges,
} from '@manybody/core/judge'
import type { Case, CaseRun } from '../case.ts'
import { atPrecision } from './at-precision.ts'
import { type Comparison, compareNumbers, compareWithKnown, compareWithTruth, joined } from './compare.ts'
import { runInParts } from './run-in-parts.ts'

/** The outcome of a case. It passed if it was not refused and has no faults. */
export interface Judgement extends Comparison {
  /** Why the device says that it cannot run the case. */
  readonly refusal?: string
  /** The largest allowed error of a number. */
  readonly bound: number
}

/** Runs a case and compares. @throws any error of the device's run */
export async function judge(device: Device, one: Case): Promise<Judgement> {
  const bounds = [one, ...(one.again ?? [])].map((run) => boundOf(run, device, one.asGiven))
  const [first] = bounds as [BoundRun, ...BoundRun[]]
  const { workload, shape } = first
  const { ranged: _, ...unranged } = shape
  const support = device.supports(workload, unranged)
  if (!support.ok)
    return { refusal: support.reason, bound: 0, ...(await agreesToRefuse(device, { ...first, shape: unranged })) }
  const program = await prepared(device, first)
  if (typeof program === 'string') return { faults: [program], error: Number.POSITIVE_INFINITY, bound: 0 }
  try {
    return await judgeRuns(device, program, one, bounds)
  } finally {
    program.dispose()
  }
}

interface BoundRun extends Bound {
  readonly run: CaseRun
  readonly workload: CaseRun['workload']
  /** The same data before core converted it for the device. */
  readonly given: Bound
}

function boundOf(run: CaseRun, { info: { precision } }: Device, asGiven = false): BoundRun {
  const { workload, particles, parameters, tables, functions, ranges } = run
  const points = asGiven ? particles : atPrecision(particles, precision)
  const all = bind(workload, points, parameters, undefined, tables, functions)
  const given = ranges ? withRanges({ ...all, workload }, ranges) : all
  return { run, given, ...deviceNumbers(given, precision) }
}

async function agreesToRefuse(device: Device, { workload, shape }: BoundRun): Promise<Comparison> {
  try {
    const program = await device.prepare(workload, shape)
    program.dispose()
    return { faults: ['supports refuses the workload, but prepare accepts it'], error: Number.POSITIVE_INFINITY }
  } catch {
    return { faults: [], error: 0 }
  }
}

async function prepared(device: Device, { workload, shape }: BoundRun): Promise<Program | string> {
  try {
    // A device that reads no ranges runs them one by one, as in an engine.
    if (shape.ranged && workload.loop === 'pair') return await prepareRanged(device, workload, shape)
    return await device.prepare(workload, shape)
  } catch (error) {
    return `supports accepts the workload, but prepare throws: ${error instanceof Error ? error.message : String(error)}`
  }
}

interface Done {
  readonly bound: BoundRun
  readonly results: ArrayResults
  /** A copy of the results at the end of the run. */
  readonly copy: ArrayResults
  readonly truth: Truth
}

async function judgeRuns(device: Device, program: Program, one: Case, bounds: readonly BoundRun[]): Promise<Judgement> {
  const comparisons: Comparison[] = []
  const done: Done[] = []
  let allowed = 0
  for (const bound of bounds) {
    const { shape, run } = bound
    const { results, faults } = await runInParts(device, program, bound, one.parts)
    const truth = truthFor(bound, device.info.precision)
    allowed = allowedError(program.report, shape.sources, one)
    comparisons.push(
      { faults, error: 0 },
      compareWithTruth(results, truth, device.info.precision, allowed),
      compareWithKnown(results, truth, run, allowed),
      ...(one.balanced ? [balance(bound, results, truth, allowed)] : []),
    )
    done.push({ bound, results, copy: copyOf(results), truth })
  }
  if (one.agreeing) comparisons.push(...agreement(done, allowed))
  comparisons.push({ faults: overwritten(done), error: 0 })
  return { ...joined(comparisons), bound: allowed }
}

/** The expected results for each precision. */
const truths = { f32: new WeakMap<CaseRun, Truth>(), f64: new WeakMap<CaseRun, Truth>() } as const

/** Remembers the truth for each run and precision, because it takes longer to compute than the run of most devices. */
function truthFor({ run, workload, given }: BoundRun, precision: Precision): Truth {
  const known = truths[precision].get(run)
  if (known) return known
  const truth = truthOf(workload, given.shape, given.bindings, { precision: 'f64' })
  truths[precision].set(run, truth)
  return truth
}

function allowedError(report: Report, sources: number, { steep }: Case): number {
  return errorBound(report, sources, steep ? steepFloor : undefined)
}

/** Adds up the results of all targets. Each component must be zero relative to all terms. */
function balance({ shape }: BoundRun, results: ArrayResults, truth: Truth, bound: number): Comparison {
  const comparisons = Object.entries(results).map(([name, array]) => {
    const components = array.length / shape.targets
    const total = new Float64Array(components)
    for (const [n, value] of array.entries()) total[n % components] = (total[n % components] as number) + value
    const scale = (truth.scales[name] ?? new Float64Array(0)).reduce((sum, s) => sum + s, 0)
    return compareNumbers(`the total of ${name}`, total, new Float64Array(components), [scale], bound)
  })
  return joined(comparisons)
}

function agreement([first, ...others]: readonly Done[], bound: number): readonly Comparison[] {
  if (!first) return []
  return others.flatMap(({ results }) =>
    Object.entries(first.results).map(([name, expected]) =>
      compareNumbers(`${name} of another order`, results[name] ?? [], expected, first.truth.scales[name] ?? [], bound),
    ),
  )
}

const copyOf = (results: ArrayResults): ArrayResults =>
  Object.fromEntries(Object.entries(results).map(([name, array]) => [name, array.slice()]))

/** Results belong to the caller, so later runs must not overwrite them. */
function overwritten(done: readonly Done[]): readonly string[] {
  const changed = done.some(({ results, copy }) =>
    Object.entries(copy).some(([name, array]) => array.some((value, n) => !Object.is(value, results[name]?.[n]))),
  )
  return changed ? ['a later run overwrote the results of an earlier one'] : []
}
