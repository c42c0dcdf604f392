/**
 * The runs of a sum with a tolerance. The module puts points in order and weighs them; the host then
 * decides which nodes have proxies; and the module makes these, walks the tree and computes pairs.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, PairWorkload, PointSet, Shape, TreeSetting } from '@manybody/core'
import { type Weighted, weightedWorkload, weightsOf } from '@manybody/core/backend'
import type { ProgramDesign } from '../designs/design.ts'
import { treeDesign } from '../designs/tree-design.ts'
import type { Host } from '../host/host.ts'
import { tileSources } from '../plans/plan.ts'
import type { Job } from '../threads/job.ts'
import { vectorOf } from '../wasm/vector.ts'
import type { LoadedProgram } from './compile.ts'
import { Placement } from './placement.ts'
import { reserveProxies, reserveWeights } from './proxies.ts'
import { copied, type RunTimes } from './run-once.ts'

/** What a tree needs to know of its device. */
export type TreeHost = Pick<Host, 'memory' | 'threads'> & { readonly info: Pick<Host['info'], 'precision'> }

/** What a run did. */
export interface TreeRun {
  readonly results: ArrayResults
  readonly times: RunTimes
  readonly evaluated: number
}

/** The trees of one workload. */
export class TreeLoop {
  readonly workload: PairWorkload
  readonly #host: TreeHost
  readonly #weighted: Weighted
  readonly #shape: Shape
  readonly #placements = new Map<LoadedProgram, Placement>()

  /** @param given that core has found to suit a tree */
  constructor(host: TreeHost, given: PairWorkload, shape: Shape) {
    this.#host = host
    this.#shape = shape
    const weighted = weightedWorkload(given, shape.dimension)
    if (!weighted) throw new TypeError(`Cannot approximate ${given.law.name}: its sources cannot be added up`)
    this.#weighted = weighted
    this.workload = weighted.workload
  }

  design(guard: boolean): ProgramDesign {
    const { memory, info } = this.#host
    const weights = this.#weighted.weights.map(({ attribute }) => attribute)
    const v = vectorOf(info.precision, false)
    const options = { v, shared: memory.shared, fused: false, wide: false, tile: tileSources }
    return treeDesign(this.workload, this.#shape, { ...options, guard, weights })
  }

  /**
   * The parts of a run. The jobs of each must be done before the next is asked for.
   *
   * @param program that is loaded from the design
   */
  *parts(
    program: LoadedProgram,
    bindings: Bindings,
    setting: TreeSetting,
    into?: ArrayResults,
  ): Generator<readonly Job[], TreeRun, void> {
    const start = performance.now()
    const placement = this.#placementOf(program)
    const { weights } = this.#weighted
    const { count, arrays } = bindings.sources
    const given = arrays as Readonly<Record<string, FloatArray>>
    const values = weightsOf(weights, given, bindings.parameters, count)
    const sources = this.#withWeights(bindings.sources, values)
    placement.bind(sources === bindings.sources ? bindings : { ...bindings, sources }, {})
    const proxies = {
      shape: this.#shape,
      weights: weights.map(({ attribute }) => attribute),
      recordBytes: program.design.recordBytes ?? 0,
    }
    placement.enter((regions) => reserveWeights(regions, proxies))
    const ready = performance.now()
    yield placement.jobs('points')
    placement.enter((regions) => reserveProxies(regions, proxies, setting))
    yield placement.jobs('pairs')
    const computed = performance.now()
    const results = copied(placement.results(), into)
    const times = { upload: ready - start, compute: computed - ready, readback: performance.now() - computed }
    return { results, times, evaluated: placement.evaluated ?? 0 }
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
  }

  /** The sources with their weights as attributes. */
  #withWeights(set: PointSet, values: readonly FloatArray[]): PointSet {
    if (this.#weighted.weights.every(({ value }) => value.kind === 'symbol')) return set
    const named = this.#weighted.weights.map(({ attribute }, w) => [attribute, values[w] as FloatArray] as const)
    return { ...set, arrays: { ...set.arrays, ...Object.fromEntries(named) } }
  }

  #placementOf(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.#host
    const known = this.#placements.get(program)
    const { precision } = info
    const placement = known ?? new Placement({ memory, program, shape: this.#shape, precision, threads })
    this.#placements.set(program, placement)
    return placement
  }
}
