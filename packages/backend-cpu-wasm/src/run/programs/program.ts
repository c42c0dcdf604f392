/**
 * A workload that is compiled for this device. It runs, or is a stage of a sequence.
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
import {
  boxesIn,
  type Filled,
  type Guard,
  Guarded,
  lengthOf,
  pairsIn,
  type RunRanges,
  rangesWithin,
  reachesVary,
  refilled,
  reportAfter,
  reportOf,
  runRanges,
  shapeOfBindings,
} from '@manybody/core/backend'
import type { LoopReport } from '../../design/design.ts'
import type { Designs } from '../../design/designs.ts'
import { carriedNumbers } from '../../design/list-layout.ts'
import type { HeldArray } from '../host/held-array.ts'
import type { Host } from '../host/host.ts'
import { engineParts } from '../placement/engine-parts.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement } from '../placement/placement.ts'
import { type PlacedProgram, Placements } from '../placement/placements.ts'
import type { Ordering } from '../placement/point-ordering.ts'
import { suitsInertiaUnit, withInertiaUnit } from '../plans/inertia.ts'
import { treeShare } from '../plans/tree-model.ts'
import { either, type Staged } from './either.ts'
import { fittingLoop, type Loop, type LoopChoice, Loops } from './loops.ts'
import { matrixInBlocks } from './matrix-in-blocks.ts'
import { runOnce } from './run-once.ts'
import { giveModule } from './shared-modules.ts'
import { Trees } from './trees.ts'

export class WasmProgram implements Program {
  readonly host: Host
  readonly workload: Workload
  readonly shape: Shape
  readonly #designs: Designs
  readonly #loops: Loops
  /** Which coincident pairs the loops leave out, by their parameters. */
  readonly #guards: Guarded<Guard>
  readonly #ordering: Ordering | undefined
  readonly #placed = new Map<Promise<LoadedProgram>, Placements>()
  readonly #trees: Trees | undefined
  #report: Report | undefined
  /** The report of runs that end within their call: the latest one's numbers, beside the program that ran. */
  #short: { readonly plain: Report; readonly filled: Filled } | undefined
  /** The report of the latest program, which it had without the times of a run. */
  #plain: { readonly program: LoadedProgram; readonly threads: number; readonly report: Report } | undefined

  constructor(host: Host, workload: Workload, shape: Shape, designs: Designs, choice: LoopChoice = {}) {
    this.host = host
    this.workload = workload
    this.shape = shape
    this.#designs = designs
    this.#guards = new Guarded(designs.facts.guard, (guard) => guard)
    this.#loops = new Loops(host, workload, shape, designs, choice)
    this.#ordering = choice.near?.ordering
    if (designs.facts.pair?.linear) this.#trees = new Trees(host, designs, shape)
  }

  get report(): Report {
    return this.#report ?? reportOf(this.host.info, this.#loops.usual.designs.of())
  }

  async tree(): Promise<TreeRuns | undefined> {
    const { shape } = this
    return this.#trees?.runs(
      treeShare(shape.sources, this.#loops.whole.plan.visit === 'once'),
      ({ times, evaluated }, program) => {
        this.#report = reportAfter(this.#reportOf(program), shape.targets * shape.sources, times, evaluated)
      },
    )
  }

  /** Rows of a matrix are as long as its module says. */
  get fewer(): boolean {
    return !(this.workload.loop === 'pair' && this.workload.reduction === 'none')
  }

  get carries(): number | undefined {
    return this.#loops.lasting && carriedNumbers(this.shape)
  }

  /** The compiled module for these parameters, by default those of the workload. */
  load(parameters?: Readonly<Record<string, number>>): Promise<LoadedProgram> {
    return this.#loops.usual.loaded.of(parameters)
  }

  run(given: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return this.host.inOrder(async () => {
      options.signal?.throwIfAborted()
      const shape = shapeOfBindings(this.shape, given)
      const ranges = runRanges(this.workload, shape, options)
      const [targets, sources] = [lengthOf(ranges.targets), lengthOf(ranges.sources)]
      const { loop, bindings } = this.#loops.forRun(given, options)
      const loaded = loop.loaded.of(bindings.parameters)
      const program = await loaded
      const placements = this.#placed.get(loaded) ?? new Placements()
      this.#placed.set(loaded, placements)
      const known = placements.of(shape)
      // A placement takes memory when it is bound, after older ones have been given up.
      const placed = known ?? placements.keep({ program, shape, placement: this.place(program, shape) })
      if (!(this.workload.loop === 'pair' && this.workload.reduction === 'none'))
        return this.#run(placed, targets, sources, bindings, options)
      const whole = await matrixInBlocks(this.host, placed.placement, shape, bindings, options)
      // A matrix runs in several parts.
      const evaluated = bindings.ranges && pairsIn(rangesWithin(bindings.ranges, ranges))
      this.#ran(placed, targets, sources, evaluated)
      return whole
    })
  }

  /** A run begins without waiting only if its loop is compiled. */
  again(given: Bindings, options: Pick<RunOptions, 'into'> = {}): ArrayResults | Promise<ArrayResults> | undefined {
    if (!this.host.free) return undefined
    const whole = this.#loops.forWhole(given)
    const shape = shapeOfBindings(this.shape, given)
    const placed = this.#placed.get(whole.loop.loaded.of(whole.bindings.parameters))?.of(shape)
    if (!placed) return undefined
    try {
      const results = runOnce(this.host, placed.placement, whole.bindings, options, !options.into)
      if (results instanceof Promise) return this.host.begun(this.#later(results, placed, shape.targets, shape.sources))
      this.#report = this.#refilled(placed, shape)
      return results
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** @param targets how many of them, and of the sources, the run is over */
  #run(
    placed: PlacedProgram,
    targets: number,
    sources: number,
    bindings: Bindings,
    options: RunOptions,
  ): ArrayResults | Promise<ArrayResults> {
    const results = runOnce(this.host, placed.placement, bindings, options)
    if (results instanceof Promise) return this.#later(results, placed, targets, sources)
    this.#ran(placed, targets, sources)
    return results
  }

  async #later(
    waiting: Promise<ArrayResults>,
    placed: PlacedProgram,
    targets: number,
    sources: number,
  ): Promise<ArrayResults> {
    const results = await waiting
    this.#ran(placed, targets, sources)
    return results
  }

  /** Reports a run. */
  #ran(
    { program, placement }: PlacedProgram,
    targets: number,
    sources: number,
    evaluated: number | undefined = placement.evaluated,
  ): void {
    const interactions = this.#interactions(targets, sources)
    this.#report = reportAfter(this.#reportOf(program), interactions, placement.times, evaluated)
  }

  /** The report of a run that ended within its call, in the same object as that of the one before. */
  #refilled({ program, placement }: PlacedProgram, { targets, sources }: Shape): Report {
    const plain = this.#reportOf(program)
    if (this.#short?.plain !== plain) this.#short = { plain, filled: { ...plain, timings: { ...plain.timings } } }
    const interactions = this.#interactions(targets, sources)
    return refilled(this.#short.filled, interactions, placement.times, placement.evaluated)
  }

  #interactions(targets: number, sources: number): number {
    return targets * (this.workload.loop === 'pair' ? sources : 1)
  }

  /** Creates a placement for one use of the compiled module. */
  place(program: LoadedProgram, shape: Shape = this.shape): Placement {
    const { memory, info, threads } = this.host
    return new Placement({
      ...{ memory, program, shape, precision: info.precision, threads, ordering: this.#ordering },
      parts: engineParts,
    })
  }

  /** Whether the same modules compute with other parameters. */
  keepsModules(before: Bindings, now: Bindings): boolean {
    const [some, others] = [before.parameters, now.parameters]
    if (some === others) return true
    const sameGuard = this.#guards.of(some) === this.#guards.of(others)
    const sameSearch = reachesVary(some) === reachesVary(others)
    return sameGuard && sameSearch && String(boxesIn(some)) === String(boxesIn(others))
  }

  /** Prepares one stage of a sequence. Its results stay on the device. */
  async stage(
    bindings: Bindings,
    outputs: Readonly<Record<string, HeldArray>>,
    { carried, ...ranges }: Partial<RunRanges> & { readonly carried?: HeldArray | undefined },
  ): Promise<Staged> {
    const shape = shapeOfBindings(this.shape, bindings)
    const { targets } = runRanges(this.workload, shape, ranges)
    const part = ranges.targets || ranges.sources
    const loop = part ? this.#loops.plain : fittingLoop(this.#loops.whole, bindings)
    const program = await loop.loaded.of(bindings.parameters)
    requireLengths(program, outputs, lengthOf(targets))
    const bound = (loaded: LoadedProgram, given = bindings) => {
      const placement = this.place(loaded, shape)
      placement.bind(given, { ...ranges, outputs })
      return placement
    }
    if (part) return bound(program)
    const { blocks, lasting } = this.#loops
    const byBlocks = async (loop: Loop) => {
      const placement = bound(await fittingLoop(loop, bindings).loaded.of(bindings.parameters))
      if (carried) {
        const { LastingLists } = await import('../placement/lasting.ts')
        placement.carry(carried, bindings, (options) => new LastingLists(options))
      }
      return placement
    }
    const near = carried ? lasting : blocks
    if (near && !blocks) return byBlocks(near)
    const visitsBlocks = this.#loops.decision(bindings)
    const whole = await this.#wholeStage(bindings, bound)
    if (!near || !visitsBlocks) return whole
    // Lists that have already been reused go on without another estimate.
    const lasts = () => (carried?.numbers()[0] ?? 0) > 1
    return either(whole, await byBlocks(near), () => lasts() || visitsBlocks())
  }

  /** Prepares a stage of a sequence with a tree, which approximates the sum. */
  async treeStage(
    bindings: Bindings,
    outputs: Readonly<Record<string, HeldArray>>,
    setting: TreeSetting,
  ): Promise<Staged> {
    const program = await this.#loops.whole.loaded.of(bindings.parameters)
    requireLengths(program, outputs, this.shape.targets)
    return (this.#trees as Trees).stage(bindings, outputs, setting)
  }

  /** The stage without blocks. In each step, the inertias decide whether it computes forces. */
  async #wholeStage(
    bindings: Bindings,
    bound: (loaded: LoadedProgram, bindings: Bindings) => Placement,
  ): Promise<Staged> {
    const { workload, host } = this
    const plain = bound(await fittingLoop(this.#loops.whole, bindings).loaded.of(bindings.parameters), bindings)
    const weighted = this.#loops.forces && withInertiaUnit(workload, bindings, host.memory)
    if (!this.#loops.forces || !weighted) return plain
    const forces = bound(await this.#loops.forces.loaded.of(bindings.parameters), weighted)
    return either(forces, plain, () => !suitsInertiaUnit(workload, weighted, host.memory))
  }

  dispose(): void {
    for (const placements of this.#placed.values()) placements.dispose()
    this.#placed.clear()
    const drop = (loaded: Promise<LoadedProgram>): void => {
      loaded.then(
        (program) => giveModule(program, this.host),
        () => {},
      )
    }
    for (const loaded of this.#loops.release()) drop(loaded)
    this.#trees?.dispose(drop)
  }

  /** The report of a program without the times of a run. */
  #reportOf(program: LoadedProgram): Report {
    const { info, threadsUsed: threads } = this.host
    const { design, milliseconds: compile } = program
    if (this.#plain?.program !== program || this.#plain.threads !== threads) {
      const report = reportOf(info, { ...design, variant: variantOf(design, threads) })
      this.#plain = { program, threads, report: reportAfter(report, 0, { compile }) }
    }
    return this.#plain.report
  }
}

/** @throws TypeError, RangeError if results do not fit the arrays */
function requireLengths(
  { design }: LoadedProgram,
  outputs: Readonly<Record<string, HeldArray>>,
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

/** The variant of a run: the variant of the design, and the number of threads that took part. */
const variantOf = ({ variant }: LoopReport, threads: number): string =>
  `${variant}, ${threads > 1 ? `${threads} threads` : '1 thread'}`
