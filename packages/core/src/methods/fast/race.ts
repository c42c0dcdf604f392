/**
 * What is known of a tree and a mesh for sums of a kind: which of them runs next.
 *
 * @module
 */
import type { Costs } from './choose.ts'

export type Racer = 'tree' | 'mesh'

/** How many runs of each method come first, how many latest times count, and after how many runs both are compared again. */
const [first, kept, renewed] = [3, 4, 64]
/** A method that is much slower is compared again at each of so many such times, because one time may have been a poor measurement. */
const rarely = 16
/** A method is tried if its estimate, or its time once that is known, is below so many times that of the other one. */
const worthTrying = 4

export class Race {
  /** Milliseconds of the latest runs. The first run of a method finds its setting, and is not among them. */
  readonly #times: Readonly<Record<Racer, number[]>> = { tree: [], mesh: [] }
  readonly #runs: Record<Racer, number> = { tree: 0, mesh: 0 }
  #costs: Costs | undefined
  #left = 0
  #renewals = 0
  /** Whether the mesh has refused the law or its points. */
  refused = false

  /** @param costsOf estimates for the points of now */
  next(costsOf: () => Costs): Racer {
    if (this.refused) return 'tree'
    const due = this.#left-- <= 0
    if (due || !this.#costs) {
      ;[this.#costs, this.#left] = [costsOf(), renewed]
      this.#renewals++
    }
    const { allPairs, tree, mesh } = this.#costs
    const byTree = Math.min(allPairs, tree)
    const [one, other]: readonly [Racer, Racer] = mesh < byTree ? ['mesh', 'tree'] : ['tree', 'mesh']
    if (this.#runs[one] < first) return one
    if (!(Math.max(mesh, byTree) < worthTrying * Math.min(mesh, byTree))) return one
    const [mine, others] = [Math.min(...this.#times[one]), Math.min(...this.#times[other])]
    // The least of no times is infinite.
    const known = Number.isFinite(others)
    if (this.#runs[other] < first && !(known && others > worthTrying * mine)) return other
    const [faster, slower] = mine <= others ? [one, other] : [other, one]
    const close = Math.max(mine, others) < worthTrying * Math.min(mine, others)
    return due && (close || this.#renewals % rarely === 0) ? slower : faster
  }

  took(side: Racer, milliseconds: number): void {
    if (this.#runs[side]++ === 0) return
    this.#times[side].push(milliseconds)
    if (this.#times[side].length > kept) this.#times[side].shift()
  }
}
