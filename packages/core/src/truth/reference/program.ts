/**
 * A workload on the reference device. Runs a specification loop over bound arrays and reports the run.
 *
 * @module
 */

import type {
  Bindings,
  DeviceBuffer,
  DeviceInfo,
  PointSet,
  Program,
  Report,
  RunOptions,
  SourceRanges,
  TreeRuns,
  TreeSetting,
} from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import {
  accumulationIn,
  lengthOf,
  pairsIn,
  type RunRanges,
  rangesWithin,
  reportAfter,
  reportOf,
  runRanges,
} from '../../methods/loaded-at-once.ts'
import { ruleOf } from '../../problem/reductions/table.ts'
import type { PairData } from '../../problem/workloads/numbers/pair-data.ts'
import { shapeOfBindings } from '../../problem/workloads/shape-of-bindings.ts'
import type { ArrayResults, PairWorkload, Shape, Workload } from '../../problem/workloads/workload.ts'
import { ReferenceBuffer } from './buffer.ts'
import { elementLoop } from './element-loop.ts'
import { foldOf } from './folds.ts'
import { pairLoop } from './pair-loop.ts'
import type { YieldTimer } from './yield-timer.ts'

export class ReferenceProgram implements Program {
  readonly fewer = true
  #report: Report
  readonly #timer: YieldTimer

  constructor(
    readonly workload: Workload,
    readonly shape: Shape,
    info: DeviceInfo,
    timer: YieldTimer,
  ) {
    this.#timer = timer
    this.#report = reportOf(info, { variant: 'plain', accumulation: accumulationIn(workload, 'f64') })
  }

  get report(): Report {
    return this.#report
  }

  /** Sums over far sources. It is as slow as all pairs for each pair, so it pays as soon as it computes fewer. */
  async tree(): Promise<TreeRuns | undefined> {
    const { workload } = this
    if (workload.loop !== 'pair' || !ruleOf(workload).linear) return undefined
    return { share: 1, run: (bindings, setting, options) => this.#tree(workload, bindings, setting, options) }
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    options.signal?.throwIfAborted()
    const start = performance.now()
    const { workload } = this
    const shape = shapeOfBindings(this.shape, bindings)
    const ranges = runRanges(workload, shape, options)
    const results =
      workload.loop === 'pair'
        ? await this.#pairs(workload, shape, bindings, ranges, options)
        : elementLoop(
            workload,
            shape,
            arraysOf(bindings.targets, shape),
            bindings.parameters,
            arraysOf(bindings.sources, shape),
          )
    this.#record(performance.now() - start, ranges, bindings.ranges)
    return this.#report.precision === 'f64' ? results : rounded(results)
  }

  dispose(): void {}

  async #pairs(
    workload: PairWorkload,
    shape: Shape,
    bindings: Bindings,
    { targets, sources }: RunRanges,
    options: RunOptions,
  ): Promise<ArrayResults> {
    const [first] = targets
    const rows = lengthOf(targets)
    const fold = foldOf(workload, shape, rows, options.initial)
    const data = dataOf(bindings, shape)
    const indices = Array.from({ length: rows }, (_, row) => first + row)
    let done = 0
    for (const _ of pairLoop(workload, shape, data, indices, sources, fold)) {
      done++
      if (!this.#timer.due()) continue
      options.onProgress?.(done / rows)
      await this.#timer.pause(options.signal)
    }
    options.onProgress?.(1)
    return fold.results()
  }

  async #tree(
    workload: PairWorkload,
    bindings: Bindings,
    setting: TreeSetting,
    { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'> = {},
  ): Promise<ArrayResults> {
    signal?.throwIfAborted()
    const start = performance.now()
    const { shape } = this
    const { TreeProblem } = await import('./tree-loop.ts')
    const { terms, results } = new TreeProblem(workload, shape, dataOf(bindings, shape)).sums(setting)
    let evaluated = 0
    for (const pairs of terms) {
      evaluated += pairs
      if (this.#timer.due()) await this.#timer.pause(signal)
    }
    onProgress?.(1)
    const interactions = shape.targets * shape.sources
    this.#report = reportAfter(this.#report, interactions, { compute: performance.now() - start }, evaluated)
    const found = results()
    return this.#report.precision === 'f64' ? found : rounded(found)
  }

  #record(compute: number, part: RunRanges, ranges: SourceRanges | undefined): void {
    const { targets, sources } = part
    const perTarget = this.workload.loop === 'pair' ? lengthOf(sources) : 1
    const evaluated = ranges && pairsIn(rangesWithin(ranges, part))
    this.#report = reportAfter(this.#report, lengthOf(targets) * perTarget, { compute }, evaluated)
  }
}

function dataOf({ targets, sources, parameters, tables, exclusions, ranges }: Bindings, shape: Shape): PairData {
  return {
    targets: arraysOf(targets, shape),
    sources: arraysOf(sources, shape),
    parameters,
    tables,
    lengths: shape.lengths,
    exclusions,
    ranges,
  }
}

/** The numbers of a point set, from arrays or buffers. Split coordinates are joined into one number. */
export function arraysOf(set: PointSet, { split }: Shape): Readonly<Record<string, FloatArray>> {
  const numbers = (array: FloatArray | DeviceBuffer) =>
    array instanceof ReferenceBuffer ? array.data : (array as FloatArray)
  const arrays = Object.fromEntries(Object.entries(set.arrays).map(([name, array]) => [name, numbers(array)]))
  if (!split) return arrays
  const [high, low] = [arrays.position, arrays.positionLow] as [FloatArray, FloatArray]
  return { ...arrays, position: Float64Array.from(high, (x, n) => x + (low[n] as number)) }
}

function rounded(results: ArrayResults): ArrayResults {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => [
      name,
      array instanceof Float64Array ? Float32Array.from(array) : array,
    ]),
  )
}
