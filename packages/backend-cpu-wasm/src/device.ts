/**
 * An opened device: this machine's cores over one memory.
 *
 * @module
 */
import {
  type Device,
  type DeviceBuffer,
  type DeviceInfo,
  type LossReason,
  type Plan,
  type Program,
  type Sequence,
  type Shape,
  type Stage,
  type Support,
  UnsupportedWorkloadError,
  type Workload,
} from '@manybody/core'
import { DeviceArray } from './device-array.ts'
import { Executor } from './executor.ts'
import { Host } from './host.ts'
import { Memory } from './memory.ts'
import { joinPool, leavePool } from './pools.ts'
import { WasmProgram } from './program.ts'
import { sequenceOf } from './sequence.ts'
import type { WorkerSource } from './start-worker.ts'
import { supportOf } from './support.ts'
import { withThreads } from './threads.ts'

export interface DeviceOptions {
  readonly threads: number
  readonly threadsFrom: number | undefined
  readonly workers: WorkerSource | undefined
  readonly widens: boolean
}

export class WasmDevice implements Device {
  readonly lost: Promise<LossReason>
  readonly #host: Host
  #disposed = false

  constructor(info: DeviceInfo, { threads, threadsFrom, workers, widens }: DeviceOptions) {
    const pool = threads > 1 ? joinPool(workers) : undefined
    const executor = new Executor(threads, threadsFrom, pool)
    this.#host = new Host(info, new Memory(pool?.memory === 'shared'), executor, widens)
    this.lost = this.#host.lost
  }

  /** As it is now: whether workers start is known only when they are needed. */
  get info(): DeviceInfo {
    const { info, pool } = this.#host
    return pool ? withThreads(info, pool) : info
  }

  supports(workload: Workload, shape: Shape): Support {
    return supportOf(workload, shape, this.info)
  }

  async prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    const support = this.supports(workload, shape)
    if (!support.ok)
      throw new UnsupportedWorkloadError(
        workload.loop === 'pair' ? workload.law.name : workload.results.join(', '),
        this.info.backend,
        support.reason,
      )
    const program = new WasmProgram(this.#host, workload, shape, plan)
    const parameters = workload.loop === 'pair' ? workload.law.parameters : {}
    // Started now, so that they are there when the module is compiled.
    this.#host.pool?.grow(this.#host.threads - 1)
    await program.load(parameters)
    return program
  }

  buffer(length: number): Promise<DeviceBuffer> {
    const { memory } = this.#host
    const { precision } = this.info
    return this.#host.inOrder(
      () => new DeviceArray({ memory, precision, length, inOrder: (task) => this.#host.inOrder(task) }),
    )
  }

  sequence(stages: readonly Stage[]): Promise<Sequence> {
    return sequenceOf(this.#host, stages)
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    this.#host.refuse({ reason: 'it was disposed of', remedy: 'open it again' })
    if (this.#host.pool) leavePool(this.#host.pool)
  }
}
