/**
 * The trees of a program: one program for each setting in use, compiled when it is first needed.
 *
 * @module
 */
import type { Report, Shape, TreeRuns, TreeSetting } from '@manybody/core'
import type { TreeDesigns } from '../../design/designs.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import { type CompiledProgram, compiled } from './compiled-program.ts'
import { GpuProgram } from './loaded-at-once.ts'
import type { ProgramTrees } from './program.ts'

export class TreePrograms implements ProgramTrees {
  readonly #programs = new Map<string, Promise<GpuProgram>>()
  #disposed = false

  constructor(
    readonly host: GpuHost,
    readonly memory: Memory,
    readonly designs: TreeDesigns,
    readonly shape: Shape,
  ) {}

  runs({ design }: CompiledProgram, done: (report: Report) => void): TreeRuns {
    return {
      share: this.designs.share(design.driver === 'once'),
      fits: (setting) => this.designs.at(setting) !== undefined,
      run: async (bindings, setting, options) => {
        const program = await this.at(setting)
        const results = await program.run(bindings, options)
        done(program.report)
        return results
      },
    }
  }

  dispose(): void {
    this.#disposed = true
    for (const program of this.#programs.values()) program.then((one) => one.dispose()).catch(() => {})
  }

  at(setting: TreeSetting): Promise<GpuProgram> {
    if (this.#disposed) throw new Error('Cannot run program: it was disposed; prepare it again')
    const key = keyOf(setting)
    const known = this.#programs.get(key)
    if (known) return known
    const program = this.#make(setting)
    this.#programs.set(key, program)
    // A later call may find a compiler that works.
    program.catch(() => this.#programs.delete(key))
    return program
  }

  async #make(setting: TreeSetting): Promise<GpuProgram> {
    const { host, memory, designs, shape } = this
    const design = designs.at(setting)
    if (!design) throw new RangeError(`Cannot run a tree with ${keyOf(setting)}: its arrays do not fit the device`)
    const start = performance.now()
    const usual = await compiled(host, design)
    return new GpuProgram(host, memory, designs.workload, shape, { usual }, performance.now() - start)
  }
}

const keyOf = ({ proxies, opening }: TreeSetting) => `${proxies} ${opening}`
