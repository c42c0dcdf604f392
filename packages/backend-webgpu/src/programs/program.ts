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
import { nearShareOf, reportAfter, reportOf, runRanges } from '@manybody/core/backend'
import type { DesignedResult } from '../designs/design.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease, Memory } from '../host/memory.ts'
import { type SubmissionBudget, submissionBudget } from '../host/submission-budget.ts'
import { type Timer, timer } from '../host/timer.ts'
import { writeBytes } from '../quirks/empty-write.ts'
import type { Buffers, CompiledProgram, Near, Prepared } from './compiled.ts'
import { bytesOf, uploadInputs, writeInputs } from './inputs.ts'
import { isKeepable, type KeptRun, KeptRuns } from './kept-runs.ts'
import { type ResultData, type ResultNumbers, Submission, type Submitted } from './submission.ts'

/** What a run took, in milliseconds, and how many interactions it computed, if it counted them. */
interface Ran {
  readonly upload: number
  compute: number
  readback: number
  evaluated: number | undefined
}

/** The trees of a program. */
export interface ProgramTrees {
  /** @param done gets the report of each run */
  runs(compiled: CompiledProgram, done: (report: Report) => void): TreeRuns
  /** The program for one setting. */
  at(setting: TreeSetting): Promise<GpuProgram>
  dispose(): void
}

export class GpuProgram implements Program {
  /** For every run, unless its points make `near` faster. */
  readonly compiled: CompiledProgram
  readonly near: Near | undefined
  readonly #host: GpuHost
  readonly #memory: Memory
  readonly #submission: SubmissionBudget
  readonly #timer: Timer
  readonly #kept = new KeptRuns()
  readonly #makeTrees: () => ProgramTrees | undefined
  #trees: { readonly made: ProgramTrees | undefined } | undefined
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
    { usual, near }: Prepared,
    compile: number,
    trees: () => ProgramTrees | undefined = () => undefined,
  ) {
    this.#makeTrees = trees
    this.compiled = usual
    this.near = near
    this.#host = host
    this.#memory = memory
    this.#submission = submissionBudget(host.info.kind)
    this.#timer = timer(host)
    this.#compile = compile
    this.#report = this.#reportOf(usual)
  }

  get report(): Report {
    return this.#report
  }

  get tree(): TreeRuns | undefined {
    this.#trees ??= { made: this.#makeTrees() }
    return this.#trees.made?.runs(this.compiled, (report) => {
      this.#report = report
    })
  }

  /** The program that computes a stage of a sequence at a setting of its tree. */
  treeAt(setting: TreeSetting): Promise<GpuProgram> {
    this.#trees ??= { made: this.#makeTrees() }
    if (!this.#trees.made) throw new TypeError(`Cannot approximate ${this.compiled.design.variant}: it has no tree`)
    return this.#trees.made.at(setting)
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    this.#host.check()
    if (this.#disposed) throw new Error('Cannot run program: it was disposed; prepare it again')
    options.signal?.throwIfAborted()
    runRanges(this.workload, this.shape, options)
    this.#running++
    try {
      return await this.#run(bindings, options)
    } finally {
      this.#running--
      this.#free()
    }
  }

  /** Waits for the end of current runs before it frees anything. */
  dispose(): void {
    this.#disposed = true
    this.#trees?.made?.dispose()
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
    const results = design.results(bindings, options, false)
    const data = resultArrays(results, options.into)
    if (results.every((r) => r.length === 0)) {
      this.#report = reportAfter(this.#reportOf(compiled), 0)
      return Object.fromEntries(data())
    }
    const kept = this.#kept.take(compiled, bindings, options, this.#submission.budget())
    const { evaluated, ...timings } = kept
      ? await this.#repeat(kept, bindings, options, data)
      : await this.#bindAndRun(compiled, bindings, options, results, data)
    const interactions = design.interactions(bindings, options)
    this.#report = reportAfter(this.#reportOf(compiled), interactions, timings, evaluated)
    return Object.fromEntries(data())
  }

  async #repeat(kept: KeptRun, bindings: Bindings, options: RunOptions, data: () => ResultData): Promise<Ran> {
    let ran: Ran
    try {
      const start = performance.now()
      await writeInputs(this.#host, kept.compiled.design.inputs, bindings, kept.buffers, kept.lease)
      const upload = performance.now() - start
      ran = { upload, ...(await this.#submit(kept.submission, options, data)) }
    } catch (error) {
      kept.lease.release()
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
    let kept = false
    try {
      const start = performance.now()
      const buffers = await this.#upload(compiled, bindings, options, results, lease)
      const ran: Ran = { upload: performance.now() - start, compute: 0, readback: 0, evaluated: undefined }
      const budget = () => this.#submission.budget()
      for await (const step of compiled.steps({ bindings, options, buffers, lease, budget }, results)) {
        const submission = await Submission.of(this.#host, this.#timer, step, buffers, lease)
        const { compute, readback, evaluated } = await this.#submit(submission, options, data)
        ran.compute += compute
        ran.readback += readback
        ran.evaluated = evaluated
        submissions.push(submission)
      }
      const [submission] = submissions
      if (submission && submissions.length === 1 && isKeepable(compiled, bindings, options)) {
        this.#kept.keep({ compiled, parameters: bindings.parameters, buffers, submission, lease })
        kept = true
      }
      return ran
    } finally {
      if (!kept) lease.release()
    }
  }

  async #submit(
    submission: Submission,
    { signal, onProgress }: RunOptions,
    data: () => ResultData,
  ): Promise<Submitted> {
    signal?.throwIfAborted()
    const ran = await submission.run(data)
    this.#submission.observe(submission.step.interactions, ran.compute)
    onProgress?.(submission.step.done)
    return ran
  }

  /** Blocks of near points for a whole run whose points make them faster. */
  async #compiledFor(bindings: Bindings, { targets, sources, initial }: RunOptions): Promise<CompiledProgram> {
    if (!this.near || targets || sources || initial) return this.compiled
    const { mostShare, kept } = this.near
    if (nearShareOf(this.shape, bindings, { kept }) >= mostShare) return this.compiled
    const start = performance.now()
    const near = await this.near.compiled()
    this.#compile += performance.now() - start
    return near ?? this.compiled
  }

  #reportOf({ design }: CompiledProgram): Report {
    return reportAfter(reportOf(this.#host.info, design), 0, { compile: this.#compile })
  }

  async #upload(
    { design }: CompiledProgram,
    bindings: Bindings,
    options: RunOptions,
    results: readonly DesignedResult[],
    lease: Lease,
  ): Promise<Buffers> {
    const buffers = await uploadInputs(this.#host, design, bindings, lease)
    for (const { name, held } of results) {
      const buffer = await lease.array(4 * held)
      buffers.set(`result.${name}`, buffer)
      const initial = options.initial?.[name]
      if (initial) writeBytes(this.#host.device.queue, buffer, bytesOf(initial))
    }
    return buffers
  }
}

/** Makes the arrays of the results on the first call, while the device computes. */
function resultArrays(results: readonly DesignedResult[], into: RunOptions['into'] = {}): () => ResultData {
  let data: ResultData | undefined
  return () => {
    data ??= new Map(
      results.map((r): [string, ResultNumbers] => [
        r.name,
        Object.hasOwn(into, r.name) ? (into[r.name] as ResultNumbers) : touched(resultData(r)),
      ]),
    )
    return data
  }
}

const resultData = ({ type, length }: DesignedResult): ResultNumbers =>
  type === 'f32' ? new Float32Array(length) : type === 'u32' ? new Uint32Array(length) : new Int32Array(length)

/** Numbers in a page of memory, which the system clears when it is first touched. */
const pageLength = 1024

/** The array in memory that was cleared. */
function touched(array: ResultNumbers): ResultNumbers {
  for (let n = 0; n < array.length; n += pageLength) array[n] = 0
  return array
}
