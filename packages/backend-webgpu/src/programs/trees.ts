/**
 * The trees of a program: one program for each setting that was used, which are compiled when they are first needed.
 *
 * @module
 */
import type { Report, Shape, TreeRuns, TreeSetting, Workload } from '@manybody/core'
import { type Weighted, weightedWorkload } from '@manybody/core/backend'
import type { ProgramDesign } from '../design/design.ts'
import { treeDesign } from '../designs/tree-design.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { approximates, treeShare } from '../plans/tree-model.ts'
import { type CompiledProgram, compiled } from './compiled.ts'
import { GpuProgram, type ProgramTrees } from './program.ts'

/** Undefined if this device has no tree for the workload. */
export function treesOf(host: GpuHost, memory: Memory, workload: Workload, shape: Shape): ProgramTrees | undefined {
  if (workload.loop !== 'pair' || !approximates(workload, shape)) return undefined
  const weighted = weightedWorkload(workload, shape.dimension)
  if (!weighted) return undefined
  const trees = new Trees(host, memory, weighted, shape)
  return trees.fits({ proxies: 'simplex', opening: 0.5 }) ? trees : undefined
}

class Trees implements ProgramTrees {
  readonly #designs = new Map<string, ProgramDesign | undefined>()
  readonly #programs = new Map<string, Promise<GpuProgram>>()
  #disposed = false

  constructor(
    readonly host: GpuHost,
    readonly memory: Memory,
    readonly weighted: Weighted,
    readonly shape: Shape,
  ) {}

  runs({ design }: CompiledProgram, done: (report: Report) => void): TreeRuns {
    const { shape, host } = this
    return {
      share: treeShare(shape, host.info.kind, design.proof !== undefined),
      fits: (setting) => this.fits(setting),
      run: async (bindings, setting, options) => {
        const program = await this.at(setting)
        const results = await program.run(bindings, options)
        done(program.report)
        return results
      },
    }
  }

  fits(setting: TreeSetting): boolean {
    return this.#designOf(setting) !== undefined
  }

  dispose(): void {
    this.#disposed = true
    for (const program of this.#programs.values()) program.then((one) => one.dispose()).catch(() => {})
  }

  at(setting: TreeSetting): Promise<GpuProgram> {
    if (this.#disposed) throw new Error('Cannot run program: it was disposed; prepare it again')
    const key = keyOf(setting)
    const known = this.#programs.get(key) ?? this.#make(setting)
    this.#programs.set(key, known)
    return known
  }

  /** Undefined if the device cannot hold its arrays. */
  #designOf(setting: TreeSetting): ProgramDesign | undefined {
    const key = keyOf(setting)
    if (!this.#designs.has(key)) this.#designs.set(key, this.#design(setting))
    return this.#designs.get(key)
  }

  #design(setting: TreeSetting): ProgramDesign | undefined {
    try {
      return treeDesign(this.weighted, this.shape, setting, this.host)
    } catch (error) {
      if (error instanceof RangeError) return undefined
      throw error
    }
  }

  async #make(setting: TreeSetting): Promise<GpuProgram> {
    const { host, memory, weighted, shape } = this
    const design = this.#designOf(setting)
    if (!design) throw new RangeError(`Cannot run a tree with ${keyOf(setting)}: its arrays do not fit the device`)
    const start = performance.now()
    const usual = await compiled(host, design)
    return new GpuProgram(host, memory, weighted.workload, shape, { usual }, performance.now() - start)
  }
}

const keyOf = ({ proxies, opening }: TreeSetting) => `${proxies} ${opening}`
