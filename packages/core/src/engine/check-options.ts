/**
 * Rejects options that an engine or its runs cannot understand, before anything is probed or runs.
 *
 * @module
 */

import type { Device } from '../contract/backend.ts'
import { flag, listOf, named, type OptionCheck, oneOf, onlyNamed, whileRunning, whole } from '../ground/checks.ts'
import { deepCopy } from '../ground/deep-copy.ts'
import { type Bound, checkedData } from '../problem/workloads/bind.ts'
import { withBuffersRead } from '../problem/workloads/numbers/gpu-buffers.ts'
import type { Attributes, TermParticles } from '../problem/workloads/particles.ts'
import type { PairWorkload, Shape, Workload } from '../problem/workloads/workload.ts'
import { type CheckedWorkload, checkedWorkload } from './checked-workload.ts'
import type { CandidateOptions } from './devices/candidates.ts'
import type { RunInput } from './results/executed.ts'
import { holdingInto } from './results/into.ts'
import type { EngineRunOptions, StreamOptions } from './run-types.ts'

const known = ['backends', 'backend', 'require', 'forbid', 'precision', 'threads', 'tune', 'crossover']

/** @throws TypeError, RangeError */
export function checkOptions(
  options: CandidateOptions & { readonly backends: unknown; readonly crossover?: boolean },
): void {
  const { precision = 'f32', threads = 1, tune = 'off', crossover = true } = onlyNamed(options, 'engine option', known)
  oneOf(precision, 'precision', ['f32', 'f64'])
  oneOf(tune, 'tune', ['off', 'quick', 'full'])
  whole(threads, 'threads', 1)
  flag(crossover, 'crossover')
  // Any word may be a feature of some device; only words can be.
  for (const name of ['require', 'forbid'] as const)
    listOf(options[name] === undefined ? [] : options[name], name, 'names, kinds or features')
  listOf(options.backends, 'backends', 'backends, such as reference()', (item) => 'probe' in Object(item))
}

/** Options of every kind of run. */
export const sharedOptions: readonly string[] = [
  'signal',
  'onProgress',
  'parameters',
  'tables',
  'functions',
  'ranges',
  'plan',
]

const runOptions: readonly string[] = [...sharedOptions, 'into']
const runChecks: Readonly<Record<string, OptionCheck>> = { ...whileRunning, into: named }

/**
 * Checks the arguments of a run and runs it. Before it waits, it copies all arguments except the arrays for results, and claims
 * these until the run has ended.
 *
 * @param run gets the checked data, and the copied options
 * @throws TypeError, RangeError
 */
export async function requested<Options extends EngineRunOptions<string>, Result>(
  device: Device,
  workload: Workload,
  particles: Attributes | TermParticles,
  options: Options,
  run: (bound: Bound, options: Options) => Promise<Result>,
  prepared?: Shape,
): Promise<Result> {
  onlyNamed(options, 'run option', runOptions, runChecks)
  const { into, plan, ranges, parameters } = options
  const copied = {
    ...options,
    parameters: parameters && { ...parameters },
    into: into && { ...into },
    plan: deepCopy(plan),
    ranges: deepCopy(ranges),
  }
  return holdingInto(copied.into, async () => {
    const given = bindOn(device, workload, particles, options, prepared)
    // Each wait makes garbage, so calls wait only for promises.
    const bound = given instanceof Promise ? await given : given
    return run(copied.ranges === undefined ? bound : await ranged(bound, copied.ranges), copied)
  })
}

/** Copies arrays at once, and waits only for the numbers of buffers. @throws TypeError, RangeError */
function bindOn(
  device: Device,
  workload: Workload,
  particles: Attributes | TermParticles,
  { parameters, tables, functions }: Pick<EngineRunOptions, 'parameters' | 'tables' | 'functions'>,
  prepared?: Shape,
): Bound | Promise<Bound> {
  const checked = checkedWorkload(workload)
  const known = !(checked instanceof Promise)
  // If the points cannot be copied, nobody waits for the workload.
  if (!known) checked.catch(() => {})
  const read = withBuffersRead(known ? particles : deepCopy(particles), device)
  const ready = known && !(read instanceof Promise)
  const given = { parameters, tables, functions }
  const own = (tables ?? functions) !== undefined
  const kept = ready && (!own || tablesOfRun) ? given : deepCopy(given)
  const bind = ({ workload: it, parts }: CheckedWorkload<Workload>, set: typeof particles): Bound | Promise<Bound> => {
    const tabled = checkedData(it, set, kept.parameters, prepared, parts)
    if (!own) return tabled()
    const bound = (of: TablesOfRun) => tabled(of(it, kept.tables, kept.functions))
    return tablesOfRun ? bound(tablesOfRun) : loadTablesOfRun().then(bound)
  }
  return ready ? bind(checked, read) : Promise.all([checked, read]).then((both) => bind(...both))
}

type TablesOfRun = typeof import('../problem/workloads/tables/run-tables.ts').tablesOfRun

/** Checks tables of runs. It loads with the first run that has some, once its points are checked. */
let tablesOfRun: TablesOfRun | undefined

async function loadTablesOfRun(): Promise<TablesOfRun> {
  tablesOfRun = (await import('../problem/workloads/tables/run-tables.ts')).tablesOfRun
  return tablesOfRun
}

/** Adds the ranges that a user gives. */
function ranged(bound: Bound, given: EngineRunOptions['ranges']): Bound | Promise<Bound> {
  return given === undefined ? bound : import('./with-reference.ts').then((it) => it.withRanges(bound, given))
}

/** Checks which rows are requested, and copies the data. @throws TypeError, RangeError */
export async function streamInput(
  device: Device,
  workload: PairWorkload<'value'>,
  particles: TermParticles,
  options: StreamOptions,
): Promise<RunInput & { readonly options: StreamOptions }> {
  onlyNamed(options, 'option of stream', [...sharedOptions, 'rows'], whileRunning)
  const now = { ...options, plan: deepCopy(options.plan), ranges: deepCopy(options.ranges) }
  const bound = await bindOn(device, workload, particles, options)
  if (bound.workload.loop !== 'pair' || bound.workload.reduction !== 'none')
    throw new TypeError(`"workload" expected matrix(term), got one for ${workload.results.join(', ')}: use engine.run`)
  if (options.rows !== undefined) whole(options.rows, 'rows', 1)
  return { ...(await ranged(bound, now.ranges)), options: now }
}
