/**
 * The devices of a worker: one for each precision that a job asked for, opened and proven by an engine when first needed.
 *
 * @module
 */
import { type Device, DeviceLostError, type Precision, type Program } from '@manybody/core'
import { type CreateEngineOptions, createEngine, type Engine } from 'manybody'
import type { ClusterJob } from '../wire/job.ts'

export type WorkerDevices = Pick<CreateEngineOptions, 'backend' | 'backends' | 'threads'>

/** Programs are kept for the jobs to come. */
const keptPrograms = 16

interface Opened {
  readonly engine: Engine<Precision>
  readonly programs: Map<string, Promise<Program>>
}

export class Devices {
  readonly #options: WorkerDevices
  readonly #opened = new Map<Precision, Promise<Opened>>()

  constructor(options: WorkerDevices) {
    this.#options = options
  }

  async device(precision: Precision): Promise<Device> {
    return (await this.#open(precision)).engine.device
  }

  /** Uses the program of a job. A device that was lost is opened again, once. */
  async using<T>(job: ClusterJob, use: (program: Program) => Promise<T>): Promise<T> {
    try {
      return await use(await this.#program(job))
    } catch (error) {
      if (!(error instanceof DeviceLostError)) throw error
      const lost = await this.#opened.get(job.precision)
      this.#opened.delete(job.precision)
      lost?.engine.dispose()
      return use(await this.#program(job))
    }
  }

  async dispose(): Promise<void> {
    const all = [...this.#opened.values()]
    this.#opened.clear()
    for (const opened of await Promise.allSettled(all)) if (opened.status === 'fulfilled') opened.value.engine.dispose()
  }

  async #program({ precision, workload, shape, plan }: ClusterJob): Promise<Program> {
    const { engine, programs } = await this.#open(precision)
    const key = JSON.stringify([workload, shape, plan])
    const kept = programs.get(key)
    programs.delete(key)
    const program = kept ?? engine.device.prepare(workload, shape, plan)
    programs.set(key, program)
    program.catch(() => programs.get(key) === program && programs.delete(key))
    for (const [old, unused] of programs) {
      if (programs.size <= keptPrograms) break
      programs.delete(old)
      unused.then((it) => it.dispose()).catch(() => {})
    }
    return program
  }

  #open(precision: Precision): Promise<Opened> {
    const opened =
      this.#opened.get(precision) ??
      createEngine<Precision>({ ...this.#options, precision }).then((engine) => ({ engine, programs: new Map() }))
    this.#opened.set(precision, opened)
    opened.catch(() => this.#opened.get(precision) === opened && this.#opened.delete(precision))
    return opened
  }
}
