/**
 * A workload compiled for this device.
 *
 * A law can be singular at distance 0 for some parameters only. Then two modules are compiled, with and without a guard, and
 * the parameters of each run decide which one it uses.
 *
 * @module
 */
import type { ArrayResults, Bindings, Plan, Program, Range, Report, RunOptions, Shape, Workload } from '@manybody/core'
import { accumulationIn, blockPoints, Guarded, reportAfter, reportOf } from '@manybody/core/backend'
import type { ProgramDesign } from '../designs/design.ts'
import { designOf, type LoopOptions } from '../designs/designs.ts'
import type { WriterOptions } from '../expressions/module-writer.ts'
import type { DeviceArray } from '../host/buffer.ts'
import type { Host } from '../host/host.ts'
import { Memory } from '../host/memory.ts'
import { type LoopPlan, loopPlan, tileSources, type Visit } from '../plans/plan.ts'
import { survivesWidening } from '../quirks/widened-calls.ts'
import { vectorOf } from '../wasm/vector.ts'
import { type LoadedProgram, load } from './compile.ts'
import { matrixInBlocks } from './matrix-in-blocks.ts'
import { Placement } from './placement.ts'
import { copied, runOnce } from './run-once.ts'

export class WasmProgram implements Program {
  readonly host: Host
  readonly workload: Workload
  readonly shape: Shape
  readonly #plan: LoopPlan
  /** The module for whole runs, and the one for runs over ranges, which visits all pairs. */
  readonly #loaded: Readonly<Record<'whole' | 'plain', Guarded<Promise<LoadedProgram>>>>
  readonly #placements = new Map<LoadedProgram, Placement>()
  #report: Report | undefined

  constructor(host: Host, workload: Workload, shape: Shape, plan: Plan | undefined) {
    this.host = host
    this.workload = workload
    this.shape = shape
    this.#plan = loopPlan(plan, workload, shape, host)
    const loadedBy = (visit: Visit) =>
      new Guarded(workload, shape.dimension, (guard, parameters) => this.#load(guard, visit, parameters))
    const plain = loadedBy('all')
    this.#loaded = { whole: this.#plan.visit === 'all' ? plain : loadedBy(this.#plan.visit), plain }
  }

  get report(): Report {
    return this.#report ?? this.#reportOf(this.#variant(undefined, this.#plan.visit, 1))
  }

  /** The compiled module for these parameters. */
  load(parameters: Readonly<Record<string, number>>, whole = true): Promise<LoadedProgram> {
    return this.#loaded[whole ? 'whole' : 'plain'].of(parameters)
  }

  #load(guard: boolean, visit: Visit, parameters: Readonly<Record<string, number>>): Promise<LoadedProgram> {
    const { memory, pool, info, threads } = this.host
    const v = vectorOf(info.precision, this.#plan.scalar)
    const options = { ...this.#plan, v, shared: memory.shared }
    const loop = { ...this.#plan, guard, visit, threads }
    const design = designOf(this.workload, this.shape, options, loop)
    const proof = mayWiden(design) ? () => this.#widensRightly(options, loop, parameters) : undefined
    return load(design, memory, pool, proof)
  }

  /** Whether the widened loop has the same results. */
  async #widensRightly(
    options: WriterOptions,
    loop: LoopOptions,
    parameters: Readonly<Record<string, number>>,
  ): Promise<boolean> {
    const { workload, host } = this
    if (workload.loop !== 'pair') return false
    const { widensRightly } = await import('./proof.ts')
    const designFor = (shape: Shape) =>
      designOf(workload, shape, { ...options, shared: false }, { ...loop, threads: 1 })
    const { precision } = host.info
    return widensRightly(
      workload,
      this.shape,
      parameters,
      designFor,
      () => new Memory(),
      (program, shape, memory) => new Placement({ memory, program, shape, precision, threads: 1 }),
    )
  }

  run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return this.host.inOrder(async () => {
      options.signal?.throwIfAborted()
      const whole = !options.sources && !options.targets && !options.initial
      const program = await this.load(bindings.parameters, whole)
      let placement = this.#placements.get(program)
      if (placement === undefined) {
        placement = this.place(program)
        this.#placements.set(program, placement)
      }
      const pairs = this.workload.loop === 'pair'
      const matrix = pairs && this.workload.reduction === 'none'
      let results: ArrayResults = {}
      const take = (found: ArrayResults) => {
        results = copied(found)
      }
      const times = await (matrix
        ? matrixInBlocks(this.host, placement, this.shape, bindings, options, (whole) => {
            results = whole
          })
        : runOnce(this.host, placement, bindings, options, take))
      const count = (range: Range | undefined, all: number) => (range ? range[1] - range[0] : all)
      const { targets, sources } = this.shape
      const interactions = count(options.targets, targets) * (pairs ? count(options.sources, sources) : 1)
      const report = this.#reportOf(this.#variant(program, whole ? this.#plan.visit : 'all', this.host.threadsUsed))
      const { evaluated } = placement
      this.#report = reportAfter(report, interactions, { compile: program.milliseconds, ...times }, evaluated)
      return results
    })
  }

  /** Creates a placement for one use of the compiled module. */
  place(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.host
    return new Placement({ memory, program, shape: this.shape, precision: info.precision, threads })
  }

  /** Creates a placement for one stage of a sequence. Its results stay on the device. */
  async stage(bindings: Bindings, outputs: Readonly<Record<string, DeviceArray>>): Promise<Placement> {
    const program = await this.load(bindings.parameters)
    const { results } = program.design
    for (const [name, { length }] of Object.entries(outputs)) {
      const entries = results.find((result) => result.name === name)?.entries
      if (entries === undefined)
        throw new TypeError(`"outputs" expected ${results.map((result) => result.name).join(' or ')}, got "${name}"`)
      const expected = entries * this.shape.targets
      if (length !== expected)
        throw new RangeError(`"outputs.${name}" expected a buffer of length ${expected}, got ${length}`)
    }
    const placement = this.place(program)
    placement.bind(bindings, {}, outputs)
    return placement
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
    for (const loaded of [...this.#loaded.whole.release(), ...this.#loaded.plain.release()])
      loaded.then(
        ({ id }) => this.host.pool?.drop(id),
        () => {},
      )
  }

  /** How the loop ran, as reports show it. */
  #variant(program: LoadedProgram | undefined, visit: Visit, threads: number): string {
    const { design, widened = false } = program ?? {}
    const { tile } = this.#plan
    const registers = design?.registers ?? 1
    const shape = design?.blockTargets
      ? ` (${design.blockTargets} x ${blockPoints})`
      : registers > 1
        ? ` x${registers}`
        : ''
    const size = `${shape}${tile === tileSources ? '' : `, tiles of ${tile}`}`
    const relaxed = `${this.#plan.fused ? '-relaxed' : ''}${widened ? '-wide' : ''}`
    const refused = program?.design.writer.wide && !widened ? `, not widened because ${whyNot(program.design)}` : ''
    const loop = { all: this.#plan.scalar ? 'scalar' : 'simd', once: 'pairs-once', blocks: 'blocks' }[visit]
    return `${loop}${relaxed}${size}, ${threads} thread${threads > 1 ? 's' : ''}${refused}`
  }

  /** The report of a run with this variant, without times. */
  #reportOf(variant: string): Report {
    const { info } = this.host
    const sums = info.precision === 'f64' ? 'f64' : inBlocks(this.#plan, this.shape) ? 'block' : 'running'
    return reportOf(info, { variant, accumulation: accumulationIn(this.workload, sums) })
  }
}

/** Whether the bound of block sums holds: tiles have at most 256 sources, or few enough for the number of tiles. */
function inBlocks({ tile }: LoopPlan, { sources }: Shape): boolean {
  return tile <= Math.max(256, sources / 256)
}

const mayWiden = ({ writer }: ProgramDesign): boolean => writer.wide && survivesWidening(writer.module)
const whyNot = (design: ProgramDesign): string =>
  mayWiden(design) ? 'that changed the results' : 'V8 may crash on loops that call functions'
