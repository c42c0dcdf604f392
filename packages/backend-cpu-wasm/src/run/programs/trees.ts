/**
 * The trees of a program. Their code loads with the first approximate sum.
 *
 * @module
 */
import type { ArrayResults, Bindings, Shape, TreeRuns, TreeSetting } from '@manybody/core'
import { Guarded, onFirstUse } from '@manybody/core/backend'
import type { Designs } from '../../design/designs.ts'
import type { HeldArray } from '../host/held-array.ts'
import type { Host } from '../host/host.ts'
import { engineParts } from '../placement/engine-parts.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement, type RunTimes } from '../placement/placement.ts'
import type { Staged } from './either.ts'
import { load } from './load.ts'
import { runOnce } from './run-once.ts'
import type { TreeLoop } from './tree-runs.ts'

/** Sources in each part of a run that measures errors. All sources at once would need a third of the memory of the tree. */
const measuredSources = 2 ** 17

type Options = Parameters<TreeRuns['run']>[2]

/** The times of a run, and the number of pairs that it computed. */
export interface TreeRun {
  readonly times: RunTimes
  readonly evaluated: number
}

interface Loaded {
  readonly loop: TreeLoop
  readonly programs: Guarded<Promise<LoadedProgram>>
}

export class Trees {
  readonly #load = onFirstUse(async (): Promise<Loaded> => {
    const { host, shape } = this
    const [{ TreeLoop }, designs] = await Promise.all([import('./tree-runs.ts'), this.designs.tree()])
    const programs = new Guarded(designs.guard, (guard) => {
      const program = load(designs.of(guard), host.memory, host.pool)
      program.catch(() => programs.forget(program))
      return program
    })
    return { loop: new TreeLoop(host, designs, shape, Placement, engineParts), programs }
  })
  #loaded: Promise<Loaded> | undefined

  constructor(
    readonly host: Host,
    readonly designs: Designs,
    readonly shape: Shape,
  ) {}

  /** @param done gets a record of each run, and its program */
  runs(share: number, done: (run: TreeRun, program: LoadedProgram) => void): TreeRuns {
    return {
      share,
      measuredSources,
      run: (bindings, setting, options) => this.host.inOrder(() => this.#run(bindings, setting, options, done)),
    }
  }

  async #run(
    bindings: Bindings,
    setting: TreeSetting,
    options: Options = {},
    done: (run: TreeRun, program: LoadedProgram) => void,
  ): Promise<ArrayResults> {
    options.signal?.throwIfAborted()
    const { loop, programs } = await this.#inUse()
    const program = await programs.of(bindings.parameters)
    const placement = loop.placementOf(program)
    const results = await runOnce(this.host, placement, loop.weighted(bindings), { ...options, setting })
    done({ times: placement.times, evaluated: placement.evaluated ?? 0 }, program)
    return results
  }

  /** A stage of a sequence, at one setting. */
  async stage(bindings: Bindings, outputs: Readonly<Record<string, HeldArray>>, setting: TreeSetting): Promise<Staged> {
    const { loop, programs } = await this.#inUse()
    return loop.stage(await programs.of(bindings.parameters), bindings, setting, outputs)
  }

  #inUse(): Promise<Loaded> {
    this.#loaded = this.#load()
    return this.#loaded
  }

  dispose(drop: (loaded: Promise<LoadedProgram>) => void): void {
    this.#loaded?.then(
      ({ loop, programs }) => {
        loop.dispose()
        for (const loaded of programs.release()) drop(loaded)
      },
      () => {},
    )
  }
}
