/**
 * The trees of a program, whose code loads with the first sum that is approximated.
 *
 * @module
 */
import type { PairWorkload, Shape, TreeRuns } from '@manybody/core'
import type { Host } from '../host/host.ts'
import type { LoadedProgram } from './compile.ts'
import type { TreeLoop, TreeRun } from './tree-runs.ts'

export class Trees {
  #loop: Promise<TreeLoop> | undefined

  constructor(
    readonly host: Host,
    readonly workload: PairWorkload,
    readonly shape: Shape,
  ) {}

  /** @param done gets what each run did */
  runs(share: number, done: (run: TreeRun) => void): TreeRuns {
    const { host, workload, shape } = this
    return {
      share,
      run: (bindings, setting, options) =>
        host.inOrder(async () => {
          this.#loop ??= import('./tree-runs.ts').then((it) => new it.TreeLoop(host, workload, shape))
          const run = await (await this.#loop).run(bindings, setting, options)
          done(run)
          return run.results
        }),
    }
  }

  dispose(drop: (loaded: Promise<LoadedProgram>) => void): void {
    this.#loop?.then(
      (loop) => {
        for (const loaded of loop.dispose()) drop(loaded)
      },
      () => {},
    )
  }
}
