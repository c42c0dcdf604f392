/**
 * Sums that are computed within a call, for callers that cannot wait. The caller's thread works together with the workers that
 * have started. Everything else is as in `program.ts`.
 *
 * @module
 */
import type { ArrayResults, Bindings, PairWorkload, Precision, Shape, TreeSetting } from '@manybody/core'
import { type Guard, Guarded, type GuardRule } from '@manybody/core/backend'
import { weightedWorkload } from '@manybody/core/expression'
import { blockParts } from '../compile/designs/block-parts.ts'
import { sumParts } from '../compile/designs/pair-design.ts'
import { pairProgram } from '../compile/designs/pair-program.ts'
import { treeDesignsOf } from '../compile/designs/tree-designs.ts'
import { encoded } from '../compile/designs/written.ts'
import { factsOf } from '../compile/plans/facts.ts'
import { vectorOf } from '../compile/wasm/vector.ts'
import type { ProgramDesign } from '../design/design.ts'
import { Memory } from '../run/host/memory.ts'
import type { LoadedProgram } from '../run/placement/loaded-program.ts'
import { Placement } from '../run/placement/placement.ts'
import { loopPlan } from '../run/plans/plan.ts'
import { treeShare } from '../run/plans/tree-model.ts'
import { copied } from '../run/programs/run-once.ts'
import { TreeLoop } from '../run/programs/tree-runs.ts'
import { bitsIn } from '../run/threads/claims.ts'
import { SharedPool } from '../run/threads/pool.ts'
import { joinPool, leavePool } from '../run/threads/pools.ts'
import { threadMemory } from '../run/threads/start-worker.ts'
import { loadAtOnce } from './load-at-once.ts'
import { runAtOnce } from './run-at-once.ts'

/** A memory, and the threads that share it. */
export class DeviceAtOnce {
  readonly memory: Memory
  readonly info: { readonly precision: Precision }
  readonly pool: SharedPool | undefined
  /** 1 without shared memory. */
  readonly threads: number
  #disposed = false

  constructor(threads: number, precision: Precision) {
    this.info = { precision }
    const pool = threads > 1 && threadMemory() === 'shared' ? joinPool() : undefined
    this.memory = pool instanceof SharedPool ? Memory.atOnce(pool.spares) : new Memory()
    if (pool && !this.memory.shared) leavePool(pool)
    this.pool = this.memory.shared && pool instanceof SharedPool ? pool : undefined
    this.threads = this.pool ? threads : 1
    this.pool?.grow(threads - 1)
  }

  prepare(workload: PairWorkload, shape: Shape): ProgramAtOnce {
    return new ProgramAtOnce(this, workload, shape)
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    if (this.pool) leavePool(this.pool, this.memory)
  }
}

/** A sum over pairs. */
export class ProgramAtOnce {
  readonly #device: DeviceAtOnce
  readonly #shape: Shape
  readonly #all: Guarded<LoadedProgram>
  readonly #tree: { readonly loop: TreeLoop; readonly programs: Guarded<LoadedProgram> } | undefined
  readonly #placements = new Map<LoadedProgram, Placement>()
  /** A tree is slower than all pairs if it computes at least this share of them. */
  readonly share: number
  /** Number of pairs that the latest run computed. */
  evaluated = 0
  /** Number of threads that took part in it. */
  threadsUsed = 1

  constructor(device: DeviceAtOnce, workload: PairWorkload, shape: Shape) {
    this.#device = device
    this.#shape = shape
    const { memory, threads, info } = device
    const facts = factsOf(workload, shape)
    const plan = facts.pair?.blocks ? { variant: 'blocks' } : { variant: 'simd' }
    const loop = { ...loopPlan(plan, facts, shape, { threads }), divides: false, lasts: false }
    const options = { ...loop, vector: vectorOf(info.precision), shared: memory.shared }
    this.#all = this.#guarded(facts.guard, (guard) =>
      encoded(pairProgram(workload, shape, options, { ...loop, guard }, { ...sumParts, blocks: blockParts })),
    )
    const mayBe = facts.pair?.linear && weightedWorkload(workload, shape.dimension)
    this.share = mayBe ? treeShare(shape.sources, false) : 0
    if (this.share > 0) {
      const tree = treeDesignsOf(workload, shape, { precision: info.precision, shared: memory.shared })
      this.#tree = { loop: new TreeLoop(device, tree, shape), programs: this.#guarded(tree.guard, tree.of) }
    }
  }

  #guarded(rule: GuardRule, designOf: (guard: Guard) => ProgramDesign): Guarded<LoadedProgram> {
    const { memory, pool } = this.#device
    return new Guarded(rule, (guard) => loadAtOnce(designOf(guard), memory, pool))
  }

  /** The sums over all pairs, or over the pairs within a cutoff. */
  run(bindings: Bindings, into?: ArrayResults): ArrayResults {
    const { memory, threads, info } = this.#device
    const program = this.#all.of(bindings.parameters)
    const known = this.#placements.get(program)
    const placement =
      known ?? new Placement({ memory, program, shape: this.#shape, precision: info.precision, threads })
    this.#placements.set(program, placement)
    return this.#run(placement, bindings, undefined, into)
  }

  /** The sums by a tree. Call it only if `share` is above 0. */
  approximate(bindings: Bindings, setting: TreeSetting, into?: ArrayResults): ArrayResults {
    if (!this.#tree) throw new TypeError('Cannot approximate this sum: all pairs are faster')
    const { loop, programs } = this.#tree
    return this.#run(loop.placementOf(programs.of(bindings.parameters)), loop.weighted(bindings), setting, into)
  }

  #run(
    placement: Placement,
    bindings: Bindings,
    setting: TreeSetting | undefined,
    into: ArrayResults | undefined,
  ): ArrayResults {
    const { threads, pool } = this.#device
    placement.bind(bindings, { setting })
    this.threadsUsed = bitsIn(runAtOnce(placement.jobs(), pool, threads))
    this.evaluated = placement.evaluated ?? this.#shape.targets * this.#shape.sources
    return copied(placement.results(), into)
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#tree?.loop.dispose()
    const programs = [...this.#all.release(), ...(this.#tree?.programs.release() ?? [])]
    for (const { id } of programs) this.#device.pool?.drop(id)
  }
}
