/**
 * Runs trees: sums with a tolerance at one setting. The module puts points in order and weighs them; the host then
 * decides which nodes have proxies; and the module makes these, walks the tree and computes pairs.
 *
 * @module
 */
import type { Bindings, FloatArray, Shape, TreeSetting } from '@manybody/core'
import { type SourceWeight, weightsOf } from '@manybody/core/far'
import type { TreeDesigns } from '../../design/designs.ts'
import { HeldArray } from '../host/held-array.ts'
import type { Host } from '../host/host.ts'
import type { PlacementParts } from '../placement/bound-program.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { placeProxies } from '../placement/place-proxies.ts'
import type { Placement } from '../placement/placement.ts'
import { ordering } from '../placement/point-ordering.ts'
import { onThisThread } from '../threads/job.ts'
import type { Staged } from './either.ts'

/** Milliseconds for each source to compute its weights. */
const weighing = 1e-4

/** What a tree needs to know of its device. */
export type TreeHost = Pick<Host, 'memory' | 'threads'> & { readonly info: Pick<Host['info'], 'precision'> }

/** The trees of one workload. */
export class TreeLoop {
  readonly #host: TreeHost
  readonly #weights: readonly SourceWeight[]
  readonly #shape: Shape
  readonly #Place: typeof Placement
  readonly #parts: PlacementParts | undefined
  readonly #placements = new Map<LoadedProgram, Placement>()

  /** @param Place the class of placements, which programs have loaded already */
  constructor(
    host: TreeHost,
    { weights }: Pick<TreeDesigns, 'weights'>,
    shape: Shape,
    Place: typeof Placement,
    parts?: PlacementParts,
  ) {
    this.#Place = Place
    this.#parts = parts
    this.#host = host
    this.#weights = weights
    this.#shape = shape
  }

  /** The use by runs of a program that is loaded from a design. */
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
    const named = this.#weights.map(({ attribute }, w) => [attribute, values[w] as FloatArray] as const)
    return { ...bindings, sources: { ...sources, arrays: { ...sources.arrays, ...Object.fromEntries(named) } } }
  }

  /** A stage of a sequence, whose points may move and whose weights may change between rounds. */
  stage(
    program: LoadedProgram,
    bindings: Bindings,
    setting: TreeSetting,
    outputs: Readonly<Record<string, HeldArray>>,
  ): Staged {
    let now = bindings
    const placement = this.#newPlacement(program)
    placement.bind(this.weighted(bindings), { setting, outputs })
    const weigh = onThisThread(() => {
      const values = this.#valuesOf(now)
      for (const [w, { attribute }] of this.#weights.entries()) placement.rewrite(attribute, values[w] as FloatArray)
    }, bindings.sources.count * weighing)
    const jobs = () => [...(this.#computesWeights ? [weigh] : []), ...placement.jobs()]
    const renumber = (given: Bindings) => {
      now = given
      placement.renumber(given)
    }
    return { jobs, renumber, dispose: () => placement.dispose() }
  }

  dispose(): void {
    for (const placement of this.#placements.values()) placement.dispose()
    this.#placements.clear()
  }

  /** Whether weights are more than attributes, so that they are added to these. */
  get #computesWeights(): boolean {
    return this.#weights.some(({ value }) => value.kind !== 'symbol')
  }

  /** The weights of the moment. */
  #valuesOf({ sources, parameters }: Bindings): readonly FloatArray[] {
    const arrays = Object.entries(sources.arrays).map(
      ([name, array]) => [name, array instanceof HeldArray ? array.numbers() : (array as FloatArray)] as const,
    )
    const values = weightsOf(this.#weights, Object.fromEntries(arrays), parameters, sources.count)
    // Those that are attributes are copied, because memory may grow under a view.
    return values.map((array) => array.slice())
  }

  #newPlacement(program: LoadedProgram): Placement {
    const { memory, info, threads } = this.#host
    const weights = this.#weights.map(({ attribute }) => attribute)
    return new this.#Place({
      ...{ memory, program, shape: this.#shape, precision: info.precision, threads, weights, ordering },
      parts: this.#parts,
      placeProxies,
    })
  }
}
