/**
 * Rejects options that an engine or its runs cannot understand, before anything is probed or runs.
 *
 * @module
 */

import type { Device } from '../contract/backend.ts'
import { flag, listOf, named, type OptionCheck, oneOf, onlyNamed, whileRunning, whole } from '../ground/checks.ts'
import { deepCopy } from '../ground/deep-copy.ts'
import { type Bound, bindChecked } from '../problem/workloads/bind.ts'
import { withBuffersRead } from '../problem/workloads/numbers/gpu-buffers.ts'
import type { Attributes, TermParticles } from '../problem/workloads/particles.ts'
import type { PairWorkload, Shape, Workload } from '../problem/workloads/workload.ts'
import { checkedWorkload } from './checked-workload.ts'
import type { CandidateOptions } from './devices/candidates.ts'
import type { RunInput } from './results/executed.ts'
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

/** A checked call. */
interface Requested<Options> {
  readonly bound: Bound
  readonly options: Options
}

const runOptions: readonly string[] = [...sharedOptions, 'into']
const runChecks: Readonly<Record<string, OptionCheck>> = { ...whileRunning, into: named }

/** Checks the arguments of a run and, before it waits, copies all of them except the arrays for results. @throws TypeError, RangeError */
export function requested<Options extends EngineRunOptions<string>>(
  device: Device,
  workload: Workload,
  particles: Attributes | TermParticles,
  options: Options,
  prepared?: Shape,
): Requested<Options> | Promise<Requested<Options>> {
  onlyNamed(options, 'run option', runOptions, runChecks)
  const bound = bindOn(device, workload, particles, options, prepared)
  const { into, plan, ranges, parameters } = options
  const copied = {
    ...options,
    parameters: parameters && { ...parameters },
    into: into && { ...into },
    plan: deepCopy(plan),
    ranges: deepCopy(ranges),
  }
  if (!(bound instanceof Promise) && copied.ranges === undefined) return { bound, options: copied }
  return Promise.resolve(bound)
    .then((it) => ranged(it, copied.ranges))
    .then((it) => ({ bound: it, options: copied }))
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
  const tablesFor = (tables ?? functions) === undefined ? lawTables : (ownTables ?? loadOwnTables())
  const known = !(checked instanceof Promise) && !(tablesFor instanceof Promise)
  const read = withBuffersRead(known ? particles : deepCopy(particles), device)
  if (known && !(read instanceof Promise))
    return bindChecked(checked, read, parameters, prepared, tablesFor(checked, tables, functions))
  const kept = deepCopy({ parameters, tables, functions })
  return Promise.all([checked, read, tablesFor]).then(([it, set, tablesFor]) =>
    bindChecked(it, set, kept.parameters, prepared, tablesFor(it, kept.tables, kept.functions)),
  )
}

type TablesFor = typeof import('../problem/workloads/tables/run-tables.ts').tablesOfRun

/** Runs without tables of their own take those of the law. */
const lawTables: TablesFor = () => undefined

/** Checks tables of runs. It loads with the first run that has some. */
let ownTables: TablesFor | undefined

async function loadOwnTables(): Promise<TablesFor> {
  ownTables = (await import('../problem/workloads/tables/run-tables.ts')).tablesOfRun
  return ownTables
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
