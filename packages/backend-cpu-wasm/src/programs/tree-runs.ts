/**
 * The runs of a sum with a tolerance. The module puts points in order and weighs them; the host then
 * decides which nodes have proxies; and the module makes these, walks the tree and computes pairs.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  FloatArray,
  PairWorkload,
  PointSet,
  Shape,
  TreeRuns,
  TreeSetting,
} from '@manybody/core'
import { Guarded, type Weighted, weightedWorkload, weightsOf } from '@manybody/core/backend'
import { treeDesign } from '../designs/tree-design.ts'
import type { Host } from '../host/host.ts'
import { tileSources } from '../plans/plan.ts'
import { vectorOf } from '../wasm/vector.ts'
import { type LoadedProgram, load } from './compile.ts'
import { Placement } from './placement.ts'
import { reserveProxies, reserveWeights } from './proxies.ts'
import { copied, type RunTimes } from './run-once.ts'

type Options = Parameters<TreeRuns['run']>[2]

/** What a run did. */
export interface TreeRun {
  readonly results: ArrayResults
  readonly times: RunTimes
  readonly evaluated: number
  readonly program: LoadedProgram
}

/** The trees of one program. */
export class TreeLoop {
  readonly #host: Host
  readonly #weighted: Weighted
  readonly #shape: Shape
  readonly #loaded: Guarded<Promise<LoadedProgram>>
  readonly #placements = new Map<LoadedProgram, Placement>()

  /** @param given that core has found to suit a tree */
  constructor(host: Host, given: PairWorkload, shape: Shape) {
    this.#host = host
    this.#shape = shape
    const weighted = weightedWorkload(given, shape.dimension)
    if (!weighted) throw new TypeError(`Cannot approximate ${given.law.name}: its sources cannot be added up`)
    this.#weighted = weighted
    const { workload } = weighted
    const weights = weighted.weights.map(({ attribute }) => attribute)
    const { memory, pool, info } = host
    const v = vectorOf(info.precision, false)
    const options = { v, shared: memory.shared, fused: false, wide: false, tile: tileSources }
    this.#loaded = new Guarded(workload, shape.dimension, (guard) =>
      load(treeDesign(workload, shape, { ...options, guard, weights }), memory, pool, undefined),
    )
  }

  async run(bindings: Bindings, setting: TreeSetting, options: Options = {}): Promise<TreeRun> {
    const host = this.#host
    options.signal?.throwIfAborted()
    const start = performance.now()
    const program = await this.#loaded.of(bindings.parameters)
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
    await host.execute(placement.jobs('points'), 1, { signal: options.signal })
    placement.enter((regions) => reserveProxies(regions, proxies, setting))
    await host.execute(placement.jobs('pairs'), 1, options)
    const computed = performance.now()
    const results = copied(placement.results())
    const times = { upload: ready - start, compute: computed - ready, readback: performance.now() - computed }
    return { results, times, evaluated: placement.evaluated ?? 0, program }
  }

  dispose(): readonly Promise<LoadedProgram>[] {
    for (const placement of this.#placements.values()) placement.dispose()
    return this.#loaded.release()
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
