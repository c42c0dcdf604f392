/**
 * The engine: one chosen device, its programs, and the methods that users call.
 *
 * It checks data, prepares programs once and reuses them, adds up totals, and continues on another device when one is
 * lost. It computes nothing itself.
 *
 * @module
 */

import type { Backend, Device, Plan } from '../contract/backend.ts'
import { Refusals } from '../contract/candidates/refusals.ts'
import { onlyNamed, unexpected } from '../ground/checks.ts'
import { deepCopy } from '../ground/deep-copy.ts'
import { held } from '../ground/held.ts'
import type { Precision } from '../ground/precision.ts'
import type { Selection } from '../ground/selection.ts'
import type { Bound } from '../problem/workloads/bind.ts'
import { isVectorSum } from '../problem/workloads/law-facts.ts'
import { withBuffersRead } from '../problem/workloads/numbers/gpu-buffers.ts'
import { numbersOn } from '../problem/workloads/numbers/load-numbers.ts'
import type { Attributes, DataFor, Named, TermParticles } from '../problem/workloads/particles.ts'
import type { PairWorkload, Workload } from '../problem/workloads/workload.ts'
import type { GroupOptions, TotalOptions, TotalOutputs, Totals } from '../simulation/reading/total-request.ts'
import type { Simulation } from '../simulation/simulation.ts'
import type { SimulationOptions, SimulationState } from '../simulation/state.ts'
import { needsImages } from './calls/divided.ts'
import { EngineCalls } from './calls/engine-calls.ts'
import type { Requested } from './calls/prepared-call.ts'
import { checkOptions, requested, sharedOptions, streamInput } from './check-options.ts'
import { checkedWorkload } from './checked-workload.ts'
import { copiedShape } from './copied-shape.ts'
import { CurrentDevice } from './devices/current-device.ts'
import { type DeviceOptions, type Opened, open } from './devices/open.ts'
import { isOverLinks } from './links/is-over-links.ts'
import type { LinkCall } from './links/link-call.ts'
import type { LinkWorkload } from './links/over-links.ts'
import type { Programs } from './programs.ts'
import type { RunInput } from './results/executed.ts'
import type { MatrixRows } from './results/matrix-rows.ts'
import type {
  EngineRunOptions,
  PreparedFor,
  PreparedLinks,
  PreparedMap,
  PreparedProgram,
  PreparedTerm,
  RunResult,
  StreamOptions,
  VerifyOptions,
} from './run-types.ts'
import type { PreparedShape } from './shape.ts'
import type { Verification } from './verification.ts'

export interface EngineOptions<P extends Precision = Precision> extends DeviceOptions {
  /** The candidates. The `manybody` package passes all of ours. */
  readonly backends: readonly Backend[]
  readonly precision?: P
}

/** Opens the best candidate that passes its proof. @throws {@link NoBackendError}; TypeError, RangeError for wrong options */
export async function createEngine<P extends Precision = 'f32'>(options: EngineOptions<P>): Promise<Engine<P>> {
  checkOptions(options)
  return held(new Engine(options, await open(options)))
}

/** A workload over points, a grid or links. */
type AnyWorkload<Name extends string = string> = Workload<Name> | LinkWorkload<Name>

/** An engine. `P` is the precision of its results, `f32` by default. */
export class Engine<P extends Precision = 'f32'> implements AsyncDisposable {
  readonly #current: CurrentDevice
  readonly #calls: EngineCalls<P>

  constructor(options: EngineOptions, chosen: Opened) {
    this.#current = new CurrentDevice(options, chosen)
    this.#calls = new EngineCalls(this.#current)
  }

  /** The device in use. It changes when it is lost and another replaces it. */
  get device(): Device {
    return this.#current.device
  }

  /** The verdict for every candidate, with its reason. Prints as a table. */
  get selection(): Selection {
    return this.#current.chosen.selection
  }

  /**
   * Runs a workload over points once. A map needs no positions.
   *
   * @throws TypeError, RangeError for wrong data, before anything runs
   * @throws {@link UnsupportedWorkloadError}, {@link ProgramCompilationError}
   * @throws `signal.reason` when aborted
   */
  run<Name extends string, Given = Named, Targets = Named, Sources = Named, W extends AnyWorkload = Workload>(
    workload: AnyWorkload<Name> & W,
    particles: DataFor<W, Given, Targets, Sources>,
    options?: EngineRunOptions<Name>,
  ): Promise<RunResult<Name, P>>
  run<Name extends string>(
    workload: AnyWorkload<Name>,
    particles: Attributes | TermParticles,
    options: EngineRunOptions<Name> = {},
  ): Promise<RunResult<Name, P>> {
    return this.#calls.repeat(workload, particles, options) ?? this.#run(workload, particles, options)
  }

  async #run<Name extends string>(
    workload: AnyWorkload<Name>,
    particles: Attributes | TermParticles,
    options: EngineRunOptions<Name>,
  ): Promise<RunResult<Name, P>> {
    if (isOverLinks(workload)) return (await this.#links(workload, particles as Attributes, options)).run()
    const call = { start: performance.now(), given: workload }
    return requested(this.device, workload, particles, options, (bound, checked) =>
      this.#calls.run(bound, checked, call),
    )
  }

  /**
   * Prepares a workload for points of one shape, `{ count: 1000, dimension: 2 }` or `{ targets: 10, sources: 1000 }`.
   * A workload over a grid needs none.
   *
   * @throws as {@link Engine.run}
   */
  prepare<Name extends string, W extends AnyWorkload = Workload>(
    workload: AnyWorkload<Name> & W,
    shape?: PreparedShape,
    plan?: Plan,
  ): Promise<PreparedFor<W, Name, P>>
  async prepare<Name extends string>(
    given: AnyWorkload<Name>,
    givenShape?: PreparedShape,
    givenPlan?: Plan,
  ): Promise<PreparedLinks<Name, P> | (PreparedProgram<Name, P> & PreparedMap<Name, P> & PreparedTerm<Name, P>)> {
    // Code may load before they are checked.
    const [shape, plan] = [copiedShape(givenShape), deepCopy(givenPlan)]
    if (isOverLinks(given)) {
      const { preparedLinks } = await import('./links/link-call.ts')
      return preparedLinks(given, shape, this.#current, (points, now) => this.#links(given, points, now))
    }
    const { workload } = await checkedWorkload(given)
    const { preparedCall } = await import('./calls/prepared-call.ts')
    const request: Requested<Name> = (particles, options, run, wanted) =>
      requested(this.device, workload, particles, options, run, wanted)
    return preparedCall({ given, workload, shape, plan }, this.#current, this.#calls, request)
  }

  /** The rows of an interaction matrix in blocks, for matrices larger than one array. */
  stream<Given, Targets, Sources>(
    workload: PairWorkload<'value'>,
    particles: TermParticles<Given, Targets, Sources>,
    options?: StreamOptions,
  ): AsyncGenerator<MatrixRows<P>>
  stream(
    workload: PairWorkload<'value'>,
    particles: TermParticles,
    options: StreamOptions = {},
  ): AsyncGenerator<MatrixRows<P>> {
    // Copy the arrays now, not when the first rows are requested. Errors in them are reported then.
    const input = streamInput(this.device, workload, particles, options)
    input.catch(() => {})
    return this.#rows(input)
  }

  async *#rows(given: Promise<RunInput & { readonly options: StreamOptions }>): AsyncGenerator<MatrixRows<P>> {
    const { options, ...bound } = await given
    const { streamedRows } = await import('./results/matrix-rows.ts')
    yield* streamedRows<P>({ ...(await numbersOn(bound, this.device.info.precision)), options }, this.#current)
  }

  /** A run over links. Its arrays are copied before its code loads. */
  async #links(workload: LinkWorkload, particles: Attributes, options: object): Promise<LinkCall<P>> {
    const [given, now] = [withBuffersRead(deepCopy(particles), this.device), deepCopy(options)]
    const { linkCall } = await import('./links/link-call.ts')
    return linkCall(workload, await given, now, this.#current, this.#calls)
  }

  /** Runs a workload and compares a sample of its targets with the float64 reference. */
  verify<Given = Named, Targets = Named, Sources = Named, W extends AnyWorkload = Workload>(
    workload: W,
    particles: DataFor<W, Given, Targets, Sources>,
    options?: VerifyOptions,
  ): Promise<Verification>
  async verify(
    workload: AnyWorkload,
    particles: Attributes | TermParticles,
    options: VerifyOptions = {},
  ): Promise<Verification> {
    if (isOverLinks(workload)) {
      const { sample, ...rest } = options
      return (await this.#links(workload, particles as Attributes, rest)).verify(sample)
    }
    const { sample, ...rest } = onlyNamed(options, 'option of verify', [...sharedOptions, 'sample'])
    return requested(this.device, workload, particles, rest, async (given, now) => {
      const { workload: wanted, shape } = given
      const { verify, verifyInBlocks } = await import('./with-reference.ts')
      const run = (bound: Bound, options: EngineRunOptions = now) => this.#calls.run(bound, options)
      if (isVectorSum(wanted, shape))
        return verifyInBlocks({ ...given, workload: wanted }, sample, now, this.device.info.precision, run)
      const bound = needsImages(wanted)
        ? (await import('../problem/workloads/copied-cells.ts')).copiedRun({ ...given, workload: wanted }).bound
        : given
      return verify(run, bound, sample)
    })
  }

  /**
   * Sums over all points, found on the device: `engine.total({ mass: 'mass', x: 'mass*position_x' }, particles)`. With `by` and
   * `groups`, one sum for each group of points: by cell, by galaxy, or in bins of a histogram.
   *
   * @throws {@link ExpressionError}, TypeError, RangeError for wrong expressions, or values that are not finite
   */
  total<Name extends string>(
    outputs: TotalOutputs<Name>,
    particles: Attributes,
    options: GroupOptions,
  ): Promise<Readonly<Record<Name, Float64Array>>>
  total<Name extends string>(
    outputs: TotalOutputs<Name>,
    particles: Attributes,
    options?: TotalOptions,
  ): Promise<Readonly<Record<Name, number>>>
  async total(outputs: TotalOutputs, particles: Attributes, options: Partial<GroupOptions> = {}): Promise<Totals> {
    const [given, now] = [withBuffersRead(deepCopy(particles), this.device), deepCopy(options)]
    const { totalInput, totalsOn } = await import('./results/point-totals.ts')
    const input = totalInput(outputs, await given, now)
    const on = async ({ device }: Programs) => ({ totals: await totalsOn(device, input) })
    const { totals } = await this.#current.recovering(on, new Refusals('total'))
    return totals
  }

  /** Starts a simulation; nothing moves yet. @throws TypeError, RangeError for wrong data */
  simulate<Given>(options: SimulationOptions<Given>): Promise<Simulation<P>>
  async simulate(options: SimulationOptions): Promise<Simulation<P>> {
    this.#current.refuseIfDisposed()
    const now = deepCopy(options)
    const particles = withBuffersRead(now?.particles, this.device)
    const { begin } = await import('../simulation/begin.ts')
    return begin<P>(this.#current, particles instanceof Promise ? { ...now, particles: await particles } : now)
  }

  /** Continues from a snapshot, bit for bit on the same device. @throws TypeError, RangeError for a damaged one */
  async resume(snapshot: SimulationState): Promise<Simulation<P>> {
    this.#current.refuseIfDisposed()
    const now = deepCopy(snapshot)
    const { resume } = await import('../simulation/begin.ts')
    return resume<P>(this.#current, now)
  }

  /** Disposes of the device and every program. Running workloads fail. */
  dispose(): void {
    this.#current.dispose()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.dispose()
  }

  /**
   * Does some work on the device. If the device is lost meanwhile, opens another and repeats the work, which must therefore
   * start from data on the host.
   */
  async recovering<T>(work: (device: Device) => Promise<T>): Promise<T & { readonly recoveries: readonly string[] }> {
    if (typeof work !== 'function') throw unexpected('work', 'a function of the device', work)
    return this.#current.recovering(({ device }) => work(device))
  }
}
