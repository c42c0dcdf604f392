/**
 * The runs of a sum with a tolerance. The module puts points in order and weighs them; the host then
 * decides which nodes have proxies; and the module makes these, walks the tree and computes pairs.
 *
 * @module
 */
import type { ArrayResults, Bindings, FloatArray, Shape, TreeSetting } from '@manybody/core'
import { type Weighted, weightsOf } from '@manybody/core/near'
import type { TreeDesigns } from '../../design/designs.ts'
import { DeviceArray } from '../host/buffer.ts'
import type { Host } from '../host/host.ts'
import { onThisThread } from '../placement/jobs.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement } from '../placement/placement.ts'
import { fitReach, type ProxyOptions, reserveProxies, reserveWeights } from '../placement/proxies.ts'
import type { Job } from '../threads/job.ts'
import type { Staged } from './either.ts'
import { copied, type RunTimes } from './run-once.ts'

/** Milliseconds for each source: to compute its weights, to number proxies, and to find how far nodes must be. */
const [weighing, reserving, reaching] = [1e-4, 2e-7, 1e-4]

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
  readonly #host: TreeHost
  readonly #weighted: Weighted
  readonly #shape: Shape
  readonly #placements = new Map<LoadedProgram, Placement>()

  constructor(host: TreeHost, designs: TreeDesigns, shape: Shape) {
    this.#host = host
    this.#weighted = designs
    this.#shape = shape
  }

  /**
   * The parts of a run. The jobs of each must be done before the next is asked for.
   *
   * @param program that is loaded from a design
   */
  *parts(
    program: LoadedProgram,
    bindings: Bindings,
    setting: TreeSetting,
    into?: ArrayResults,
  ): Generator<readonly Job[], TreeRun, void> {
    const start = performance.now()
    const placement = this.#placementOf(program)
    this.#bind(placement, bindings)
    const proxies = this.#proxiesOf(program)
    placement.enter((regions) => reserveWeights(regions, proxies))
    const ready = performance.now()
    yield placement.jobs('points')
    placement.enter((regions) => reserveProxies(regions, proxies, setting))
    yield placement.jobs('pairs', this.#reaching(placement, program, setting))
    const computed = performance.now()
    const results = copied(placement.results(), into)
    const times = { upload: ready - start, compute: computed - ready, readback: performance.now() - computed }
    return { results, times, evaluated: placement.evaluated ?? 0 }
  }

  /** A stage of a sequence, whose points may move and whose weights may change between rounds. */
  stage(
    program: LoadedProgram,
    bindings: Bindings,
    setting: TreeSetting,
    outputs: Readonly<Record<string, DeviceArray>>,
  ): Staged {
    const placement = this.#newPlacement(program)
    this.#bind(placement, bindings, outputs)
    const proxies = this.#proxiesOf(program)
    placement.enter((regions) => reserveWeights(regions, proxies))
    const { count } = bindings.sources
    const weigh = onThisThread(() => {
      const values = this.#valuesOf(bindings)
      for (const [w, { attribute }] of this.#weighted.weights.entries())
        placement.rewrite(attribute, values[w] as FloatArray)
    }, count * weighing)
    const reserve = onThisThread(
      () => placement.enter((regions) => reserveProxies(regions, proxies, setting)),
      count * reserving,
    )
    const jobs = () => [
      ...(this.#computesWeights ? [weigh] : []),
      ...placement.jobs('points'),
      reserve,
      ...placement.jobs('pairs', this.#reaching(placement, program, setting)),
    ]
    return { jobs, dispose: () => placement.dispose() }
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
  }

  /** Whether weights are more than attributes, so that they are added to these. */
  get #computesWeights(): boolean {
    return this.#weighted.weights.some(({ value }) => value.kind !== 'symbol')
  }

  /** The job between the phases that weigh nodes and those that read how far these must be. */
  #reaching(placement: Placement, program: LoadedProgram, setting: TreeSetting): Job {
    const proxies = this.#proxiesOf(program)
    const fit = () => placement.use((regions) => fitReach(regions, proxies, setting))
    return onThisThread(fit, this.#shape.sources * reaching)
  }

  #proxiesOf({ design }: LoadedProgram): ProxyOptions {
    const weights = this.#weighted.weights.map(({ attribute }) => attribute)
    return { shape: this.#shape, weights, recordBytes: design.recordBytes ?? 0 }
  }

  /** Binds the arrays of a run, with the weights of its sources as attributes. */
  #bind(placement: Placement, bindings: Bindings, outputs: Readonly<Record<string, DeviceArray>> = {}): void {
    if (!this.#computesWeights) {
      placement.bind(bindings, {}, outputs)
      return
    }
    const values = this.#valuesOf(bindings)
    const named = this.#weighted.weights.map(({ attribute }, w) => [attribute, values[w] as FloatArray] as const)
    const { sources } = bindings
    const weighted = { ...sources, arrays: { ...sources.arrays, ...Object.fromEntries(named) } }
    placement.bind({ ...bindings, sources: weighted }, {}, outputs)
  }

  /** The weights of the moment. */
  #valuesOf({ sources, parameters }: Bindings): readonly FloatArray[] {
    const arrays = Object.entries(sources.arrays).map(
      ([name, array]) => [name, array instanceof DeviceArray ? array.numbers() : (array as FloatArray)] as const,
    )
    const values = weightsOf(this.#weighted.weights, Object.fromEntries(arrays), parameters, sources.count)
    // Those that are attributes are copied, because memory may grow under a view.
    return values.map((array) => array.slice())
  }

  #placementOf(program: LoadedProgram): Placement {
    const placement = this.#placements.get(program) ?? this.#newPlacement(program)
    this.#placements.set(program, placement)
    return placement
  }

  #newPlacement(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.#host
    return new Placement({ memory, program, shape: this.#shape, precision: info.precision, threads })
  }
}
