/**
 * An opened device: the cores of this machine over one memory. It is the door between the halves: if no file brings the modules
 * of a law along, it loads the compiler.
 *
 * @module
 */
import type {
  Device,
  DeviceBuffer,
  DeviceInfo,
  FloatArray,
  LossReason,
  OpenOptions,
  Plan,
  Program,
  RunOptions,
  Sequence,
  Shape,
  Stage,
  Support,
  Workload,
} from '@manybody/core'
import {
  compiledFor,
  createTuner,
  type GridPoints,
  type GridSum,
  type Learned,
  makesLists,
  onFirstUse,
  preparedOn,
  requireSupport,
  whole,
} from '@manybody/core/backend'
import type { KnownDesigns } from './compile/designs/compiler.ts'
import type { CompiledCpu } from './design/compiled.ts'
import type { Designs } from './design/designs.ts'
import { Host } from './run/host/host.ts'
import { Memory } from './run/host/memory.ts'
import type { Compile, Tuning } from './run/programs/tuner.ts'
import { Executor } from './run/threads/executor.ts'
import type { WorkerSource } from './run/threads/start-worker.ts'
import { onOneThread, withThreads } from './run/threads/threads.ts'
import { roomFor, supportOf } from './support.ts'

const loadNearCode = async () => (await import('./run/programs/near-code.ts')).nearCode

export interface WasmDeviceOptions {
  readonly threads: number
  readonly threadsFrom: number | undefined
  readonly workers: WorkerSource | undefined
  readonly tune: OpenOptions['tune']
  readonly learned: Learned | undefined
}

export class WasmDevice implements Device {
  readonly sumsVectors = true
  readonly lost: Promise<LossReason>
  readonly #host: Host
  readonly #tuning: Tuning | undefined
  readonly #leave: (() => void) | undefined
  readonly #known: KnownDesigns = new WeakMap()
  readonly #grids = onFirstUse(async () => {
    const [{ GridSums }, { gridDesign }] = await Promise.all([
      import('./run/grid/grid-sums.ts'),
      import('./compile/grid/grid-module.ts'),
    ])
    return new GridSums(this.#host, gridDesign)
  })
  #disposed = false

  static async open(info: DeviceInfo, options: WasmDeviceOptions): Promise<WasmDevice> {
    const { threads, threadsFrom, workers, tune = 'off', learned } = options
    const tuning = tune === 'off' ? undefined : { tuner: createTuner(learned), effort: tune }
    if (threads === 1) return new WasmDevice(new Host(info, new Memory(), new Executor()), tuning)
    const { joinPool, leavePool, PoolExecutor } = await import('./run/threads/several.ts')
    const pool = joinPool(workers)
    const sharing = pool.memory === 'shared'
    const memory = sharing ? await Memory.reserve(pool.spares) : new Memory()
    if (!sharing || memory.shared) {
      const host = new Host(info, memory, new PoolExecutor(threads, threadsFrom, pool))
      return new WasmDevice(host, tuning, () => leavePool(pool, memory))
    }
    leavePool(pool)
    const alone = onOneThread(info, 'no shared memory could be reserved; use fewer engines at once')
    return new WasmDevice(new Host(alone, memory, new Executor()), tuning)
  }

  private constructor(host: Host, tuning: Tuning | undefined, leave?: () => void) {
    this.#leave = leave
    this.#host = host
    this.lost = host.lost
    this.#tuning = tuning
  }

  /** The fastest plans, as timed on this device or given to it. */
  get learned(): Learned {
    return { ...this.#tuning?.tuner.learned }
  }

  /** Facts about the device. They may change: whether workers start is known only when they are needed. */
  get info(): DeviceInfo {
    const { info, pool } = this.#host
    return pool ? withThreads(info, pool) : info
  }

  supports(workload: Workload, shape: Shape): Support {
    return supportOf(workload, shape, this.info)
  }

  prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    return preparedOn(this, (one) => this.#prepare(one, shape, plan), workload, shape, plan)
  }

  async #prepare(workload: Workload, shape: Shape, plan: Plan | undefined): Promise<Program> {
    this.#host.refuseIfLost()
    requireSupport(this.info.backend, workload, this.supports(workload, shape))
    const designed = this.#designs(workload, shape, plan)
    const [{ WasmProgram }, { designs, chosen }, near] = await Promise.all([
      import('./run/programs/program.ts'),
      designed,
      designed.then(({ designs }) => (designs.facts.pair?.blocks ? loadNearCode() : undefined)),
    ])
    const choice = { plan: chosen, chooses: plan === undefined, near }
    const program = new WasmProgram(this.#host, workload, shape, designs, choice)
    // Starts workers now, so that they are ready when the module is compiled.
    this.#host.pool?.grow(this.#host.threads - 1)
    const { design } = await program.load()
    if (workload.loop === 'pair' && workload.reduction === 'sum' && shape.lengths) {
      const support = roomFor(design, workload, shape, this.info)
      if (!support.ok) program.dispose()
      requireSupport(this.info.backend, workload, support)
    }
    return program
  }

  /** The designs of a workload, from its file or from the compiler, and the plan to take. */
  async #designs(
    workload: Workload,
    shape: Shape,
    plan: Plan | undefined,
  ): Promise<{ readonly designs: Designs; readonly chosen: Plan | undefined }> {
    const { info, memory } = this.#host
    const target = { precision: info.precision, shared: memory.shared }
    const compiled = compiledFor(workload, shape, info.backend) as CompiledCpu | undefined
    if (compiled) {
      const { compiledDesigns } = await import('./run/programs/compiled-designs.ts')
      return { designs: compiledDesigns(compiled, shape, target), chosen: plan }
    }
    const { knownDesigns } = await import('./compile/designs/compiler.ts')
    const planned = (plan ?? this.#tuning) !== undefined
    const compile: Compile = (one, points) => knownDesigns(this.#known, one, points, target, planned)
    const chosen = plan ?? (await this.#fastest(workload, shape, compile))
    return { designs: await compile(workload, shape), chosen }
  }

  /** The fastest plan by timing; undefined if the device does not tune, or the workload has no choice of plans. */
  async #fastest(workload: Workload, shape: Shape, compile: Compile): Promise<Plan | undefined> {
    if (!this.#tuning || workload.loop !== 'pair' || makesLists(workload) || workload.reduction === 'none')
      return undefined
    if (shape.targets === 0 || shape.sources === 0 || shape.ranged) return undefined
    const { fastestPlan } = await import('./run/programs/tuner.ts')
    return fastestPlan(this.#host, this.#tuning, compile, workload, shape)
  }

  async proof(): Promise<unknown> {
    const { precision } = this.info
    return (await (precision === 'f64' ? import('./run/programs/proof-f64.ts') : import('./run/programs/proof-f32.ts')))
      .proof
  }

  async buffer(given: number): Promise<DeviceBuffer> {
    const length = whole(given, 'length', 0)
    const host = this.#host
    const { memory } = host
    const { precision } = this.info
    const { DeviceArray } = await import('./run/host/buffer.ts')
    return host.inOrder(
      () =>
        new DeviceArray({
          ...{ memory, precision, length },
          inOrder: (task) => host.inOrder(task),
          idle: () => host.free,
        }),
    )
  }

  async sequence(stages: readonly Stage[]): Promise<Sequence> {
    const { sequenceOf } = await import('./run/programs/sequence.ts')
    return sequenceOf(this.#host, stages)
  }

  async gridSum(sum: GridSum, points: GridPoints, options: Pick<RunOptions, 'signal'> = {}): Promise<FloatArray> {
    return (await this.#grids()).run(sum, points, options)
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    const { idle } = this.#host
    this.#host.refuse({ reason: 'it was disposed of', remedy: 'open it again' })
    // A run waits for the calls that workers have claimed, so the workers must not end before it has stopped.
    if (this.#leave) void idle.then(this.#leave)
  }
}
