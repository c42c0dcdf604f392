/**
 * An opened WebGPU device: answers whether it supports a workload, and makes programs, arrays and sequences.
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
  PairWorkload,
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
  type Effort,
  type GridPoints,
  type GridStage,
  type GridSum,
  type Learned,
  onFirstUse,
  preparedOn,
  requireFixedLength,
  requireSupport,
  type Tuner,
  whole,
} from '@manybody/core/backend'
import type { Designs, Planning } from './design/designs.ts'
import type { GridDesigner } from './design/grid-design.ts'
import type { CompiledWebGpu } from './designs/compiled.ts'
import type { SumArrays } from './run/grid/grid-stage.ts'
import { readCallersBuffer } from './run/host/callers-buffer.ts'
import { backendName, type GpuHost } from './run/host/host.ts'
import { createMemory, type Memory } from './run/host/memory.ts'
import { GpuProgram } from './run/programs/loaded-at-once.ts'
import { type PrepareContext, prepare } from './run/programs/prepare.ts'
import { createOnceProof } from './run/programs/proof.ts'
import type { GridPieces } from './run/programs/sequence.ts'
import { supportOf } from './support.ts'

export class WebGpuDevice implements Device {
  readonly info: DeviceInfo
  readonly gridPrecision = 'f32'
  readonly sumsVectors = true
  readonly lost: Promise<LossReason>
  readonly #host: GpuHost
  readonly #memory: Memory
  readonly #tuner: Tuner | undefined
  readonly #context: PrepareContext
  /** The GPU that plans are chosen for, if that is not the device itself. */
  readonly #planning: Planning | undefined
  readonly #grids = onFirstUse(async () => {
    const [{ GridSums }, designer] = await Promise.all([import('./run/grid/grid-sums.ts'), gridDesigner()])
    return new GridSums(this.#host, this.#memory, designer)
  })

  constructor(host: GpuHost, tune: OpenOptions['tune'] = 'off', learned: Learned = {}, planning?: Planning) {
    this.#host = host
    this.#memory = createMemory(host)
    this.#tuner = tune === 'off' ? undefined : createTuner(learned)
    const tuning = this.#tuner && { tuner: this.#tuner, effort: tune as Effort, memory: this.#memory }
    this.#planning = planning
    this.#context = { host, tuning, proof: createOnceProof(host, this.#memory) }
    this.info = host.info
    this.lost = host.lost
  }

  /** The fastest plans, as timed on this device or given to it. */
  get learned(): Learned {
    return { ...this.#tuner?.learned }
  }

  supports(workload: Workload, shape: Shape): Support {
    return supportOf(workload, shape, this.#host.limits)
  }

  async prefersBlocks(workload: PairWorkload, shape: Shape): Promise<boolean> {
    return (await import('./compile/designs/designs.ts')).prefersBlocks(workload, shape, this.info.kind)
  }

  async prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    this.#host.check()
    requireSupport(backendName, workload, this.supports(workload, shape))
    return preparedOn(this, (one) => this.#prepare(one, shape, plan), workload, shape, plan)
  }

  async #prepare(workload: Workload, shape: Shape, plan?: Plan): Promise<Program> {
    const compiled = compiledFor(workload, shape, backendName) as CompiledWebGpu | undefined
    const make = await (compiled ? this.#filed(compiled, workload, shape) : this.#written(workload, shape, plan))
    const start = performance.now()
    const designs = make()
    // A file holds the plans of the model, so there is nothing to choose by time.
    const context = compiled ? { ...this.#context, tuning: undefined } : this.#context
    const prepared = await prepare(context, designs, workload, shape, plan)
    const trees = async () => {
      const [found, { TreePrograms }] = await Promise.all([designs.trees(), import('./run/programs/trees.ts')])
      return found && new TreePrograms(this.#host, this.#memory, found, shape)
    }
    return new GpuProgram(this.#host, this.#memory, workload, shape, prepared, performance.now() - start, trees)
  }

  async #filed(compiled: CompiledWebGpu, workload: Workload, shape: Shape): Promise<() => Designs> {
    const [{ compiledDesigns }, { nearDesigns } = {}] = await Promise.all([
      import('./run/programs/compiled-designs.ts'),
      compiled.forms.some(({ loops }) => loops?.near) ? import('./designs/near-designs.ts') : undefined,
    ])
    return () => compiledDesigns(compiled, nearDesigns, workload, shape, this.#host, this.#planning)
  }

  /** The compiling half loads with the first law that comes without a file. */
  async #written(workload: Workload, shape: Shape, plan: Plan | undefined): Promise<() => Designs> {
    const { loadCompiler } = await import('./compile/designs/compiler.ts')
    return loadCompiler(workload, shape, this.#host, this.#planning, plan)
  }

  async proof(): Promise<unknown> {
    return (await import('./run/programs/proof-program.ts')).proof
  }

  async buffer(given: number): Promise<DeviceBuffer> {
    const length = whole(given, 'length', 0)
    const { GpuArray } = await import('./run/host/buffer.ts')
    return GpuArray.create(this.#host, this.#memory, length)
  }

  readBuffer(buffer: object, name: string): Promise<Float32Array> {
    return readCallersBuffer(this.#host, buffer as GPUBuffer, name)
  }

  async sequence(stages: readonly Stage[]): Promise<Sequence> {
    return this.#sequence(stages)
  }

  async #sequence(stages: readonly (Stage | GridStage)[], grids?: GridPieces): Promise<Sequence> {
    for (const stage of stages) if ('program' in stage) requireFixedLength(stage.program, backendName)
    const { createSequence } = await import('./run/programs/sequence.ts')
    return createSequence(this.#host, this.#memory, stages, grids)
  }

  async gridSum(
    sum: GridSum,
    points: GridPoints,
    options: Pick<RunOptions, 'signal'> = {},
  ): Promise<FloatArray | undefined> {
    this.#host.check()
    if (sum.precision !== this.gridPrecision) return undefined
    return (await this.#grids()).run(sum, points, options)
  }

  async takesGridStage(sum: GridSum, points: number): Promise<boolean> {
    const designer = await gridDesigner()
    return sum.precision === this.gridPrecision && designer.stage(sum, points, this.#host.limits) !== undefined
  }

  async gridSequence(stages: readonly (Stage | GridStage)[]): Promise<Sequence> {
    const [{ gridPiece }, designer] = await Promise.all([import('./run/grid/grid-stage.ts'), gridDesigner()])
    const shared: SumArrays = []
    return this.#sequence(stages, (stage, lease) => gridPiece(this.#host, stage, designer, lease, shared))
  }

  dispose(): void {
    this.#memory.dispose()
    this.#host.dispose()
  }
}

const gridDesigner = async (): Promise<GridDesigner> => (await import('./compile/grid/stage-design.ts')).gridDesigner
