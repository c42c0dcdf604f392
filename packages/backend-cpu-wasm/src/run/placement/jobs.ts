/**
 * The jobs of a program whose inputs, points and results have their places in memory: its phases in order, then the
 * conversion of integer results to floats.
 *
 * @module
 */
import { blockPoints } from '@manybody/core/near'
import type { PhaseShape, ResultLayout } from '../../design/design.ts'
import { cutLevels } from '../../design/order-layout.ts'
import type { DeviceArray } from '../host/buffer.ts'
import type { Copies, Job } from '../threads/job.ts'
import type { Span } from '../threads/messages.ts'
import { Arrangement } from './arrangement.ts'
import { givenRanges } from './given-ranges.ts'
import type { LastingLists } from './lasting.ts'
import { type LoadedProgram, phaseIndex } from './loaded-program.ts'
import type { Regions } from './regions.ts'

interface Counts {
  readonly targets: number
  readonly sources: number
  readonly proxies: number
}

const countOf = (counts: Counts, over: PhaseShape['over']): number =>
  over === 'proxy' ? counts.proxies : counts[`${over}s`]

/** Number of blocks of points, each of which has totals, and the bytes of all of these. */
export interface OnceTotals {
  readonly blocks: number
  readonly totalBytes: number
}

/** A program, with everything that it needs in memory. */
export interface BoundProgram {
  readonly program: LoadedProgram
  readonly regions: Regions
  /** Number of points of each side, and of proxies. */
  readonly counts: Counts
  /** Addresses to which the phase `pairs` writes the results. */
  readonly results: ReadonlyMap<string, number>
  /** Whether the pairs keep numbers that the results contain before. */
  readonly keeps: boolean
  /** Integer results that must be converted to the floats of a device array. */
  readonly whole: readonly { readonly result: ResultLayout; readonly to: DeviceArray }[]
  /** Whether a result replaces its own input, so that the phase `copy` is needed. */
  readonly copies: boolean
  /** Device arrays to set to 0 before the pairs. */
  readonly cleared: readonly DeviceArray[]
  /** The points in blocks, if the program visits blocks. */
  readonly arrangement?: Arrangement | undefined
  /** Lists that last for several rounds, if a sequence carries what they need. */
  readonly lasting?: LastingLists | undefined
  /** If proxies are made between two parts of the phases: which part. */
  readonly part?: 'points' | 'pairs' | undefined
  /** What the host does once nodes are weighed. */
  readonly between?: Job | undefined
  /** Number of pairs in the ranges that the caller gives. */
  readonly givenPairs?: number | undefined
  readonly threads: number
  /** Bytes of the scratch of a thread. */
  readonly scratchBytes: number
  /** The totals of a thread, if each pair is visited once. */
  readonly once?: OnceTotals | undefined
  /** Whether the totals of all threads are 0, as a finished run leaves them. */
  readonly totals: { zero: boolean }
}

/** Names of the regions of proxies that the phase `pairs` reads. */
const proxyRegions: readonly string[] = ['proxies', 'openings', 'scheme']

/** The most milliseconds of one call, which cannot be aborted. */
const longestCall = 25

/** About how many sources a target meets by blocks, until a run has been timed. */
const metInBlocks = 1000

export function jobsOf(bound: BoundProgram): readonly Job[] {
  const { program, regions, counts, copies, cleared, whole, givenPairs, lasting } = bound
  const phases = program.design.phases.filter(
    ({ name, level = -1, over }) =>
      (name !== 'copy' || copies) && (lasting || !lastingPhases.has(name)) && level < cutLevels(countOf(counts, over)),
  )
  const jobOf = (phase: PhaseShape): Job => {
    const units = unitsOf(bound, phase)
    const all = givenPairs === undefined ? counts.sources : givenPairs / Math.max(1, counts.targets)
    const met = program.design.coordinateBytes ? Math.min(all, metInBlocks) : all
    const nanoseconds = phase.nanoseconds * (phase.perThread ? bound.threads : 1)
    const perPoint = phase.pairs ? met * nanoseconds : nanoseconds
    const index = phaseIndex(program, phase.name)
    const chooser = program.choosers[index]
    const measured = chooser?.alone
    const cost = measured === undefined ? countOf(counts, phase.over) * perPoint * 1e-6 : measured * units
    return {
      program,
      phase: index,
      block: regions.at('block'),
      scratch: regions.at('scratch'),
      scratchBytes: bound.scratchBytes,
      units,
      callUnits: Math.max(
        1,
        Math.min(phase.callUnits, Math.floor((units * longestCall) / Math.max(cost, longestCall))),
      ),
      cost,
      ...(chooser ? { chooser } : {}),
      copies: phase.pairs && !regions.memory.shared ? () => copiesOf(bound, phase) : undefined,
    }
  }
  const conversions = whole.map(({ result, to }) => conversion(bound, result, to))
  const { arrangement } = bound
  if (bound.once) return withTotals(phases.map(jobOf), phaseIndex(program, 'clear'), bound.totals)
  if (!arrangement) {
    const clears = cleared.map((array) => clearing(bound, array))
    return [...phases.flatMap((phase) => [...(phase.pairs ? clears : []), jobOf(phase)]), ...conversions]
  }
  // Points are put in order before any other phase reads them.
  const [ordering, others] = [phases.filter(({ orders }) => orders), phases.filter(({ orders }) => !orders)]
  const begun = onThisThread(() => arrangement.begin(), 1e-3)
  const finished = onThisThread(() => arrangement.finish(lasting?.skin), 1e-3)
  if (lasting) return [...lastingJobs(lasting, { begun, finished, ordering, others, jobOf }), ...conversions]
  const middle = bound.part ? others.findIndex(({ name }) => name === 'gather') : others.length
  if (bound.part === 'pairs')
    return others.slice(middle).flatMap((phase) => {
      if (phase.over === 'proxy') return counted(() => jobOf(phase))
      return phase.name === 'gatherTop' && bound.between ? [jobOf(phase), bound.between] : jobOf(phase)
    })
  return [begun, ...ordering.map(jobOf), finished, ...others.slice(0, middle).map(jobOf), ...conversions]
}

/** Adds what keeps track of the totals of all threads. */
function withTotals(jobs: readonly Job[], clear: number, totals: BoundProgram['totals']): readonly Job[] {
  const skip = () => {
    const { zero } = totals
    // Until the run has ended, they are not.
    totals.zero = false
    return zero
  }
  const ended = onThisThread(() => {
    totals.zero = true
  }, 1e-3)
  return [...jobs.map((job) => (job.phase === clear ? { skip, ...job } : job)), ended]
}

/** The phases of lists that last for several rounds. */
const lastingPhases: ReadonlySet<string> = new Set(['list', 'listed'])

interface LastingPhases {
  readonly begun: Job
  readonly finished: Job
  readonly ordering: readonly PhaseShape[]
  readonly others: readonly PhaseShape[]
  readonly jobOf: (phase: PhaseShape) => Job
}

/** The jobs of a round that makes lists if those of earlier rounds do not hold, and goes by them or, sometimes, without. */
function lastingJobs(lasting: LastingLists, of: LastingPhases): readonly Job[] {
  const job = (phase: PhaseShape | Job, when: () => boolean): Job => ({
    ...('name' in phase ? of.jobOf(phase) : phase),
    skip: () => !when(),
  })
  const named = (name: string) => of.others.find((phase) => phase.name === name) as PhaseShape
  const host = (work: () => void, when: () => boolean) => job(onThisThread(work, 1e-3), when)
  const gathers = ['targets', 'sources'].map(named)
  const orders = () => lasting.making || !lasting.listed
  return [
    onThisThread(() => lasting.decide(), 1e-2),
    ...[of.begun, ...of.ordering, of.finished, ...gathers].map((phase) => job(phase, orders)),
    host(
      () => lasting.reserve(),
      () => lasting.making,
    ),
    job(named('list'), () => lasting.making),
    host(
      () => lasting.fit(),
      () => lasting.making,
    ),
    job(named('list'), () => lasting.again),
    host(
      () => lasting.made(),
      () => lasting.again,
    ),
    host(
      () => lasting.leaveCarried(),
      () => lasting.carriedOnes,
    ),
    ...gathers.map((phase) => job(phase, () => lasting.carriedOnes || (lasting.listed && !lasting.making))),
    job(named('pairs'), () => !lasting.listed),
    job(named('listed'), () => lasting.listed),
    of.jobOf(named('scatter')),
  ]
}

/** A job whose units are counted when it is its turn. */
function counted(now: () => Job): Job {
  return {
    ...now(),
    get units() {
      return now().units
    },
    get callUnits() {
      return now().callUnits
    },
    get cost() {
      return now().cost
    },
  }
}

/** A job that is a function of the host. */
export function onThisThread(work: () => void, cost: number): Job {
  const program = { id: 0, phases: [work] }
  return { program, phase: 0, block: 0, scratch: 0, scratchBytes: 0, units: 1, callUnits: 1, cost }
}

function unitsOf({ counts, once, threads }: BoundProgram, { over, points, units }: PhaseShape): number {
  const { blocks = 0 } = once ?? {}
  if (units === undefined) return Math.ceil(countOf(counts, over) / points)
  if (counts.targets === 0) return 0
  if (units === 'blocks') return (blocks * (blocks + 1)) / 2
  if (units === 'tasks') return 2 ** cutLevels(countOf(counts, over))
  return units === 'threads' ? threads : units
}

/** The job that sets a device array to 0, on this thread. */
function clearing({ regions }: BoundProgram, { address, length }: DeviceArray): Job {
  return onThisThread(() => void regions.view('number', address, length).fill(0), length * 1e-6)
}

/** The job that converts an integer result to floats, on this thread, because the cost is negligible. */
function conversion(
  { regions, counts }: BoundProgram,
  { name, entries, type }: ResultLayout,
  { address, length }: DeviceArray,
): Job {
  const convert = () => {
    const from = regions.view(type, regions.at(`result.${name}`), counts.targets * entries)
    regions.view('number', address, length).set(from)
  }
  return onThisThread(convert, length * 1e-6)
}

/** What workers with separate memories need for the phase `pairs`. */
function copiesOf(bound: BoundProgram, phase: PhaseShape): Copies {
  const { program, regions, counts, keeps } = bound
  const read = [
    'block',
    'targets',
    'sources',
    'offsets',
    'exclusionOffsets',
    'exclusionSources',
    ...givenRanges,
    ...Arrangement.regions,
    ...proxyRegions,
  ]
  const inputs = read.flatMap((name) => regions.spansOf(name))
  const base = { memory: regions.memory.memory, inputs }
  const { once } = bound
  if (once)
    return {
      ...base,
      before: phaseIndex(program, 'clear'),
      results: () => [],
      totals: { address: regions.at('scratch'), length: once.totalBytes },
    }
  const results = (first: number, last: number): readonly Span[] => {
    const [from, to] = bound.arrangement?.placesOf(first, last) ?? [
      Math.min(first * phase.points, counts.targets),
      Math.min(last * phase.points, counts.targets),
    ]
    const blocks = (targets: number) => Math.ceil(targets / blockPoints)
    const evaluated = regions.has('evaluated')
      ? [{ address: regions.at('evaluated') + 4 * blocks(from), length: 4 * (blocks(to) - blocks(from)) }]
      : []
    return program.design.results
      .map(({ name, entries, type, listed }) => {
        const bytes = entries * regions.bytesOf(type)
        const [first, last] = listed ? listedBetween(bound, from, to) : [from, to]
        return { address: (bound.results.get(name) ?? 0) + first * bytes, length: (last - first) * bytes }
      })
      .concat(evaluated)
  }
  // What the pairs keep of the results is an input, too.
  return { ...base, inputs: keeps ? [...inputs, ...results(0, unitsOf(bound, phase))] : inputs, results }
}

/** The entries of the lists of consecutive targets, or of targets in consecutive places. */
function listedBetween({ regions, arrangement }: BoundProgram, from: number, to: number): readonly [number, number] {
  const starts = new Uint32Array(regions.memory.memory.buffer, regions.at(arrangement ? 'starts' : 'offsets'), to + 1)
  return [starts[from] as number, starts[to] as number]
}
