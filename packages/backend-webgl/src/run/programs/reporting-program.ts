/**
 * The common part of all programs of this backend. It times the compilation, keeps the report of the latest run, and finds out
 * whether a run failed because the context was lost.
 *
 * @module
 */
import type { ArrayResults, Bindings, Report, RunOptions, Shape, Timings } from '@manybody/core'
import { type RunRanges, reportAfter, reportOf, runRanges, shapeOfBindings } from '@manybody/core/backend'
import type { ProgramDesign } from '../../design/design.ts'
import { blamingLoss } from '../host/blame.ts'
import type { Sheet } from '../host/host.ts'
import { componentsIn, type OpenedHost, type WebglProgram } from './program.ts'

export abstract class ReportingProgram implements WebglProgram {
  readonly #loop: 'pair' | 'particle'
  readonly #started: number
  #report: Report
  readonly resident: Readonly<Record<string, number>>

  /** @param started when the program was begun, by `performance.now()` */
  constructor(
    protected readonly opened: OpenedHost,
    design: ProgramDesign,
    readonly shape: Shape,
    started: number,
  ) {
    this.#loop = design.driver === 'element' ? 'particle' : 'pair'
    this.#started = started
    this.#report = reportOf(opened.info, design)
    this.resident = componentsIn(design.resident)
  }

  /** Resolves when everything that the first run needs has compiled. */
  protected abstract compiled(): Promise<void>
  /** One run; it reports with {@link ran}. */
  protected abstract compute(bindings: Bindings, options: RunOptions): Promise<ArrayResults>
  abstract submit(bindings: Bindings, names: readonly string[], ranges: RunRanges): Readonly<Record<string, Sheet>>
  abstract dispose(): void

  get report(): Report {
    return this.#report
  }

  /** Resolves when the program has compiled; its report then includes the time. @throws {@link ProgramCompilationError} */
  async ready(): Promise<void> {
    await this.compiled()
    this.ran(0, { compile: performance.now() - this.#started })
  }

  ranges(given: Pick<RunOptions, 'targets' | 'sources'>, bindings: Bindings): RunRanges {
    return runRanges({ loop: this.#loop }, shapeOfBindings(this.shape, bindings), given)
  }

  run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const { host } = this.opened
    const work = () => {
      options.signal?.throwIfAborted()
      host.check()
      return this.compute(bindings, options)
    }
    return blamingLoss(host, work, options.signal)
  }

  protected ran(interactions: number, timings?: Partial<Timings>): void {
    this.#report = reportAfter(this.#report, interactions, timings)
  }
}
