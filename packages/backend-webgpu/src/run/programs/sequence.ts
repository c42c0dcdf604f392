/**
 * Runs programs in order over arrays that stay on the device, many rounds per submission.
 *
 * @module
 */
import type { DeviceKind, RunOptions, Sequence, Stage } from '@manybody/core'
import {
  type GridStage,
  runRanges,
  shapeOfBindings,
  UnsupportedWorkloadError,
  workPerPair,
} from '@manybody/core/backend'
import { requireTrees } from '@manybody/core/far'
import { spread } from '../../design/spread.ts'
import type { DesignedResult } from '../drivers/driver.ts'
import { HeldArray } from '../host/held-array.ts'
import { backendName, type GpuHost } from '../host/host.ts'
import { type Lease, type Memory, readStaging } from '../host/memory.ts'
import { type SubmissionBudget, submissionBudget, surely } from '../host/submission-budget.ts'
import { type Timer, timer } from '../host/timer.ts'
import { mostWhole, wholeGroups, wholeNumbers } from '../host/whole-numbers.ts'
import { bind } from './bind.ts'
import { type BoundRun, computing } from './compiled-program.ts'
import { encode, GpuProgram, resultsOf, uploadInputs } from './loaded-at-once.ts'
import type { MapStage } from './map-stages.ts'
import { pipelineOf } from './pipelines.ts'
import { type Piece, Rounds } from './rounds.ts'
import { stageLoop } from './stage-loop.ts'

/** A sequence that also measures its time on the device. */
export interface GpuTimedSequence extends Sequence {
  readonly gpuMilliseconds: number | undefined
  /** The loop of each stage. Where each round chooses, both: `blocks (...) or pairs-once (...)`. */
  readonly variants: readonly string[]
}

/** Makes the work of a stage that is a sum through a grid. */
export type GridPieces = (stage: GridStage, lease: Lease) => Promise<Piece>

/** The most interactions of one step of a short law, because no submission divides a step further. */
const longestStep: Readonly<Record<DeviceKind, number>> = { hardware: 2e11, software: 5e7, cpu: 5e7 }
/** Pieces of work in a submission: few in the first, so that the device starts soon, then twice as many each time. */
const firstWork = 64
const mostWork = 1024
/** The most submissions that may be pending. */
const mostPending = 16

/**
 * @param grids makes the work of sums through grids, if some stage is one
 * @throws TypeError if a stage has a program or array of another device
 * @throws RangeError if a range does not fit the program
 */
export async function createSequence(
  host: GpuHost,
  memory: Memory,
  stages: readonly (Stage | GridStage)[],
  grids?: GridPieces,
): Promise<GpuTimedSequence> {
  host.check()
  const lease = memory.lease()
  try {
    const recorded: Recorded[] = []
    for (const stage of stages)
      recorded.push(
        await ('grid' in stage ? recordGrid(stage, grids as GridPieces, lease) : record(host, memory, stage, lease)),
      )
    const variants = recorded.map(({ variant }) => variant)
    const rounds = await Rounds.of(
      host,
      lease,
      recorded.flatMap(({ work }) => work),
    )
    return new GpuSequence(host, lease, rounds, variants)
  } catch (error) {
    lease.release()
    throw error
  }
}

/** A stage that is ready to run, and the name of its loop. */
interface Recorded {
  readonly variant: string
  readonly work: readonly (Piece | MapStage)[]
}

async function recordGrid(stage: GridStage, grids: GridPieces, lease: Lease): Promise<Recorded> {
  return { variant: `grid ${stage.grid.sizes.join(' x ')}`, work: [await grids(stage, lease)] }
}

async function record(host: GpuHost, memory: Memory, stage: Stage, lease: Lease): Promise<Recorded> {
  const { program: given, bindings, outputs, tree, carried: _, ...ranges } = stage
  if (!(given instanceof GpuProgram))
    throw new TypeError('"program" expected a program of this device, got one of another device; prepare it again')
  if (tree) await requireTrees(given, ranges)
  const program = tree ? await given.treeAt(tree) : given
  runRanges(program.workload, shapeOfBindings(program.shape, bindings), ranges)
  await program.tune()
  const compiled = await computing(program.compiled, bindings, ranges)
  const { design } = compiled
  const map = design.driver === 'element' ? design.map : undefined
  if (!map) await compiled.ready(bindings.parameters)
  const { variant, steps } = await stageLoop(host, memory, program, compiled, stage)
  const buffers = await uploadInputs(host, design, bindings, lease)
  const inputs = new Set(buffers.values())
  const results = resultsOf(design, bindings, ranges, true)
  const copies: { from: GPUBuffer; to: GPUBuffer; bytes: number }[] = []
  const whole: { result: DesignedResult; from: GPUBuffer; to: GPUBuffer }[] = []
  for (const result of results) {
    const { name, length, type, most = 0 } = result
    if (type !== 'f32' && most > mostWhole)
      throw new UnsupportedWorkloadError(
        design.variant,
        backendName,
        `a sequence keeps "${name}" as float32, which is exact up to 2^24, but it may reach ${most}; run the program by itself`,
      )
    const output = outputs[name]
    if (!(output instanceof HeldArray))
      throw new TypeError(`"outputs.${name}" expected a buffer of this device, got one of another device`)
    if (output.length !== length)
      throw new RangeError(`"outputs.${name}" expected a buffer of length ${length}, got ${output.length}`)
    const shared = inputs.has(output.buffer) && !map
    const own = shared || type !== 'f32' ? await lease.array(4 * length) : output.buffer
    if (type !== 'f32') whole.push({ result, from: own, to: output.buffer })
    else if (shared) copies.push({ from: own, to: output.buffer, bytes: 4 * length })
    buffers.set(`result.${name}`, own)
  }
  if (results.every((r) => r.length === 0)) return { variant, work: [] }
  if (map) return { variant, work: [{ map, bindings, arrays: buffers }] }
  const work: Piece[] = []
  const longest = longestStep[host.info.kind] / workPerPair(program.shape.lengths)
  const budget = () => longest
  const run = { bindings, options: ranges, buffers, lease, budget, whole: true }
  for await (const step of steps(run, results)) work.push({ step, copies: step.done === 1 ? copies : [] })
  for (const { result, from, to } of whole)
    work.push(await asNumbers(host, { lease, buffers: new Map() }, result, from, to))
  return { variant, work }
}

/** Converts an integer result to float32. */
async function asNumbers(
  host: GpuHost,
  run: Pick<BoundRun, 'buffers' | 'lease'>,
  { type, length }: DesignedResult,
  from: GPUBuffer,
  to: GPUBuffer,
): Promise<Piece> {
  const pipeline = await pipelineOf(host, wholeNumbers(type))
  run.buffers.set('whole', from).set('numbers', to)
  const [x, z] = spread(wholeGroups(length))
  const dispatches = await bind(host, run, pipeline, { values: { count: length }, size: [x, 1, z] })
  return { step: { dispatches, interactions: 0, done: 1, reads: [] }, copies: [] }
}

class GpuSequence implements GpuTimedSequence {
  /** Time on the device from the start to the end of the latest run; undefined without timestamps. */
  gpuMilliseconds: number | undefined
  readonly #host: GpuHost
  readonly #lease: Lease
  readonly #rounds: Rounds
  readonly #submission: SubmissionBudget
  readonly #timer: Timer
  /** The fewest milliseconds of an interaction in any run, by the clock of the device; 0 if that is not known. */
  #pace = 0
  #disposed = false
  #running = 0

  constructor(
    host: GpuHost,
    lease: Lease,
    rounds: Rounds,
    readonly variants: readonly string[],
  ) {
    this.#host = host
    this.#lease = lease
    this.#rounds = rounds
    this.#submission = submissionBudget(host.info.kind)
    this.#timer = timer(host)
  }

  async run(times: number, options: Pick<RunOptions, 'signal' | 'onProgress'> = {}): Promise<void> {
    this.#host.check()
    if (this.#disposed) throw new Error('Cannot run sequence: it was disposed; make it again')
    this.#running++
    try {
      await this.#run(times, options)
    } finally {
      this.#running--
      this.#free()
    }
  }

  async #run(times: number, options: Pick<RunOptions, 'signal' | 'onProgress'>): Promise<void> {
    const total = Math.max(1, this.#rounds.interactions(times))
    const end = performance.now() + surely * this.#pace * total
    this.gpuMilliseconds = undefined
    let finished = 0
    let batch: Piece[] = []
    let size = 0
    let left = this.#rounds.length(times)
    let first = true
    let most = firstWork
    const pending: { readonly done: Promise<void>; readonly interactions: number }[] = []
    const lease = this.#lease.nested()
    try {
      const queries = await this.#timer.queries(lease)
      const staging = queries && (await lease.staging(16))
      const flush = async (): Promise<void> => {
        options.signal?.throwIfAborted()
        const [work, interactions] = [batch, size]
        const clock = { begins: first, ends: left === 0, queries, staging }
        batch = []
        size = 0
        first = false
        most = Math.min(mostWork, 2 * most)
        const ahead = pending.reduce((sum, p) => sum + p.interactions, 0)
        const atLeast = left === 0 ? end - performance.now() : 0
        const done = this.#submit(work, ahead + interactions, clock, atLeast).then(() => {
          finished += interactions
          options.onProgress?.(finished / total)
        })
        done.catch(() => undefined)
        pending.push({ done, interactions })
        // Keeps as many submissions waiting as fit the time budget, so that the device never idles.
        const waiting = () => pending.slice(1).reduce((sum, p) => sum + p.interactions, 0)
        while (pending.length > mostPending || (pending.length > 2 && waiting() > this.#submission.budget()))
          await pending.shift()?.done
      }
      for (const item of this.#rounds.order(times)) {
        batch.push(item)
        size += item.step.interactions
        left--
        if (size >= this.#submission.budget() || batch.length >= most || left === 0) await flush()
      }
      for (const { done } of pending) await done
      if (staging && !first) this.gpuMilliseconds = this.#timer.read(await readStaging(this.#host, staging, 16), 0)
      const pace = (this.gpuMilliseconds ?? 0) / total
      this.#pace = Math.min(this.#pace || pace, pace)
    } finally {
      // After a failed or aborted run, pending submissions still use its buffers and the sequence's own.
      await Promise.allSettled(pending.map(({ done }) => done))
      lease.release()
    }
  }

  /** Waits for the end of current runs before it frees anything. */
  dispose(): void {
    this.#disposed = true
    this.#free()
  }

  #free(): void {
    if (!this.#disposed || this.#running > 0) return
    this.#timer.dispose()
    this.#lease.release()
  }

  /**
   * @param interactions number of interactions in this submission and in those that it waits for
   * @param atLeast milliseconds that they take
   */
  async #submit(work: readonly Piece[], interactions: number, clock: Clock, atLeast: number): Promise<void> {
    const host = this.#host
    const start = performance.now()
    const submitted = host.guarded('submit a sequence', () => {
      const encoder = host.device.createCommandEncoder()
      let breaks = work.filter(({ copies }) => copies.length > 0).length
      const begin = (begins: boolean) =>
        encoder.beginComputePass(this.#timer.pass({ begins, ends: clock.ends && breaks === 0 }))
      let pass = begin(clock.begins)
      for (const { step, copies } of work) {
        encode(pass, step.dispatches)
        if (copies.length === 0) continue
        pass.end()
        for (const { from, to, bytes } of copies) encoder.copyBufferToBuffer(from, 0, to, 0, bytes)
        breaks--
        pass = begin(false)
      }
      pass.end()
      if (clock.ends && clock.staging) this.#timer.resolve(encoder, clock.queries, clock.staging, 0)
      host.device.queue.submit([encoder.finish()])
    })
    // Asked at once: later, it would also wait for newer submissions.
    await Promise.all([submitted, host.finished(atLeast)])
    this.#submission.observe(interactions, performance.now() - start)
  }
}

/** Whether a submission starts or stops the clock of its run, and where the timestamps go. */
interface Clock {
  readonly begins: boolean
  readonly ends: boolean
  readonly queries: GPUBuffer | undefined
  readonly staging: GPUBuffer | undefined
}
