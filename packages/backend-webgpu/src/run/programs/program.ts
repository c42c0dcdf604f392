/**
 * A compiled design as a program of the contract: uploads, submits step by step within a time budget, reads back, and
 * reports.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  Program,
  Report,
  RunOptions,
  Shape,
  TreeRuns,
  TreeSetting,
  Workload,
} from '@manybody/core'
import { onFirstUse, reportAfter, runRanges, shapeOfBindings } from '@manybody/core/backend'
import type { DesignedResult } from '../drivers/driver.ts'
import { interactionsOf, resultsOf } from '../drivers/drivers.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { type SubmissionBudget, submissionBudget } from '../host/submission-budget.ts'
import { type Timer, timer } from '../host/timer.ts'
import {
  type CompiledProgram,
  computing,
  type GivenArray,
  type Near,
  nearFor,
  type Prepared,
} from './compiled-program.ts'
import { type FlightTimes, InFlight } from './in-flight.ts'
import { inputBuffers, inputsOf, largeInputs, uploadInputs, writeInputs } from './inputs.ts'
import { isKeepable, isWhole, type KeptRun, KeptRuns, readied, released } from './kept-runs.ts'
import { addResultBuffers, resultArrays } from './result-arrays.ts'
import { type ResultData, Submission } from './submission.ts'
import { Usual } from './usual.ts'

/** The times of a run in milliseconds, and the number of interactions that it computed, if it counted them. */
type Ran = FlightTimes & { readonly upload: number }

/** The loops that take the numbers of points from each run. */
const laidOutByRun: ReadonlySet<string> = new Set(['element', 'pair', 'once', 'vector'])

/** The trees of a program. */
export interface ProgramTrees {
  /** @param done gets the report of each run */
  runs(compiled: CompiledProgram, done: (report: Report) => void): TreeRuns
  /** The program for one setting. */
  at(setting: TreeSetting): Promise<GpuProgram>
  dispose(): void
}

export class GpuProgram implements Program {
  readonly near: Near | undefined
  /** The loops of `near` that a run has needed so far; all pairs if the device cannot run one. */
  readonly #nearLoops = new Map<Near, CompiledProgram>()
  readonly #usual: Usual
  readonly #host: GpuHost
  readonly #memory: Memory
  readonly #submission: SubmissionBudget
  readonly #timer: Timer
  readonly #kept = new KeptRuns()
  readonly #loadTrees: () => Promise<ProgramTrees | undefined>
  #trees: Promise<ProgramTrees | undefined> | undefined
  /** Milliseconds. */
  #compile: number
  #report: Report
  #disposed = false
  #running = 0

  /** @param trees called when a sum is first approximated */
  constructor(
    host: GpuHost,
    memory: Memory,
    readonly workload: Workload,
    readonly shape: Shape,
    prepared: Prepared,
    compile: number,
    trees: () => Promise<ProgramTrees | undefined> = async () => undefined,
  ) {
    this.#loadTrees = onFirstUse(trees)
    this.#usual = new Usual(prepared, () => this.#kept.dispose())
    this.near = prepared.near
    this.#host = host
    this.#memory = memory
    this.#submission = submissionBudget(host.info.kind, shape.lengths)
    this.#timer = timer(host)
    this.#compile = compile
    this.#report = reportAfter(prepared.usual.report, 0, { compile })
  }

  /** The program for every run, unless its points make `near` faster. */
  get compiled(): CompiledProgram {
    return this.#usual.now
  }

  /** Blocks of near points and rows of matrices are laid out for all points. */
  get fewer(): boolean {
    return !this.near && laidOutByRun.has(this.compiled.design.driver) && !this.compiled.design.lists
  }

  get carries(): number | undefined {
    const { design } = this.compiled
    return this.near ? this.near.cells?.carries : design.driver === 'cells' ? design.carries : undefined
  }

  get report(): Report {
    return this.#report
  }

  async tree(): Promise<TreeRuns | undefined> {
    const trees = await this.#loadedTrees()
    return trees?.runs(this.compiled, (report) => {
      this.#report = report
    })
  }

  /** The program that computes a stage of a sequence at a setting of its tree. */
  async treeAt(setting: TreeSetting): Promise<GpuProgram> {
    const trees = await this.#loadedTrees()
    if (!trees) throw new TypeError(`Cannot approximate ${this.compiled.design.variant}: it has no tree`)
    return trees.at(setting)
  }

  #loadedTrees(): Promise<ProgramTrees | undefined> {
    this.#trees = this.#loadTrees()
    return this.#trees
  }

  async ready(): Promise<void> {
    const start = performance.now()
    await this.compiled.ready()
    this.#compile += performance.now() - start
    this.#report = reportAfter(this.compiled.report, 0, { compile: this.#compile })
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    this.#host.check()
    if (this.#disposed) throw new Error('Cannot run program: it was disposed; prepare it again')
    options.signal?.throwIfAborted()
    runRanges(this.workload, shapeOfBindings(this.shape, bindings), options)
    return this.#counted(() => this.#run(bindings, options))
  }

  /** Waits for the program that is fastest in many runs. */
  tune(): Promise<void> {
    return this.#usual.tune()
  }

  async #counted<T>(run: () => Promise<T>): Promise<T> {
    this.#running++
    try {
      const ran = run()
      // While the device works.
      this.#usual.begun()
      return await ran
    } finally {
      this.#running--
      this.#free()
    }
  }

  /** A run begins without waiting only if its arrays are bound already, and can be written at once. */
  again(bindings: Bindings, options: Pick<RunOptions, 'into'> = {}): Promise<ArrayResults> | undefined {
    const near = this.#nearFor(bindings)
    const compiled = near ? this.#nearLoops.get(near) : this.compiled
    if (this.#disposed || !compiled) return undefined
    const inputs = inputsOf(compiled.design, bindings)
    const kept = this.#kept.take(compiled, inputs, bindings, this.#submission.budget())
    if (!kept) return undefined
    if (largeInputs(inputs) > 0 && !kept.upload?.ready) {
      this.#kept.keep(kept)
      return undefined
    }
    const data = resultArrays(resultsOf(compiled.design, bindings, {}, false), options.into)
    return this.#counted(async () =>
      this.#done(compiled, bindings, {}, await this.#repeat(kept, inputs, {}, data), data),
    )
  }

  /** Waits for the end of current runs before it frees anything. */
  dispose(): void {
    this.#disposed = true
    this.#trees?.then((trees) => trees?.dispose()).catch(() => {})
    this.#free()
  }

  #free(): void {
    if (!this.#disposed || this.#running > 0) return
    this.#kept.dispose()
    this.#timer.dispose()
  }

  async #run(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const compiled = await this.#compiledFor(bindings, options)
    const { design } = compiled
    const results = resultsOf(design, bindings, options, false)
    const data = resultArrays(results, options.into)
    if (results.every((r) => r.length === 0)) {
      this.#report = reportAfter(compiled.report, 0, { compile: this.#compile })
      return Object.fromEntries(data())
    }
    const inputs = inputsOf(design, bindings)
    const kept = isWhole(options) ? this.#kept.take(compiled, inputs, bindings, this.#submission.budget()) : undefined
    const ran = kept
      ? await this.#repeat(kept, inputs, options, data)
      : await this.#bindAndRun(compiled, bindings, options, results, data)
    return this.#done(compiled, bindings, options, ran, data)
  }

  #done(
    compiled: CompiledProgram,
    bindings: Bindings,
    options: RunOptions,
    { evaluated, ...timings }: Ran,
    data: () => ResultData,
  ): ArrayResults {
    const interactions = interactionsOf(compiled.design, bindings, options)
    this.#report = reportAfter(compiled.report, interactions, { compile: this.#compile, ...timings }, evaluated)
    return Object.fromEntries(data())
  }

  async #repeat(
    kept: KeptRun,
    inputs: readonly GivenArray[],
    options: RunOptions,
    data: () => ResultData,
  ): Promise<Ran> {
    let ran: Ran
    let flight: InFlight | undefined
    try {
      const start = performance.now()
      const writing = writeInputs(this.#host, inputs, kept.buffers, kept.lease, kept.upload)
      // If nothing has to wait, the run is submitted in the same turn of the event loop.
      if (writing !== undefined) await writing
      const upload = performance.now() - start
      flight = new InFlight(options, data, this.#submission)
      const submitted = flight.submitAll(kept.submissions)
      void kept.upload?.prepare()
      await submitted
      ran = { upload, ...(await flight.finish()) }
      await readied(this.#host, kept, inputs)
    } catch (error) {
      await flight?.settle()
      released(kept)
      throw error
    }
    this.#kept.keep(kept)
    return ran
  }

  async #bindAndRun(
    compiled: CompiledProgram,
    bindings: Bindings,
    options: RunOptions,
    results: readonly DesignedResult[],
    data: () => ResultData,
  ): Promise<Ran> {
    await compiled.ready(bindings.parameters)
    const lease = this.#memory.lease()
    const submissions: Submission[] = []
    let flight: InFlight | undefined
    let kept = false
    try {
      const start = performance.now()
      const buffers = await uploadInputs(this.#host, compiled.design, bindings, lease)
      await addResultBuffers(this.#host, buffers, results, options.initial, lease)
      const upload = performance.now() - start
      const budget = () => this.#submission.budget()
      const uncut = interactionsOf(compiled.design, bindings, options) <= budget()
      flight = new InFlight(options, data, this.#submission)
      for await (const step of compiled.steps({ bindings, options, buffers, lease, budget }, results)) {
        const submission = await Submission.of(this.#host, this.#timer, step, buffers, lease)
        await flight.submit(submission)
        submissions.push(submission)
      }
      const times = await flight.finish()
      // A run that was cut while the device seemed slow has more submissions than a later run may need.
      if ((uncut || submissions.length === 1) && isKeepable(compiled, bindings, options)) {
        const given = inputBuffers(compiled.design, buffers)
        this.#kept.keep({
          compiled,
          parameters: bindings.parameters,
          counts: [bindings.targets.count, bindings.sources.count],
          buffers: given,
          room: given.map(({ size }) => size),
          submissions,
          lease,
        })
        kept = true
      }
      return { upload, ...times }
    } finally {
      await flight?.settle()
      if (!kept) lease.release()
    }
  }

  async #compiledFor(bindings: Bindings, options: RunOptions): Promise<CompiledProgram> {
    const start = performance.now()
    const near = isWhole(options) ? this.#nearFor(bindings) : undefined
    if (near) {
      const loop = this.#nearLoops.get(near) ?? (await near.compiled()) ?? this.compiled
      this.#nearLoops.set(near, loop)
      this.#compile += performance.now() - start
      return loop
    }
    const computes = computing(this.compiled, bindings, options)
    if (computes === this.compiled) return computes
    const compiled = await computes
    this.#compile += performance.now() - start
    return compiled
  }

  /** The loop over near points, if the points of a whole run make it faster. */
  #nearFor(bindings: Bindings): Near | undefined {
    if (!this.near) return undefined
    const near = nearFor(this.near, bindings.parameters)
    return near.choice.shareOf(this.shape, bindings, near.choice) < near.choice.mostShare ? near : undefined
  }
}
