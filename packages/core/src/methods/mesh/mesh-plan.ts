/**
 * The plans of a mesh: the split of each radial part of a law, and the grid. Making one takes longer than a sum, so the latest are kept.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import type { Precision } from '../../ground/precision.ts'
import { key } from '../../language/nodes.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { GridSplit } from './grid-split.ts'
import { type MeshKernels, type RadialPart, radialOf } from './kernels.ts'
import { openSplit } from './open-split.ts'
import { periodicSplit } from './periodic-split.ts'
import { gridSizes, type MeshSetting, type MeshSpace } from './settings.ts'
import { slabAxes, slabSplit } from './slab-split.ts'
import { type GridPlan, gridPlan } from './smooth-sum.ts'
import type { Radial } from './split/shells.ts'
import { type Split, splitOf } from './split/split.ts'

/** The splits of a run, and its grid. */
export interface MeshPlan {
  readonly splits: readonly GridSplit[]
  readonly grid: GridPlan
}

/** How many plans are kept, and how many splits. */
const [mostPlans, mostSplits] = [6, 16]

/** Splits hold for boxes whose longest side rounds up to the same power of this number. */
const step = 2 ** (1 / 4)

/** A law by its kernels and the numbers of a run. */
interface Given {
  readonly kernels: MeshKernels
  readonly law: Interaction
  readonly parameters: Bindings['parameters']
}

/** The latest plans. */
export class MeshPlans {
  readonly #plans = new Latest<MeshPlan>(mostPlans)
  readonly #splits = new Latest<Split>(mostSplits)
  readonly #inGrids = new Latest<GridSplit>(mostSplits)

  /** The splits of the radial functions of a law. */
  splits(given: Given, setting: MeshSetting, reach: number): readonly Split[] {
    return given.kernels.radials.map((radial) => this.#split(given, setting, reach, radial))
  }

  /** The plan for a setting in a space. @throws RangeError if its grid would be too large */
  of(given: Given, setting: MeshSetting, precision: Precision, space: MeshSpace): MeshPlan {
    const { kernels, law } = given
    const { reach, box, open } = space
    const products = kernels.list.map(({ target, ...kernel }) => [key(target), kernel])
    const largest = step ** Math.ceil(Math.log(Math.max(...box.sides)) / Math.log(step))
    const names = kernels.radials.map((radial) => nameOf(given, setting, reach, radial))
    return this.#plans.of(JSON.stringify([names, products, open ?? largest, precision, box]), () => {
      const sizes = gridSizes(setting, space)
      const splits = kernels.radials.map((radial, n) =>
        this.#inGrids.of(
          JSON.stringify([names[n], open ?? largest, ...(open?.axis === undefined ? [] : [box])]),
          () => {
            const value = radialIn(given, radial)
            const split = this.#split(given, setting, reach, radial)
            if (!open) return periodicSplit(value, split, largest, law.name)
            if (open.axis === undefined) return openSplit(value, split, open, law.name)
            return slabSplit(value, split, open, slabAxes(box, open.axis, split.band), law.name)
          },
        ),
      )
      return { splits, grid: gridPlan(splits, setting, precision, space, sizes, kernels) }
    })
  }

  #split(given: Given, setting: MeshSetting, reach: number, radial: RadialPart): Split {
    return this.#splits.of(nameOf(given, setting, reach, radial), () => {
      const { dimension } = given.kernels
      const options = { reach, band: setting.band / reach, terms: setting.terms, along: radial.along, dimension }
      return splitOf(radialIn(given, radial), options)
    })
  }
}

/** The values of the law's own parameters. */
const ownOf = ({ law, parameters }: Given): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.keys(law.parameters).map((name) => [name, parameters[name] as number]))

const radialIn = (given: Given, radial: RadialPart): Radial => radialOf(radial, ownOf(given))

/** All that a split depends on. */
const nameOf = (given: Given, setting: MeshSetting, reach: number, { e, along }: RadialPart): string =>
  JSON.stringify([given.kernels.dimension, key(e), along, ownOf(given), setting, reach])

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
