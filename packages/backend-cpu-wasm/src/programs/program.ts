/**
 * A workload compiled for this device.
 *
 * A law can be singular at distance 0 for some parameters only. Then two modules are compiled, with and without a guard, and
 * the parameters of each run decide which one it uses.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  Plan,
  Program,
  Report,
  RunOptions,
  Shape,
  TreeRuns,
  TreeSetting,
  Workload,
} from '@manybody/core'
import {
  Guarded,
  lengthOf,
  nearShareOf,
  pairsIn,
  type RunRanges,
  rangesWithin,
  reportAfter,
  reportOf,
  runRanges,
} from '@manybody/core/backend'
import type { ProgramDesign } from '../designs/design.ts'
import { designOf, type LoopOptions } from '../designs/designs.ts'
import { mayWiden, variantOf } from '../designs/variant.ts'
import type { WriterOptions } from '../expressions/module-writer.ts'
import type { DeviceArray } from '../host/buffer.ts'
import type { Host } from '../host/host.ts'
import { Memory } from '../host/memory.ts'
import { keptBy, mayVisitBlocks, mostShare, numbersIn } from '../plans/blocks-model.ts'
import { suitsInertiaUnit, withInertiaUnit } from '../plans/inertia.ts'
import { type LoopPlan, loopPlan, sharesForces } from '../plans/plan.ts'
import { approximates, treeShare } from '../plans/tree-model.ts'
import { vectorOf } from '../wasm/vector.ts'
import { type LoadedProgram, load } from './compile.ts'
import { either, type Staged } from './either.ts'
import { matrixInBlocks } from './matrix-in-blocks.ts'
import { Placement } from './placement.ts'
import { copied, runOnce } from './run-once.ts'
import { Trees } from './trees.ts'

/** A way to visit the pairs of a workload, compiled when it is first needed. */
interface Loop {
  readonly plan: LoopPlan
  readonly designs: Guarded<ProgramDesign>
  readonly loaded: Guarded<Promise<LoadedProgram>>
}

export class WasmProgram implements Program {
  readonly host: Host
  readonly workload: Workload
  readonly shape: Shape
  /** The loop for whole runs and for sequences. */
  readonly #whole: Loop
  /** The loop for runs over ranges, which visits all pairs. */
  readonly #plain: Loop
  /** The loop for whole runs and sequences by forces that both points share; undefined if there are none. */
  readonly #forces: Loop | undefined
  /** The loop for whole runs whose points make it faster; undefined if a plan decides, or it never is. */
  readonly #blocks: Loop | undefined
  /** How many nearest sources the workload keeps. */
  readonly #kept: number | undefined
  readonly #placements = new Map<LoadedProgram, Placement>()
  readonly #trees: Trees | undefined
  #report: Report | undefined

  /** @param chooses whether runs may take another variant than the plan's if their points make it faster */
  constructor(
    host: Host,
    workload: Workload,
    shape: Shape,
    plan: Plan | undefined,
    chooses: boolean = plan === undefined,
  ) {
    this.host = host
    this.workload = workload
    this.shape = shape
    const whole = loopPlan(plan, workload, shape, host)
    this.#plain = this.#loop({ ...whole, visit: shape.ranged ? 'ranges' : 'all' })
    this.#whole = whole.visit === this.#plain.plan.visit ? this.#plain : this.#loop(whole)
    if (sharesForces(workload, shape, whole)) this.#forces = this.#loop(whole, true)
    if (workload.loop === 'pair' && approximates(workload, shape)) this.#trees = new Trees(host, workload, shape)
    if (chooses && workload.loop === 'pair' && mayVisitBlocks(workload, shape, whole)) {
      this.#blocks = this.#loop(loopPlan({ variant: 'blocks' }, workload, shape, host))
      this.#kept = keptBy(workload, shape)
    }
  }

  get report(): Report {
    return this.#report ?? reportOf(this.host.info, this.#usual.designs.of())
  }

  get tree(): TreeRuns | undefined {
    const { shape } = this
    return this.#trees?.runs(
      treeShare(shape.sources, this.#whole.plan.visit === 'once'),
      ({ times, evaluated }, program) => {
        const report = this.#reportOf(program)
        const compile = program.milliseconds
        this.#report = reportAfter(report, shape.targets * shape.sources, { compile, ...times }, evaluated)
      },
    )
  }

  /** The compiled module for these parameters. */
  load(parameters: Readonly<Record<string, number>>): Promise<LoadedProgram> {
    return this.#usual.loaded.of(parameters)
  }

  /** The loop of whole runs, unless their points make another faster. */
  get #usual(): Loop {
    return this.#forces ?? this.#whole
  }

  #loop(plan: LoopPlan, divides = false): Loop {
    const { workload, shape, host } = this
    const v = vectorOf(host.info.precision, plan.scalar)
    const options = { ...plan, v, shared: host.memory.shared }
    const loopFor = (guard: boolean) => ({ ...plan, guard, divides, threads: host.threads })
    const designs = new Guarded(workload, shape.dimension, (guard) =>
      designOf(workload, shape, options, loopFor(guard)),
    )
    const loaded = new Guarded(workload, shape.dimension, (guard, parameters) => {
      const design = designs.of(parameters)
      const proof = mayWiden(design) ? () => this.#widensRightly(options, loopFor(guard), parameters) : undefined
      return load(design, host.memory, host.pool, proof)
    })
    return { plan, designs, loaded }
  }

  /** The loop for a run, and its bindings. */
  async #loopFor(
    bindings: Bindings,
    { sources, targets, initial }: RunOptions,
  ): Promise<{ loop: Loop; bindings: Bindings }> {
    if (sources || targets || initial) return { loop: this.#plain, bindings }
    const weighted = this.#forces && withInertiaUnit(this.workload, bindings, this.host.memory)
    // The decision loads the same loop: with other parameters, it would evaluate the term at distance 0 in every run.
    const visitsBlocks = await this.#decision(weighted ?? bindings)
    if (this.#blocks && visitsBlocks?.()) return { loop: this.#blocks, bindings }
    return this.#forces && weighted ? { loop: this.#forces, bindings: weighted } : { loop: this.#whole, bindings }
  }

  /** Whether blocks are faster for the points of the moment; undefined if that does not depend on them. */
  async #decision(bindings: Bindings): Promise<(() => boolean) | undefined> {
    if (!this.#blocks) return undefined
    const { info, threads, memory } = this.host
    const { design, widened } = await this.load(bindings.parameters)
    const once = this.#whole.plan.visit === 'once'
    const { precision } = info
    const most = mostShare(this.shape.sources, { precision, threads, once, registers: design.registers, widened })
    if (most === 0) return undefined
    const reading = { kept: this.#kept, numbersOf: numbersIn(memory) }
    return () => nearShareOf(this.shape, bindings, reading) < most
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

  run(given: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return this.host.inOrder(async () => {
      options.signal?.throwIfAborted()
      const { targets, sources } = runRanges(this.workload, this.shape, options)
      const { loop, bindings } = await this.#loopFor(given, options)
      const program = await loop.loaded.of(bindings.parameters)
      let placement = this.#placements.get(program)
      if (placement === undefined) {
        placement = this.place(program)
        this.#placements.set(program, placement)
      }
      const pairs = this.workload.loop === 'pair'
      const matrix = pairs && this.workload.reduction === 'none'
      let results: ArrayResults = {}
      const take = (found: ArrayResults) => {
        results = copied(found, options.into)
      }
      const times = await (matrix
        ? matrixInBlocks(this.host, placement, this.shape, bindings, options, (whole) => {
            results = whole
          })
        : runOnce(this.host, placement, bindings, options, take))
      const interactions = lengthOf(targets) * (pairs ? lengthOf(sources) : 1)
      const report = this.#reportOf(program)
      const { ranges } = bindings
      // A matrix runs in several parts.
      const evaluated = ranges && matrix ? pairsIn(rangesWithin(ranges, { targets, sources })) : placement.evaluated
      this.#report = reportAfter(report, interactions, { compile: program.milliseconds, ...times }, evaluated)
      return results
    })
  }

  /** Creates a placement for one use of the compiled module. */
  place(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.host
    return new Placement({ memory, program, shape: this.shape, precision: info.precision, threads })
  }

  /** Prepares one stage of a sequence. Its results stay on the device. */
  async stage(
    bindings: Bindings,
    outputs: Readonly<Record<string, DeviceArray>>,
    ranges: Partial<RunRanges>,
  ): Promise<Staged> {
    const { targets } = runRanges(this.workload, this.shape, ranges)
    const part = ranges.targets || ranges.sources
    const program = await (part ? this.#plain : this.#whole).loaded.of(bindings.parameters)
    requireLengths(program, outputs, lengthOf(targets))
    const bound = (loaded: LoadedProgram, given = bindings) => {
      const placement = this.place(loaded)
      placement.bind(given, ranges, outputs)
      return placement
    }
    if (part) return bound(program)
    const visitsBlocks = await this.#decision(bindings)
    const whole = await this.#wholeStage(bindings, bound)
    if (!this.#blocks || !visitsBlocks) return whole
    const blocks = await this.#blocks.loaded.of(bindings.parameters)
    return either(whole, bound(blocks), visitsBlocks)
  }

  /** Prepares a stage of a sequence that a tree approximates. */
  async treeStage(
    bindings: Bindings,
    outputs: Readonly<Record<string, DeviceArray>>,
    setting: TreeSetting,
  ): Promise<Staged> {
    const program = await this.#whole.loaded.of(bindings.parameters)
    requireLengths(program, outputs, this.shape.targets)
    return (this.#trees as Trees).stage(bindings, outputs, setting)
  }

  /** The stage without blocks. The inertias of each step decide whether it computes forces. */
  async #wholeStage(
    bindings: Bindings,
    bound: (loaded: LoadedProgram, bindings: Bindings) => Placement,
  ): Promise<Staged> {
    const { workload, host } = this
    const plain = bound(await this.#whole.loaded.of(bindings.parameters), bindings)
    const weighted = this.#forces && withInertiaUnit(workload, bindings, host.memory)
    if (!this.#forces || !weighted) return plain
    const forces = bound(await this.#forces.loaded.of(bindings.parameters), weighted)
    return either(forces, plain, () => !suitsInertiaUnit(workload, weighted, host.memory))
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
    const loops = [this.#whole, this.#forces, this.#plain, this.#blocks]
    const drop = (loaded: Promise<LoadedProgram>): void => {
      loaded.then(
        ({ id }) => this.host.pool?.drop(id),
        () => {},
      )
    }
    for (const loaded of loops.flatMap((loop) => loop?.loaded.release() ?? [])) drop(loaded)
    this.#trees?.dispose(drop)
  }

  /** The report of a run, without times. */
  #reportOf(program: LoadedProgram): Report {
    const { info, threadsUsed } = this.host
    return reportOf(info, { ...program.design, variant: variantOf(program, threadsUsed) })
  }
}

/** @throws TypeError, RangeError if results do not fit the arrays */
function requireLengths(
  { design }: LoadedProgram,
  outputs: Readonly<Record<string, DeviceArray>>,
  targets: number,
): void {
  const { results } = design
  for (const [name, { length }] of Object.entries(outputs)) {
    const entries = results.find((result) => result.name === name)?.entries
    if (entries === undefined)
      throw new TypeError(`"outputs" expected ${results.map((result) => result.name).join(' or ')}, got "${name}"`)
    const expected = entries * targets
    if (length !== expected)
      throw new RangeError(`"outputs.${name}" expected a buffer of length ${expected}, got ${length}`)
  }
}
