/**
 * Runs a sum within a tolerance by the fastest method: a tree and a mesh take turns until both times are known, and the faster one stays.
 *
 * @module
 */
import type { Bindings, Program, Report, RunOptions } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered } from '../../ground/remember.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import { withoutMethod } from '../../problem/workloads/compiled.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { meshOf } from '../mesh/mesh-program.ts'
import { transformerOf } from '../mesh/open-space.ts'
import type { Approximable, Approximation, DevicePrograms } from '../tolerance/approximate.ts'
import { reported, unmeasured } from '../tolerance/target-errors.ts'
import { checkedFast, costsOf, type Hurried, withMesh, withTree } from './choose.ts'

/** Approximates a sum by a tree. */
export type ByTree = (workload: Approximable) => Promise<Approximation>

const without = new Remembered<PairWorkload, PairWorkload>()

/** @throws TypeError, RangeError for wrong options, and in a periodic box for laws that a mesh cannot sum */
export async function fastOf(workload: Hurried, shape: Shape, byTree: ByTree): Promise<Approximation> {
  if (workload.domain.boundary.kind === 'periodic') return meshOf(withMesh(workload), shape)
  checkedFast(workload.method)
  const [tree, mesh] = [
    await suited(() => byTree(withTree(workload))),
    await suited(async () => meshOf(withMesh(workload), shape)),
  ]
  const exact = without.of(workload, () => withoutMethod(workload))
  return {
    workload: exact,
    of: (program, over, programs) => {
      const sides = {
        ...(tree.made && { tree: tree.made.of(program, over, programs) }),
        ...(mesh.made && { mesh: mesh.made.of(program, over, programs) }),
      }
      return new FastProgram(program, programs, workload, over, sides, tree.reason ?? mesh.reason ?? '')
    },
  }
}

/** An approximation, or why the law does not suit it. */
async function suited(
  make: () => Promise<Approximation>,
): Promise<{ readonly made?: Approximation; readonly reason?: string }> {
  try {
    return { made: await make() }
  } catch (error) {
    if (error instanceof TypeError) return { reason: error.message }
    throw error
  }
}

type Side = 'tree' | 'mesh'
type Sides = Partial<Readonly<Record<Side, Program>>>

/** What is known of both methods for sums of a kind. */
class Race {
  /** Milliseconds of the latest runs. The first run of a method finds its setting, and is not among them. */
  readonly #times: Readonly<Record<Side, number[]>> = { tree: [], mesh: [] }
  readonly #runs: Record<Side, number> = { tree: 0, mesh: 0 }
  #wait = retried

  /** @param costs estimated, while times are unknown */
  next(costs: Readonly<Record<Side, number>>): Side {
    const [first, other]: readonly [Side, Side] = costs.mesh < costs.tree ? ['mesh', 'tree'] : ['tree', 'mesh']
    if (this.#runs[first] < 2) return first
    if (!(costs[other] < worthTrying * costs[first])) return first
    if (this.#runs[other] < 2) return other
    const faster: Side = Math.min(...this.#times.mesh) < Math.min(...this.#times.tree) ? 'mesh' : 'tree'
    if (this.#wait-- > 0) return faster
    this.#wait = retried
    return faster === 'mesh' ? 'tree' : 'mesh'
  }

  took(side: Side, milliseconds: number): void {
    if (this.#runs[side]++ === 0) return
    this.#times[side].push(milliseconds)
    if (this.#times[side].length > kept) this.#times[side].shift()
  }
}

/** How many latest times count, after how many runs the slower method is tried again, and up to which estimate it is tried at all. */
const [kept, retried, worthTrying] = [4, 64, 4]

const races = new Remembered<DevicePrograms, Map<string, Race>>()

class FastProgram implements Program {
  #report: Report

  constructor(
    readonly program: Program,
    readonly programs: DevicePrograms,
    readonly workload: Hurried,
    readonly shape: Shape,
    readonly sides: Sides,
    readonly reason: string,
  ) {
    this.#report = program.report
  }

  get report(): Report {
    return this.#report
  }

  async run(bindings: Bindings, options: RunOptions = {}): Promise<ArrayResults> {
    const { tree, mesh } = this.sides
    const race = this.#race
    const side = tree && mesh ? race.next(this.#costs(bindings)) : undefined
    const chosen = side ? this.sides[side] : (tree ?? mesh)
    if (!chosen) return this.#allPairs(bindings, options)
    const start = performance.now()
    const results = await chosen.run(bindings, options)
    if (side) race.took(side, performance.now() - start)
    this.#report = chosen.report
    return results
  }

  dispose(): void {}

  async #allPairs(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    const { tolerance, of } = this.workload.method
    const method: Pick<Tree, 'tolerance' | 'of'> = { tolerance, of }
    this.#report = { ...this.program.report, error: reported(unmeasured(0), method, `all pairs: ${this.reason}`) }
    return results
  }

  #costs({ targets, sources }: Bindings) {
    const { dimension, sameSet } = this.shape
    const there = new Float64Array(sources.arrays.position as FloatArray)
    const here = sameSet ? there : new Float64Array(targets.arrays.position as FloatArray)
    const places = { sources: there, targets: here }
    return costsOf(
      this.workload,
      dimension,
      this.workload.method.tolerance,
      places,
      transformerOf(this.programs.device),
    )
  }

  get #race(): Race {
    const { workload, shape } = this
    const sizes = [shape.targets, shape.sources].map((n) => Math.round(Math.log2(n)))
    const { tolerance, of } = workload.method
    const key = JSON.stringify([workload.law.expressions, workload.quantity, shape.sameSet, ...sizes, tolerance, of])
    const known = races.of(this.programs, () => new Map())
    const race = known.get(key) ?? new Race()
    known.set(key, race)
    return race
  }
}
