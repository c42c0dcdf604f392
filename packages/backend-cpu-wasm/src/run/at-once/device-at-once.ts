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
import { Placement } from '../placement/placement.ts'
import { ordering } from '../placement/point-ordering.ts'
import { treeShare } from '../plans/tree-model.ts'
import { loadable } from '../programs/loadable.ts'
import { copied } from '../programs/run-once.ts'
import { TreeLoop } from '../programs/tree-runs.ts'
import { bitsIn, type Job } from '../threads/job.ts'
import type { SharedPool } from '../threads/pool.ts'
import { threadMemory } from '../threads/thread-memory.ts'
import { type LoadedAtOnce, loadAtOnce } from './load-at-once.ts'
import { runAtOnce } from './run-at-once.ts'
import type { SharedTeam } from './team.ts'

/** What several threads need, once it has loaded. */
let several: typeof import('./team.ts') | undefined

/** A memory, and the threads that share it. */
export class DeviceAtOnce {
  readonly memory: Memory
  readonly info: { readonly precision: Precision }
  /** 1 without shared memory. */
  readonly threads: number
  readonly #loaded = new Set<LoadedAtOnce>()
  #team: SharedTeam | undefined
  #disposed = false

  constructor(threads: number, precision: Precision) {
    this.info = { precision }
    const shares = threads > 1 && threadMemory() === 'shared'
    const pool = shares ? several?.sharedPool() : undefined
    this.memory = shares ? Memory.atOnce(pool?.spares ?? []) : new Memory()
    this.threads = this.memory.shared ? threads : 1
    if (this.threads === 1) return
    if (several && pool) this.#join(several, pool)
    // Without the workers, this thread computes all.
    else import('./team.ts').then((loaded) => this.#join(loaded, loaded.sharedPool())).catch(() => {})
  }

  #join(loaded: typeof import('./team.ts'), pool: SharedPool | undefined): void {
    several = loaded
    if (!pool) return
    const team = new loaded.SharedTeam(pool, this.memory, this.threads)
    if (this.#disposed) team.leave()
    else this.#team = team
    for (const program of this.#loaded) this.#team?.add(program)
  }

  /** Runs jobs. Returns the number of threads that took part. */
  run(jobs: readonly Job[]): number {
    return bitsIn(runAtOnce(jobs, this.#team?.together))
  }

  load(design: FiledDesign): LoadedAtOnce {
    const program = loadAtOnce(loadable(design, this.memory.shared), this.memory)
    this.#loaded.add(program)
    this.#team?.add(program)
    return program
  }

  drop(program: LoadedAtOnce): void {
    this.#loaded.delete(program)
    this.#team?.drop(program)
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
    this.#team?.leave()
  }
}

/** A compiled sum over pairs, whose modules load when they are first needed. */
export class ProgramAtOnce {
  readonly #device: DeviceAtOnce
  readonly #compiled: CompiledAtOnce
  readonly #shape: Shape
  #all: { readonly program: LoadedAtOnce; readonly placement: Placement } | undefined
  #tree: { readonly program: LoadedAtOnce; readonly loop: TreeLoop } | undefined
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

  /** The sums over all pairs, or over those within a cutoff. */
  run(bindings: Bindings, into?: ArrayResults): ArrayResults {
    this.#all ??= this.#placed(this.#device.load(this.#compiled.all))
    return this.#run(this.#all.placement, bindings, undefined, into)
  }

  #placed(program: LoadedAtOnce): { program: LoadedAtOnce; placement: Placement } {
    const { memory, threads, info } = this.#device
    const { precision } = info
    return { program, placement: new Placement({ memory, program, shape: this.#shape, precision, threads, ordering }) }
  }

  /** The sums of a tree, which there are if `share` is above 0. */
  approximate(bindings: Bindings, setting: TreeSetting, into?: ArrayResults): ArrayResults {
    const { tree } = this.#compiled
    if (!tree) throw new TypeError('Cannot approximate this sum: it was compiled without a tolerance')
    this.#tree ??= {
      program: this.#device.load(tree.design),
      loop: new TreeLoop(this.#device, tree, this.#shape, Placement),
    }
    const { loop, program } = this.#tree
    return this.#run(loop.placementOf(program), loop.weighted(bindings), setting, into)
  }

  #run(
    placement: Placement,
    bindings: Bindings,
    setting: TreeSetting | undefined,
    into: ArrayResults | undefined,
  ): ArrayResults {
    placement.bind(bindings, { setting })
    this.threadsUsed = this.#device.run(placement.jobs())
    this.evaluated = placement.evaluated ?? this.#shape.targets * this.#shape.sources
    return copied(placement.results(), into)
  }

  dispose(): void {
    this.#all?.placement.dispose()
    this.#tree?.loop.dispose()
    for (const loaded of [this.#all, this.#tree]) if (loaded) this.#device.drop(loaded.program)
    this.#all = undefined
    this.#tree = undefined
  }
}
