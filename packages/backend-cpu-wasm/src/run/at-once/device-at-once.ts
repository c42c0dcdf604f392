/**
 * Sums that are computed within a call, for callers that cannot wait: on their thread, together with the workers that have
 * started. Everything else is as in `program.ts`.
 *
 * @module
 */
import type { ArrayResults, Bindings, Precision, Shape, TreeSetting } from '@manybody/core'
import type { CompiledAtOnce } from '../../design/at-once.ts'
import type { FiledDesign } from '../../design/compiled.ts'
import { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement } from '../placement/placement.ts'
import { treeShare } from '../plans/tree-model.ts'
import { loadable } from '../programs/loadable.ts'
import { copied } from '../programs/run-once.ts'
import { TreeLoop } from '../programs/tree-runs.ts'
import { bitsIn } from '../threads/claims.ts'
import { SharedPool } from '../threads/pool.ts'
import { joinPool, leavePool } from '../threads/pools.ts'
import { threadMemory } from '../threads/start-worker.ts'
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

  /** @throws TypeError for a program of another precision */
  prepare(compiled: CompiledAtOnce, shape: Shape): ProgramAtOnce {
    const { precision } = this.info
    if (compiled.precision !== precision)
      throw new TypeError(
        `"compiled" expected a program in ${precision}, as its device, got one in ${compiled.precision}`,
      )
    return new ProgramAtOnce(this, compiled, shape)
  }

  dispose(): void {
    if (this.#disposed) return
    this.#disposed = true
    if (this.pool) leavePool(this.pool, this.memory)
  }
}

/** A compiled sum over pairs, whose modules load when they are first needed. */
export class ProgramAtOnce {
  readonly #device: DeviceAtOnce
  readonly #compiled: CompiledAtOnce
  readonly #shape: Shape
  #all: { readonly program: LoadedProgram; readonly placement: Placement } | undefined
  #tree: { readonly program: LoadedProgram; readonly loop: TreeLoop } | undefined
  /** A tree is slower than all pairs if it computes at least this share of them. */
  readonly share: number
  /** Number of pairs that the latest run computed. */
  evaluated = 0
  /** Number of threads that took part in it. */
  threadsUsed = 1

  constructor(device: DeviceAtOnce, compiled: CompiledAtOnce, shape: Shape) {
    this.#device = device
    this.#compiled = compiled
    this.#shape = shape
    this.share = compiled.tree ? treeShare(shape.sources, false) : 0
  }

  #load(design: FiledDesign): LoadedProgram {
    const { memory, pool } = this.#device
    return loadAtOnce(loadable(design, memory.shared), memory, pool)
  }

  /** The sums over all pairs, or over those within a cutoff. */
  run(bindings: Bindings, into?: ArrayResults): ArrayResults {
    this.#all ??= this.#placed(this.#load(this.#compiled.all))
    return this.#run(this.#all.placement, bindings, undefined, into)
  }

  #placed(program: LoadedProgram): { program: LoadedProgram; placement: Placement } {
    const { memory, threads, info } = this.#device
    const { precision } = info
    return { program, placement: new Placement({ memory, program, shape: this.#shape, precision, threads }) }
  }

  /** The sums of a tree, which there are if `share` is above 0. */
  approximate(bindings: Bindings, setting: TreeSetting, into?: ArrayResults): ArrayResults {
    const { tree } = this.#compiled
    if (!tree) throw new TypeError('Cannot approximate this sum: it was compiled without a tolerance')
    this.#tree ??= { program: this.#load(tree.design), loop: new TreeLoop(this.#device, tree, this.#shape) }
    const { loop, program } = this.#tree
    return this.#run(loop.placementOf(program), loop.weighted(bindings), setting, into)
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
    this.#all?.placement.dispose()
    this.#tree?.loop.dispose()
    for (const loaded of [this.#all, this.#tree]) if (loaded) this.#device.pool?.drop(loaded.program.id)
    this.#all = undefined
    this.#tree = undefined
  }
}
