/**
 * Runs trees: sums with a tolerance at one setting. The module puts points in order and weighs them. The host then decides
 * which nodes have proxies. The module makes the proxies, walks the tree and computes pairs.
 *
 * @module
 */
import type { Bindings, FloatArray, Shape, TreeSetting } from '@manybody/core'
import { type Weighted, weightsOf } from '@manybody/core/near'
import type { TreeDesigns } from '../../design/designs.ts'
import { DeviceArray } from '../host/buffer.ts'
import type { Host } from '../host/host.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { Placement } from '../placement/placement.ts'
import { onThisThread } from '../threads/job.ts'
import type { Staged } from './either.ts'

/** Milliseconds for each source to compute its weights. */
const weighing = 1e-4

/** The parts of a device that a tree uses. */
export type TreeHost = Pick<Host, 'memory' | 'threads'> & { readonly info: Pick<Host['info'], 'precision'> }

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

  /** The placement of a loaded program, for runs. */
  placementOf(program: LoadedProgram): Placement {
    const placement = this.#placements.get(program) ?? this.#newPlacement(program)
    this.#placements.set(program, placement)
    return placement
  }

  /** The arrays of a run, with the weights of its sources as attributes. */
  weighted(bindings: Bindings): Bindings {
    if (!this.#computesWeights) return bindings
    const { sources } = bindings
    const values = this.#valuesOf(bindings)
    const named = this.#weighted.weights.map(({ attribute }, w) => [attribute, values[w] as FloatArray] as const)
    return { ...bindings, sources: { ...sources, arrays: { ...sources.arrays, ...Object.fromEntries(named) } } }
  }

  /** A stage of a sequence. Its points may move and its weights may change between rounds. */
  stage(
    program: LoadedProgram,
    bindings: Bindings,
    setting: TreeSetting,
    outputs: Readonly<Record<string, DeviceArray>>,
  ): Staged {
    const placement = this.#newPlacement(program)
    placement.bind(this.weighted(bindings), { setting, outputs })
    const weigh = onThisThread(() => {
      const values = this.#valuesOf(bindings)
      for (const [w, { attribute }] of this.#weighted.weights.entries())
        placement.rewrite(attribute, values[w] as FloatArray)
    }, bindings.sources.count * weighing)
    const jobs = () => [...(this.#computesWeights ? [weigh] : []), ...placement.jobs()]
    return { jobs, dispose: () => placement.dispose() }
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
  }

  /** Whether some weight is more than an attribute. Weights are then computed and added to the attributes. */
  get #computesWeights(): boolean {
    return this.#weighted.weights.some(({ value }) => value.kind !== 'symbol')
  }

  /** The current weights. */
  #valuesOf({ sources, parameters }: Bindings): readonly FloatArray[] {
    const arrays = Object.entries(sources.arrays).map(
      ([name, array]) => [name, array instanceof DeviceArray ? array.numbers() : (array as FloatArray)] as const,
    )
    const values = weightsOf(this.#weighted.weights, Object.fromEntries(arrays), parameters, sources.count)
    // Attributes are copied, because memory may grow under a view.
    return values.map((array) => array.slice())
  }

  #newPlacement(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.#host
    const weights = this.#weighted.weights.map(({ attribute }) => attribute)
    return new Placement({ memory, program, shape: this.#shape, precision: info.precision, threads, weights })
  }
}
