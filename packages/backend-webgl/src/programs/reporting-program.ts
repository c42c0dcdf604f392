/**
 * What every program of this backend does alike: it times its compilation, keeps the report of its latest run, and finds out
 * whether a run failed because the context was lost.
 *
 * @module
 */
import type { ArrayResults, Bindings, Program, Report, RunOptions, Shape, Timings, Workload } from '@manybody/core'
import { reportAfter } from '@manybody/core/backend'
import { blamingLoss } from '../host/blame.ts'
import type { GlHost } from '../host/host.ts'

export abstract class ReportingProgram<W extends Workload = Workload> implements Program {
  readonly #started: number
  #report: Report

  constructor(
    protected readonly host: GlHost,
    readonly workload: W,
    readonly shape: Shape,
    /** What the program reports before its first run. */
    report: Report,
    /** When it started to compile, as `performance.now()` tells it. */
    started: number,
  ) {
    this.#report = report
    this.#started = started
  }

  /** Resolves when everything that the first run needs has compiled. */
  protected abstract compiled(): Promise<void>
  /** One run; it reports with {@link ran}. */
  protected abstract compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults>
  abstract dispose(): void

  get report(): Report {
    return this.#report
  }

  /** Resolves when the program has compiled; its report then includes the time. @throws {@link ProgramCompilationError} */
  async ready(): Promise<void> {
    await this.compiled()
    this.ran(0, { compile: performance.now() - this.#started })
  }

  run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const work = () => {
      options.signal?.throwIfAborted()
      this.host.check()
      return this.compute(bindings, options)
    }
    return blamingLoss(this.host, work, options.signal)
  }

  protected ran(interactions: number, timings?: Partial<Timings>): void {
    this.#report = reportAfter(this.#report, interactions, timings)
  }
}
