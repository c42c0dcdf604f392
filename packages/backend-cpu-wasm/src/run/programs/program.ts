/**
 * A workload that is compiled for this device. It runs here, or is a stage of a sequence (`stages.ts`).
 *
 * @module
 */
import type { ArrayResults, Bindings, Program, Report, RunOptions, Shape, TreeRuns, Workload } from '@manybody/core'
import {
  boxesIn,
  type Filled,
  type Guard,
  Guarded,
  lengthOf,
  pairsIn,
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
import type { Host } from '../host/host.ts'
import { engineParts } from '../placement/engine-parts.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement } from '../placement/placement.ts'
import { type PlacedProgram, Placements } from '../placement/placements.ts'
import type { Ordering } from '../placement/point-ordering.ts'
import { treeShare } from '../plans/tree-model.ts'
import { type LoopChoice, Loops } from './loops.ts'
import { matrixInBlocks } from './matrix-in-blocks.ts'
import { runOnce } from './run-once.ts'
import { giveModule } from './shared-modules.ts'
import { Trees } from './trees.ts'

export class WasmProgram implements Program {
  readonly host: Host
  readonly workload: Workload
  readonly shape: Shape
  readonly #designs: Designs
  readonly loops: Loops
  /** Which coincident pairs the loops leave out, by their parameters. */
  readonly #guards: Guarded<Guard>
  readonly #ordering: Ordering | undefined
  readonly #placed = new Map<Promise<LoadedProgram>, Placements>()
  readonly trees: Trees | undefined
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
    this.loops = new Loops(host, workload, shape, designs, choice)
    this.#ordering = choice.near?.ordering
    if (designs.facts.pair?.linear) this.trees = new Trees(host, designs, shape)
  }

  get report(): Report {
    return this.#report ?? reportOf(this.host.info, this.loops.usual.designs.of())
  }

  async tree(): Promise<TreeRuns | undefined> {
    const { shape } = this
    return this.trees?.runs(
      treeShare(shape.sources, this.loops.whole.plan.visit === 'once'),
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
    return this.loops.lasting && carriedNumbers(this.shape)
  }

  /** The compiled module for these parameters, by default those of the workload. */
  load(parameters?: Readonly<Record<string, number>>): Promise<LoadedProgram> {
    return this.loops.usual.loaded.of(parameters)
  }

  run(given: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    return this.host.inOrder(async () => {
      options.signal?.throwIfAborted()
      const shape = shapeOfBindings(this.shape, given)
      const ranges = runRanges(this.workload, shape, options)
      const [targets, sources] = [lengthOf(ranges.targets), lengthOf(ranges.sources)]
      const { loop, bindings } = this.loops.forRun(given, options)
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
    const whole = this.loops.forWhole(given)
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

  dispose(): void {
    for (const placements of this.#placed.values()) placements.dispose()
    this.#placed.clear()
    const drop = (loaded: Promise<LoadedProgram>): void => {
      loaded.then(
        (program) => giveModule(program, this.host),
        () => {},
      )
    }
    for (const loaded of this.loops.release()) drop(loaded)
    this.trees?.dispose(drop)
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

/** The variant of a run: the variant of the design, and the number of threads that took part. */
const variantOf = ({ variant }: LoopReport, threads: number): string =>
  `${variant}, ${threads > 1 ? `${threads} threads` : '1 thread'}`
