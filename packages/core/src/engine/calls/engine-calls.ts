/**
 * Calls of an engine, from the user's arguments to results with a report. Numbers are checked, a device runs a program, and times are
 * added up. A call like one before goes straight to its program. The engine has the public methods.
 *
 * @module
 */

import type { Plan } from '../../contract/backend.ts'
import { giveBack } from '../../ground/arrays/kept-copies.ts'
import { hasNames } from '../../ground/checks.ts'
import type { Precision } from '../../ground/precision.ts'
import type { Hurried } from '../../methods/fast/choose.ts'
import type { Meshed } from '../../methods/mesh/mesh-program.ts'
import type { Approximable, Approximation } from '../../methods/tolerance/approximate.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { compiledTree } from '../../problem/workloads/compiled.ts'
import type { PairBound } from '../../problem/workloads/numbers/bind-again.ts'
import { numbersOn } from '../../problem/workloads/numbers/load-numbers.ts'
import type { Method, PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import type { CurrentDevice, Wanted } from '../devices/current-device.ts'
import type { Programs } from '../programs.ts'
import type { Executed, RunInput } from '../results/executed.ts'
import { runInto } from '../results/into.ts'
import { strayNote } from '../results/stray-results.ts'
import type { EngineRunOptions, RunResult } from '../run-types.ts'
import { CallBefore, type Ended, isRepeatable, type Rerun } from './call-before.ts'
import { callTimings, wholeReport } from './call-reports.ts'
import { isDivisible, isInBlocks, needsImages, prefersBlocks, wholly } from './divided.ts'
import { execute } from './execute.ts'

/** A call from the start. */
interface Call {
  readonly start: number
  /** The workload as the caller gave it. */
  readonly given: Workload
  /** The error of these programs when they ran the call, if it was begun as the call before was. */
  readonly failed?: { readonly programs: Programs; readonly error: unknown } | undefined
}

/** The workload as devices get it, and the maker of a program that meets its tolerance. @throws TypeError if its law allows none */
const approximationOf = (workload: Workload, shape: Shape): Approximation | Promise<Approximation> =>
  (workload as PairWorkload).method
    ? approximated(workload as Approximable | Meshed | Hurried, shape)
    : { workload, of: (program) => program }

async function approximated(workload: Approximable | Meshed | Hurried, shape: Shape): Promise<Approximation> {
  if (has(workload, 'mesh')) return (await import('../../methods/mesh/mesh-program.ts')).meshOf(workload, shape)
  if (!has(workload, 'fast')) return byTree(workload, shape)
  const { fastOf } = await import('../../methods/fast/fast-program.ts')
  return fastOf(workload, shape, (one) => byTree(one, shape))
}

async function byTree(workload: Approximable, shape: Shape): Promise<Approximation> {
  const [{ approximationOf }, facts] = await Promise.all([
    import('../../methods/tolerance/approximate.ts'),
    compiledTree(workload) ??
      import('../../methods/tolerance/derive-tree-facts.ts').then((it) => it.deriveTreeFacts(workload, shape)),
  ])
  return approximationOf(workload, facts)
}

const has = <Kind extends Method['kind']>(
  workload: Approximable | Meshed | Hurried,
  kind: Kind,
): workload is Extract<typeof workload, { readonly method: { readonly kind: Kind } }> => workload.method.kind === kind

/** The most numbers of points for which the latest call of a workload is remembered. */
const most = 64

/** The calls of one engine. `P` is the precision of their results. */
export class EngineCalls<P extends Precision> {
  readonly #current: CurrentDevice
  /** The latest calls of a workload, by their numbers of points. */
  readonly #before = new WeakMap<Workload, Map<number, CallBefore>>()

  constructor(current: CurrentDevice) {
    this.#current = current
  }

  /**
   * Repeats a call; undefined if it differs from the one before in more than its numbers. It never throws.
   *
   * @param prepared the number of points of a prepared program
   */
  repeat<Name extends string>(
    given: object,
    particles: unknown,
    options: EngineRunOptions<Name>,
    prepared?: number,
  ): Promise<RunResult<Name, P>> | undefined {
    const start = performance.now()
    const before = this.#before.get(given as Workload)?.get(prepared ?? pointsIn(particles))
    return before?.again(particles, options, start) as Promise<RunResult<Name, P>> | undefined
  }

  /** @param call given if nobody uses its copies afterwards. After a failure, a device may still read them. */
  run<Name extends string>(wanted: Bound, options: EngineRunOptions<Name>, call?: Call): Promise<RunResult<Name, P>> {
    const { workload } = wanted
    if (isInBlocks(workload, wanted.shape, this.#current.device))
      return this.#inBlocks({ ...wanted, workload }, options, call)
    return needsImages(workload) ? this.#withImages({ ...wanted, workload }, options) : this.#run(wanted, options, call)
  }

  /** @param recoveries devices lost before */
  async #inBlocks<Name extends string>(
    wanted: PairBound,
    options: EngineRunOptions<Name>,
    call?: Call,
    recoveries: readonly string[] = [],
  ): Promise<RunResult<Name, P>> {
    const { runInBlocks } = await import('../with-reference.ts')
    const { precision } = this.#current.device.info
    const run = (bound: Bound, block: EngineRunOptions) => this.run<Name>(bound, block)
    return runInBlocks(wanted, options, precision, run, { start: call?.start, recoveries, noteOf: strayNote })
  }

  async #withImages<Name extends string>(
    wanted: PairBound,
    options: EngineRunOptions<Name>,
  ): Promise<RunResult<Name, P>> {
    const { copiedRun } = await import('../../problem/workloads/copied-cells.ts')
    const { bound, finish } = copiedRun(wanted)
    const results = await this.#run(bound, options)
    finish(results)
    return results
  }

  async #run<Name extends string>(
    wanted: Bound,
    options: EngineRunOptions<Name>,
    call?: Call,
  ): Promise<RunResult<Name, P>> {
    const { into, signal, onProgress, plan, parameters, tables, functions } = options
    const { start, failed } = call ?? { start: performance.now() }
    if (isDivisible(wanted.workload, wanted.shape)) {
      const vector = { ...wanted, workload: wanted.workload }
      // Asked here, because each block has its own numbers on the device.
      if (await prefersBlocks(this.#current.device, { ...vector, plan })) return this.#inBlocks(vector, options, call)
    }
    const approximation = approximationOf(wanted.workload, wanted.shape)
    // Each wait makes garbage, so calls wait only for promises.
    const { of, ...exact } = approximation instanceof Promise ? await approximation : approximation
    const numbers = numbersOn({ ...wanted, ...exact }, this.#current.device.info.precision)
    const bound = numbers instanceof Promise ? await numbers : numbers
    const { workload, shape } = bound
    const input: RunInput = { ...bound, options: { signal, onProgress } }
    const checked = performance.now()
    let preparing = 0
    let error = failed
    let ran: Pick<Ended, 'programs' | 'kept' | 'crossover'> | undefined
    const on = (programs: Programs): Promise<Executed> => {
      const crossover = plan || programs !== this.#current.programs ? undefined : this.#current.chosen.crossover
      const work = (input: RunInput) => {
        const using = (programs: Programs) =>
          programs.using(workload, shape, plan, (program, milliseconds, kept) => {
            if (programs === error?.programs) {
              const { error: thrown } = error
              error = undefined
              throw thrown
            }
            preparing = milliseconds
            ran = { programs, kept, crossover }
            return execute(of(program, shape, programs), input, programs.device.info)
          })
        return crossover ? crossover.run(workload, shape, programs, using) : using(programs)
      }
      return into ? runInto(into, input, programs.device.info.precision, work) : work(input)
    }
    const done = isDivisible(workload, shape)
      ? await wholly(this.#current, { workload, shape, plan }, on)
      : await this.#current.running({ workload, shape, plan }, on)
    if ('inBlocks' in done) return this.#inBlocks(wanted as PairBound, options, call, done.recoveries)
    const { results, report, recoveries, notes } = done
    const { targets, sources } = wanted.bindings
    const own = !(plan || tables || functions)
    if (call && ran && own) this.#remember(call.given, { ...ran, bound, parameters, notes })
    if (call) giveBack(targets.arrays)
    if (call && sources !== targets) giveBack(sources.arrays)
    const timings = callTimings(report.timings, { start, checks: checked - start, preparing })
    return { report: wholeReport(report, timings, recoveries, notes), ...results } as RunResult<Name, P>
  }

  /** Prepares the program of a call. @returns the workload that a device got */
  async prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Wanted> {
    if (!isDivisible(workload, shape)) return this.#prepare(workload, shape, plan)
    const prepare = (programs: Programs) => programs.using(workload, shape, plan, async () => ({}))
    if (!('inBlocks' in (await wholly(this.#current, { workload, shape, plan }, prepare))))
      return { workload, shape, plan }
    const block = (await import('../with-reference.ts')).componentBlock(workload, shape)
    return this.#prepare(block.workload, block.shape, plan)
  }

  async #prepare(given: Workload, givenShape: Shape, plan: Plan | undefined): Promise<Wanted> {
    const { workload: one, shape } = needsImages(given)
      ? (await import('../../problem/workloads/copied-cells.ts')).copiedCell(given, givenShape)
      : { workload: given, shape: givenShape }
    const { workload } = await approximationOf(one, shape)
    const wanted = { workload, shape, plan }
    await this.#current.running(wanted, (programs) => programs.using(workload, shape, plan, async () => ({})))
    return wanted
  }

  #remember(given: Workload, { bound, ...ended }: Omit<Ended, 'bound'> & { readonly bound: Bound }): void {
    const { workload, shape, bindings } = bound
    if (!isRepeatable(given, workload, shape)) return
    const calls = this.#before.get(given) ?? new Map<number, CallBefore>()
    this.#before.set(given, calls)
    const [oldest] = calls.keys()
    if (calls.size >= most && oldest !== undefined) calls.delete(oldest)
    const rerun: Rerun = (bound, options, { start, ...failed }) => {
      calls.delete(bound.shape.targets)
      return this.#run(bound, options, { start, given: workload, failed })
    }
    calls.set(shape.targets, new CallBefore({ ...ended, bound: { workload, shape, bindings } }, rerun))
  }
}

/** How many points there seem to be. */
function pointsIn(particles: unknown): number {
  if (!hasNames(particles)) return 0
  const { position, dimension } = particles as { readonly position?: { readonly length?: number }; dimension?: unknown }
  return (position?.length ?? 0) / (typeof dimension === 'number' ? dimension : 3)
}
