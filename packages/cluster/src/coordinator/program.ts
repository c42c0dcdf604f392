/**
 * A program of the cluster. Runs that are worth it go to the workers; all others run on the device at home.
 *
 * @module
 */
import {
  type ArrayResults,
  type Bindings,
  type DeviceInfo,
  DeviceLostError,
  type FloatArray,
  type LossReason,
  type PointSet,
  type Program,
  type Report,
  type RunOptions,
} from '@manybody/core'
import { firstNotFinite, lengthOf, reportAfter, type resultArrays, runRanges } from '@manybody/core/backend'
import { attributesRead } from '@manybody/core/expression'
import type { WorkerReport } from '../wire/answer.ts'
import { StoreError } from '../wire/store.ts'
import { type InOrder, placed, plainArrays } from './cluster-array.ts'
import { describeWorkers } from './describe-workers.ts'
import { describe, type Estimate, Estimates } from './estimates.ts'
import type { PairRun, Sender } from './sending.ts'
import type { SpreadRun } from './spread-job.ts'
import { type Speaking, spreadRun } from './spread-run.ts'

/** The parts of a cluster that all its programs share. */
export interface Coordinator extends Speaking {
  readonly info: DeviceInfo
  readonly sender: Sender
  readonly order: InOrder
  /** Whether small runs go to the workers, too. */
  readonly always: boolean
  /** The share of blocks that are checked. */
  readonly recheck: number
  /** Aborted when the device is disposed of. */
  readonly disposed: AbortSignal
  /** Ends the device for this reason. */
  lose(loss: LossReason): void
}

export class ClusterProgram implements Program {
  readonly #cluster: Coordinator
  readonly #given: PairRun | undefined
  #report: Report
  readonly #estimates: Estimates

  /**
   * @param home the same program on the device at home
   * @param types the types of the results
   * @param given the run that workers need to know; absent for a program that always runs at home
   */
  constructor(
    cluster: Coordinator,
    readonly home: Program,
    readonly types: ReturnType<typeof resultArrays>,
    given: PairRun | undefined,
  ) {
    this.#cluster = cluster
    this.#given = given
    this.#estimates = new Estimates(home.report.kind)
    this.#report = this.#renamed(home.report, 'at home')
  }

  get report(): Report {
    return this.#report
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return this.#cluster.order.run(() => this.now(bindings, options))
  }

  /** Runs at once: the caller has waited for its turn. */
  async now(given: Bindings, options: RunOptions): Promise<ArrayResults> {
    options.signal?.throwIfAborted()
    const estimate = await this.estimate(given, options)
    const bindings = await placed(this.#read(given), plainArrays)
    // Workers refuse other numbers. In a simulation, the limit of a step may be infinite for a point by itself.
    const spread = this.#given && this.isSpread(estimate, options) && hasFinite(bindings)
    if (this.#given && spread) return this.#spread(this.#given, bindings, options, estimate)
    const began = performance.now()
    const results = await this.home.run(bindings, options)
    this.#estimates.ranAtHome(this.#pairs(options), performance.now() - began)
    this.#report = this.#renamed(this.home.report, estimate ? `at home: ${describe(estimate)}` : 'at home')
    return results
  }

  /** Whether a run goes to the workers. If there is no worker and the run must not run at home, it waits for one. */
  isSpread(estimate: Estimate | undefined, options: RunOptions): boolean {
    if (this.#cluster.always) return this.#pairs(options) > 0
    return estimate !== undefined && estimate.atHome > estimate.spread
  }

  /**
   * Estimates a run; undefined if there is no choice. Before the first run on the workers, a few targets measure the speed of the device
   * at home.
   */
  async estimate(given: Bindings, options: RunOptions): Promise<Estimate | undefined> {
    const pairs = this.#pairs(options)
    if (pairs === 0) return undefined
    const bindings = this.#read(given)
    const estimated = () => this.#estimates.of(pairs, bytesOf(bindings), this.#cluster.team.members)
    const first = estimated()
    if (this.#cluster.always || this.#estimates.knowsHome || !first || first.atHome <= first.spread) return first
    await this.#tryAtHome(await placed(bindings, plainArrays), options)
    return estimated()
  }

  /** Runs some targets twice: the first time, a device compiles and is not warm. */
  async #tryAtHome(
    bindings: Bindings,
    { signal, sources, targets = [0, bindings.targets.count] }: RunOptions,
  ): Promise<void> {
    const [first, last] = targets
    const lines = lengthOf(sources ?? [0, bindings.sources.count])
    const count = Math.ceil(Math.min((last - first) / 16, this.#estimates.pairsToTry / lines))
    const some = { signal, targets: [first, first + count] as const, ...(sources && { sources }) }
    for (let n = 0; n < 2; n++) await this.home.run(bindings, some)
    this.#estimates.ranAtHome(count * lines, this.home.report.timings.compute)
  }

  #pairs(options: RunOptions): number {
    return this.#given ? pairsOf(this.#given, options) : 0
  }

  /** Reports that the device at home has run the program in a sequence. */
  ranInSequence(): void {
    this.#report = this.#renamed(this.home.report, 'at home')
  }

  dispose(): void {
    this.home.dispose()
  }

  /**
   * Keeps only the arrays that the law reads. A simulation binds all arrays of its state, but a loop over pairs reads few of them.
   * Split coordinates need more arrays and are rare, so they are left alone.
   */
  #read(bindings: Bindings): Bindings {
    const same = bindings.sources === bindings.targets
    const { workload, shape } = this.#given ?? {}
    if (!workload || !shape || shape.split) return bindings
    const read = attributesRead(workload, shape.dimension)
    const only = ({ count, arrays }: PointSet, names: readonly string[]) => {
      const kept = Object.entries(arrays).filter(([name]) => name === 'position' || names.includes(name))
      return { count, arrays: Object.fromEntries(kept) }
    }
    const targets = only(bindings.targets, [...read.targets, ...(same ? read.sources : [])])
    return { ...bindings, targets, sources: same ? targets : only(bindings.sources, read.sources) }
  }

  async #spread(
    given: PairRun,
    bindings: Bindings,
    options: RunOptions,
    estimate: Estimate | undefined,
  ): Promise<ArrayResults> {
    const { team, sender, recheck, disposed } = this.#cluster
    const began = performance.now()
    const sentBefore = sender.bytes
    let sent = began
    try {
      const work = await sender.jobOf(given, bindings, options, team.size)
      sent = performance.now()
      const into = unread(options.into, bindings)
      const run = await spreadRun(this.#cluster, work, { ...options, into, recheck, disposed })
      const upload = sent - began
      this.#estimates.ranSpread(estimate, performance.now() - began)
      this.#report = this.#spreadReport(
        given,
        options,
        run,
        upload,
        performance.now() - sent,
        sender.bytes - sentBefore,
      )
      return run.results
    } catch (error) {
      options.signal?.throwIfAborted()
      disposed.throwIfAborted()
      if (error instanceof StoreError) throw error
      const reason = error instanceof Error ? error.message : String(error)
      const loss = { reason, remedy: 'start workers, or leave the cluster out of the backends' }
      this.#cluster.lose(loss)
      throw new DeviceLostError('cluster', loss)
    }
  }

  #renamed(report: Report, where: string): Report {
    const { info } = this.#cluster
    return {
      ...report,
      backend: info.backend,
      device: info.name,
      kind: info.kind,
      variant: `${report.variant}, ${where}`,
    }
  }

  #spreadReport(
    given: PairRun,
    options: RunOptions,
    { reports, evaluated, blocks, repeated, rechecked, judged, workers, bytes, waiting }: SpreadRun,
    upload: number,
    compute: number,
    sent: number,
  ): Report {
    const names = [...new Set(reports.map(({ variant }) => variant))].join(' and ')
    const { chains, ...report } = this.#renamed(this.home.report, '')
    const compile = Math.max(0, ...reports.map((one) => one.compile))
    const least = leastExact(reports)
    return {
      ...reportAfter(report, pairsOf(given, options), { compile, upload, compute }, evaluated),
      ...(least.chains && { chains: least.chains }),
      variant: `${names} on ${workers.length} ${workers.length === 1 ? 'worker' : 'workers'}`,
      accumulation: least.accumulation,
      spread: {
        blocks,
        repeated,
        rechecked,
        judged,
        workers: describeWorkers(workers.map(({ info }) => info)),
        sentBytes: sent,
        receivedBytes: bytes,
        waiting,
      },
    }
  }
}

function pairsOf({ workload, shape }: PairRun, options: RunOptions): number {
  const { targets, sources } = runRanges(workload, shape, options)
  return lengthOf(targets) * lengthOf(sources)
}

/** Bytes of the points of a run, as workers get them. */
function bytesOf({ targets, sources }: Bindings): number {
  const sets = sources === targets ? [targets] : [targets, sources]
  return sets.flatMap(({ arrays }) => Object.values(arrays)).reduce((sum, { length }) => sum + 4 * length, 0)
}

/** Arrays for the results, unless the run also reads one of them: workers may ask for it until the run has ended. */
function unread(into: ArrayResults | undefined, { targets, sources }: Bindings): ArrayResults | undefined {
  const read = new Set<unknown>([targets, sources].flatMap(({ arrays }) => Object.values(arrays)))
  return Object.values(into ?? {}).some((array) => read.has(array)) ? undefined : into
}

const exactness: readonly Report['accumulation'][] = ['running', 'block', 'compensated', 'f64', 'none']

/** The accumulation and chains of the report with the widest error bound. */
function leastExact(reports: readonly WorkerReport[]): Pick<Report, 'accumulation' | 'chains'> {
  const rank = ({ accumulation, chains }: WorkerReport) =>
    exactness.indexOf(accumulation) -
    (accumulation === 'block' ? (chains?.reduce((sum, n) => sum + n, 0) ?? 1e9) / 1e10 : 0)
  return reports.reduce((a, b) => (rank(b) < rank(a) ? b : a))
}

/** Whether all numbers of a run are finite. */
const hasFinite = ({ targets, sources }: Bindings): boolean =>
  [targets, sources].every(({ arrays }) =>
    Object.values(arrays).every((array) => firstNotFinite(array as FloatArray) < 0),
  )
