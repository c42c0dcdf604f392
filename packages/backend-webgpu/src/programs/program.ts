/**
 * A compiled design as a program of the contract: uploads, submits step by step within a time budget, reads back, and
 * reports.
 *
 * @module
 */

import type { ArrayResults, Bindings, FloatArray, Program, Report, RunOptions, Shape, Workload } from '@manybody/core'
import { nearShareOf, reportAfter, reportOf, runRanges } from '@manybody/core/backend'
import type { DesignedResult, ProgramDesign } from '../designs/design.ts'
import { GpuArray } from '../host/buffer.ts'
import type { GpuHost } from '../host/host.ts'
import { type Lease, type Memory, readStaging, toFloat32 } from '../host/memory.ts'
import { type SubmissionBudget, submissionBudget } from '../host/submission-budget.ts'
import { type Timer, timer } from '../host/timer.ts'
import { writeBytes } from '../quirks/empty-write.ts'
import {
  type BoundStep,
  type Buffers,
  type CompiledProgram,
  encode,
  inputOf,
  type Near,
  type Prepared,
} from './compiled.ts'

type ResultData = Float32Array | Uint32Array | Int32Array

export class GpuProgram implements Program {
  /** For every run, unless its points make `#near` faster, and for sequences. */
  readonly compiled: CompiledProgram
  readonly #near: Near | undefined
  readonly #host: GpuHost
  readonly #memory: Memory
  readonly #submission: SubmissionBudget
  readonly #timer: Timer
  /** Milliseconds. */
  #compile: number
  #report: Report
  #disposed = false
  #running = 0

  constructor(
    host: GpuHost,
    memory: Memory,
    readonly workload: Workload,
    readonly shape: Shape,
    { usual, near }: Prepared,
    compile: number,
  ) {
    this.compiled = usual
    this.#near = near
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
    this.#free()
  }

  #free(): void {
    if (this.#disposed && this.#running === 0) this.#timer.dispose()
  }

  async #run(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const compiled = await this.#compiledFor(bindings, options)
    await compiled.ready(bindings.parameters)
    const { design } = compiled
    const results = design.results(bindings, options, false)
    const data = new Map(
      results.map((r): [string, ResultData] => [r.name, (options.into?.[r.name] as ResultData) ?? resultData(r)]),
    )
    if (results.every((r) => r.length === 0)) {
      this.#report = reportAfter(this.#reportOf(compiled), 0)
      return Object.fromEntries(data)
    }
    const lease = this.#memory.lease()
    try {
      const start = performance.now()
      const buffers = await this.#upload(compiled, bindings, options, results, lease)
      const uploaded = performance.now()
      const { evaluated, ...times } = await this.#compute(compiled, bindings, options, results, buffers, data, lease)
      const timings = { upload: uploaded - start, ...times }
      const interactions = design.interactions(bindings, options)
      this.#report = reportAfter(this.#reportOf(compiled), interactions, timings, evaluated)
      return Object.fromEntries(data)
    } finally {
      lease.release()
    }
  }

  /** Blocks of near points for a whole run whose points make them faster. */
  async #compiledFor(bindings: Bindings, { targets, sources, initial }: RunOptions): Promise<CompiledProgram> {
    if (!this.#near || targets || sources || initial) return this.compiled
    if (nearShareOf(this.shape, bindings) >= this.#near.mostShare) return this.compiled
    const start = performance.now()
    const near = await this.#near.compiled()
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

  async #compute(
    compiled: CompiledProgram,
    bindings: Bindings,
    options: RunOptions,
    results: readonly DesignedResult[],
    buffers: Buffers,
    data: ReadonlyMap<string, ResultData>,
    lease: Lease,
  ): Promise<{ compute: number; readback: number; evaluated: number | undefined }> {
    const budget = () => this.#submission.budget()
    let compute = 0
    let readback = 0
    let evaluated: number | undefined
    for await (const step of compiled.steps({ bindings, options, buffers, lease, budget }, results)) {
      options.signal?.throwIfAborted()
      const start = performance.now()
      const copied = await this.#submit(step, buffers, lease)
      const wall = performance.now() - start
      const gpu = copied.gpu ?? wall
      this.#submission.observe(step.interactions, gpu)
      compute += gpu
      readback += wall - gpu
      for (const [index, read] of step.reads.entries()) {
        const part = new Uint32Array(copied.bytes, copied.offsets[index], read.length)
        const whole = data.get(read.name)
        if (whole) new Uint32Array(whole.buffer, whole.byteOffset, whole.length).set(part, read.at)
      }
      const { evaluated: counted } = step
      if (counted)
        evaluated = counted.total(new Uint32Array(copied.bytes, copied.offsets[step.reads.length], counted.length))
      options.onProgress?.(step.done)
    }
    return { compute, readback, evaluated }
  }

  /** Makes one submission, and resolves with its results when the device has finished. */
  async #submit(
    step: BoundStep,
    buffers: Buffers,
    lease: Lease,
  ): Promise<{ bytes: ArrayBuffer; offsets: number[]; gpu: number | undefined }> {
    const host = this.#host
    const { evaluated } = step
    const reads = [
      ...step.reads.map(({ name, length }) => ({ key: `result.${name}`, first: 0, length })),
      ...(evaluated ? [evaluated] : []),
    ]
    const offsets: number[] = []
    let bytes = 0
    for (const read of reads) {
      offsets.push(bytes)
      bytes += 4 * read.length
    }
    // The timestamps follow the results; each has 64 bits.
    const timestamps = Math.ceil(bytes / 8) * 8
    const staging = await lease.staging(timestamps + 16)
    const queries = await this.#timer.queries(lease)
    const submitted = host.guarded('submit work', () => {
      const encoder = host.device.createCommandEncoder()
      const pass = encoder.beginComputePass(this.#timer.pass())
      encode(pass, step.dispatches)
      pass.end()
      for (const [index, { key, first, length }] of reads.entries()) {
        const from = buffers.get(key)
        if (from && length > 0) encoder.copyBufferToBuffer(from, 4 * first, staging, offsets[index] ?? 0, 4 * length)
      }
      this.#timer.resolve(encoder, queries, staging, timestamps)
      host.device.queue.submit([encoder.finish()])
    })
    // Maps at once, without waiting for errors of the submission. Both must end before the buffers are returned to the pool.
    const [outcome, copied] = await Promise.allSettled([submitted, readStaging(host, staging, timestamps + 16)])
    if (outcome.status === 'rejected') throw outcome.reason
    if (copied.status === 'rejected') throw copied.reason
    const copy = copied.value
    return { bytes: copy, offsets, gpu: this.#timer.read(copy, timestamps) }
  }
}

/** The inputs of a design on the device. Device arrays of the caller are used in place; others are uploaded. */
export async function uploadInputs(
  host: GpuHost,
  { inputs }: ProgramDesign,
  bindings: Bindings,
  lease: Lease,
): Promise<Buffers> {
  const buffers: Buffers = new Map()
  for (const key of inputs) {
    const data = inputOf(bindings, key)
    if (data instanceof GpuArray) buffers.set(key, data.buffer)
    else if (ArrayBuffer.isView(data)) {
      const bytes = bytesOf(data)
      const buffer = await lease.array(bytes.byteLength)
      writeBytes(host.device.queue, buffer, bytes)
      buffers.set(key, buffer)
    } else
      throw new TypeError(`"${key}" expected a typed array or a buffer of this device, got a buffer of another device`)
  }
  return buffers
}

type Numbers = FloatArray | Uint32Array | Int32Array

function bytesOf(data: Numbers): Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer> {
  if (data instanceof Float32Array || data instanceof Float64Array) return toFloat32(data)
  return data.buffer instanceof ArrayBuffer
    ? (data as Uint32Array<ArrayBuffer> | Int32Array<ArrayBuffer>)
    : Uint32Array.from(data)
}

const resultData = ({ type, length }: DesignedResult): ResultData =>
  type === 'f32' ? new Float32Array(length) : type === 'u32' ? new Uint32Array(length) : new Int32Array(length)
