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

/** How many plans are kept. */
const mostPlans = 8

/** The latest plans. */
export class MeshPlans {
  readonly #plans = new Map<string, MeshPlan>()

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
    const parts = [
      radials.map(({ e, along }) => [key(e), along]),
      list.map(({ target, ...kernel }) => [key(target), kernel]),
    ]
    const name = JSON.stringify([parts, own, setting, reach, lengths])
    const known = this.#plans.get(name)
    if (known) {
      this.#plans.delete(name)
      this.#plans.set(name, known)
      return known
    }
    const splits = radials.map((radial) => {
      const options = { reach, band: setting.band / reach, terms: setting.terms, along: radial.along }
      return periodicSplit(radialOf(radial, own), options, Math.max(...lengths), law.name)
    })
    const plan = { splits, grid: gridPlan(splits, setting, precision, lengths, kernels) }
    this.#plans.set(name, plan)
    const [oldest] = this.#plans.keys()
    if (this.#plans.size > mostPlans && oldest !== undefined) this.#plans.delete(oldest)
    return plan
  }
}
