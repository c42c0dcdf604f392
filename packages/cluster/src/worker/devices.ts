/**
 * The devices of a worker: one for each requested precision. An engine opens and proves it when it is first needed. A GPU keeps the
 * points of its latest job, because a job has many calls.
 *
 * @module
 */
import {
  type Device,
  type DeviceBuffer,
  DeviceLostError,
  type FloatArray,
  type PointSet,
  type Precision,
  type Program,
} from '@manybody/core'
import { type CreateEngineOptions, createEngine, type Engine } from 'manybody'
import type { ArrayRef } from '../wire/arrays.ts'
import type { ClusterJob } from '../wire/job.ts'

export type WorkerDevices = Pick<CreateEngineOptions, 'backend' | 'backends' | 'threads'>

/** How many programs to keep for later jobs. */
const keptPrograms = 16

interface Opened {
  readonly engine: Engine<Precision>
  readonly programs: Map<string, Promise<Program>>
  /** Arrays on the device, by their hashes. */
  readonly arrays: Map<string, Promise<DeviceBuffer>>
}

type Refs = Readonly<Record<string, ArrayRef>>

/** Puts points where the device of a job reads them. */
export type Place = (points: PointSet, refs: Refs) => Promise<PointSet>

export class Devices {
  readonly #options: WorkerDevices
  readonly #opened = new Map<Precision, Promise<Opened>>()

  constructor(options: WorkerDevices) {
    this.#options = options
  }

  async device(precision: Precision): Promise<Device> {
    return (await this.#open(precision)).engine.device
  }

  /**
   * Uses the program of a job. If the device was lost, it is opened again, once.
   *
   * @param lane separates calls that run at the same time: each needs its own program, because a program reports its latest run
   */
  async using<T>(job: ClusterJob, lane: number, use: (program: Program, place: Place) => Promise<T>): Promise<T> {
    const opened = await this.#open(job.precision)
    try {
      return await useOn(opened, job, lane, use)
    } catch (error) {
      if (!(error instanceof DeviceLostError)) throw error
      await this.#close(job.precision, opened)
      return useOn(await this.#open(job.precision), job, lane, use)
    }
  }

  async dispose(): Promise<void> {
    const all = [...this.#opened.values()]
    this.#opened.clear()
    for (const opened of await Promise.allSettled(all)) if (opened.status === 'fulfilled') opened.value.engine.dispose()
  }

  /** Closes a lost device, unless another call has already replaced it. */
  async #close(precision: Precision, lost: Opened): Promise<void> {
    if ((await this.#opened.get(precision)) !== lost) return
    this.#opened.delete(precision)
    lost.engine.dispose()
  }

  #open(precision: Precision): Promise<Opened> {
    const opened =
      this.#opened.get(precision) ??
      createEngine<Precision>({ ...this.#options, precision }).then((engine) => ({
        engine,
        programs: new Map(),
        arrays: new Map(),
      }))
    this.#opened.set(precision, opened)
    opened.catch(() => this.#opened.get(precision) === opened && this.#opened.delete(precision))
    return opened
  }
}

async function useOn<T>(
  opened: Opened,
  job: ClusterJob,
  lane: number,
  use: (program: Program, place: Place) => Promise<T>,
): Promise<T> {
  const { device } = opened.engine
  forgetOthers(opened, job)
  return use(await program(opened, job, lane), (points, refs) =>
    device.info.kind === 'cpu' ? Promise.resolve(points) : placed(opened, points, refs),
  )
}

function program({ engine, programs }: Opened, { workload, shape, plan }: ClusterJob, lane: number): Promise<Program> {
  const key = JSON.stringify([workload, shape, plan, lane])
  const kept = programs.get(key)
  programs.delete(key)
  const prepared = kept ?? engine.device.prepare(workload, shape, plan)
  programs.set(key, prepared)
  prepared.catch(() => programs.get(key) === prepared && programs.delete(key))
  for (const [old, unused] of programs) {
    if (programs.size <= keptPrograms) break
    programs.delete(old)
    unused.then((it) => it.dispose()).catch(() => {})
  }
  return prepared
}

async function placed({ engine, arrays }: Opened, { count, arrays: given }: PointSet, refs: Refs): Promise<PointSet> {
  const entries = Object.entries(refs).map(async ([name, { hash }]) => {
    const buffer = arrays.get(hash) ?? upload(engine.device, given[name] as FloatArray)
    arrays.set(hash, buffer)
    buffer.catch(() => arrays.get(hash) === buffer && arrays.delete(hash))
    return [name, await buffer] as const
  })
  // One upload may fail while the device still reads another array.
  await Promise.allSettled(entries)
  return { count, arrays: Object.fromEntries(await Promise.all(entries)) }
}

async function upload(device: Device, numbers: FloatArray): Promise<DeviceBuffer> {
  const buffer = await device.buffer(numbers.length)
  await buffer.write(numbers)
  return buffer
}

/** Disposes of the arrays that a job does not use. */
function forgetOthers({ arrays }: Opened, { arrays: { targets, sources = {} } }: ClusterJob): void {
  const used = new Set([...Object.values(targets), ...Object.values(sources)].map(({ hash }) => hash))
  for (const [hash, buffer] of arrays) {
    if (used.has(hash)) continue
    arrays.delete(hash)
    buffer.then((it) => it.dispose()).catch(() => {})
  }
}
