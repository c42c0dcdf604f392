/**
 * A sum over pairs, compiled, to be run many times.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  DeviceInfo,
  PairWorkload,
  Program,
  Report,
  RunOptions,
  Shape,
} from '@manybody/core'
import { Guarded, lengthOf, runRanges } from '@manybody/core/backend'
import { componentsOf, evaluate, guardRule } from '@manybody/core/expression'
import { arraysOf } from './memory.ts'
import { type PairLoop, pairLoop } from './pair-loop.ts'

export class SumProgram implements Program {
  #report: Report
  /** Whether a law is singular depends on the parameters of the run, so there are up to two loops. */
  readonly #loops: Guarded<PairLoop>

  constructor(
    readonly workload: PairWorkload,
    readonly shape: Shape,
    info: DeviceInfo,
  ) {
    const start = performance.now()
    this.#loops = new Guarded(guardRule(workload, shape), (guard) => pairLoop(workload, shape, guard))
    this.#loops.of()
    this.#report = {
      ...{ backend: info.backend, device: info.name, kind: info.kind, precision: info.precision },
      variant: 'plain',
      accumulation: 'f64',
      timings: { compile: performance.now() - start, upload: 0, compute: 0, readback: 0 },
      interactions: 0,
      evaluated: 0,
      interactionsPerSecond: 0,
    }
  }

  get report(): Report {
    return this.#report
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    options.signal?.throwIfAborted()
    const start = performance.now()
    const { workload, shape } = this
    const [name] = workload.results as [string]
    const { targets, sources } = runRanges(workload, shape, options)
    const rows = lengthOf(targets)
    const sum = new Float64Array(rows * componentsOf(workload, shape.dimension))
    sum.set(options.initial?.[name] ?? [])
    const { body, compute } = this.#loops.of(bindings.parameters)
    const run: Record<string, number> = { ...bindings.parameters }
    for (const { name: value, expr } of body.run) run[value] = evaluate(expr, run)
    compute({
      ...{ targets: arraysOf(bindings.targets), sources: arraysOf(bindings.sources), run, sum },
      tables: bindings.tables ?? [],
      excluded: excludedSets(bindings),
      range: { target: targets, source: sources },
    })
    this.#record(performance.now() - start, rows * lengthOf(sources))
    return { [name]: this.#report.precision === 'f64' ? sum : Float32Array.from(sum) }
  }

  dispose(): void {
    this.#loops.release()
  }

  #record(compute: number, interactions: number): void {
    const interactionsPerSecond = compute > 0 ? interactions / (compute / 1000) : 0
    this.#report = {
      ...this.#report,
      timings: { ...this.#report.timings, compute },
      interactions,
      evaluated: interactions,
      interactionsPerSecond,
    }
  }
}

function excludedSets({ exclusions }: Bindings): readonly ReadonlySet<number>[] {
  if (!exclusions) return []
  const { offsets, sources } = exclusions
  return Array.from({ length: offsets.length - 1 }, (_, i) => new Set(sources.subarray(offsets[i], offsets[i + 1])))
}
