/**
 * The plans of a mesh: the split of each radial part of a law, and the grid. Making one takes longer than a sum, so the latest are kept.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import type { Precision } from '../../ground/precision.ts'
import { key } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { type MeshKernels, radialOf } from './kernels.ts'
import { type PeriodicSplit, periodicSplit } from './periodic-split.ts'
import type { MeshSetting, Triple } from './settings.ts'
import { type GridPlan, gridPlan } from './smooth-sum.ts'

/** The splits of a run, and its grid. */
export interface MeshPlan {
  readonly splits: readonly PeriodicSplit[]
  readonly grid: GridPlan
}

/** How many plans are kept, and how many splits. */
const [mostPlans, mostSplits] = [6, 16]

/** Splits hold for boxes whose longest edge rounds up to the same power of this number. */
const step = 2 ** (1 / 4)

/** The latest plans. */
export class MeshPlans {
  readonly #plans = new Latest<MeshPlan>(mostPlans)
  readonly #splits = new Latest<PeriodicSplit>(mostSplits)

  /** The plan for a setting, a reach and the parameters of a run. */
  of(
    kernels: MeshKernels,
    law: Interaction,
    setting: MeshSetting,
    precision: Precision,
    reach: number,
    parameters: Bindings['parameters'],
    lengths: Triple,
  ): MeshPlan {
    const { radials, list } = kernels
    const own = Object.fromEntries(Object.keys(law.parameters).map((name) => [name, parameters[name] as number]))
    const parts = radials.map(({ e, along }) => [key(e), along])
    const products = list.map(({ target, ...kernel }) => [key(target), kernel])
    const largest = step ** Math.ceil(Math.log(Math.max(...lengths)) / Math.log(step))
    const ofSplits = [own, setting, reach, largest]
    return this.#plans.of(JSON.stringify([parts, products, ofSplits, precision, lengths]), () => {
      const splits = radials.map((radial, n) =>
        this.#splits.of(JSON.stringify([parts[n], ofSplits]), () => {
          const options = { reach, band: setting.band / reach, terms: setting.terms, along: radial.along }
          return periodicSplit(radialOf(radial, own), options, largest, law.name)
        }),
      )
      return { splits, grid: gridPlan(splits, setting, precision, lengths, kernels) }
    })
  }
}

/** The values that were used latest, by name. */
class Latest<T> {
  readonly #values = new Map<string, T>()

  constructor(readonly most: number) {}

  of(name: string, make: () => T): T {
    const value = this.#values.get(name) ?? make()
    this.#values.delete(name)
    this.#values.set(name, value)
    const [oldest] = this.#values.keys()
    if (this.#values.size > this.most && oldest !== undefined) this.#values.delete(oldest)
    return value
  }
}
