/**
 * Runs a sum within a tolerance by the fastest method: a tree and a mesh take turns until both times are known, and the faster one stays.
 *
 * @module
 */

import type { Bindings, Program, Report, RunOptions } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { Remembered, withoutMethod } from '../../problem/loaded-at-once.ts'
import type { Tree } from '../../problem/reductions/tree.ts'
import type { ArrayResults, PairWorkload, Shape } from '../../problem/workloads/workload.ts'
import { leastTolerance, meshOf } from '../mesh/mesh-program.ts'
import { transformerOf } from '../mesh/transformer.ts'
import type { Approximable, Approximation, DevicePrograms } from '../tolerance/approximate.ts'
import { checkedMethod } from '../tolerance/checked-method.ts'
import { reported, unmeasured } from '../tolerance/target-errors.ts'
import { type Costs, costsOf, type Hurried, unlessRefusal, withMesh, withTree } from './choose.ts'
import { Race, type Racer } from './race.ts'

/** Approximates a sum by a tree. */
export type ByTree = (workload: Approximable) => Promise<Approximation>

const without = new Remembered<PairWorkload, PairWorkload>()

/** @throws TypeError, RangeError for wrong options, and in a periodic box for laws that a mesh cannot sum */
export async function fastOf(workload: Hurried, shape: Shape, byTree: ByTree): Promise<Approximation> {
  if (workload.domain.boundary.kind === 'periodic') return meshOf(withMesh(workload), shape)
  checkedMethod(workload.method, 'fast')
  const [tree, mesh] = [
    await suited(() => byTree(withTree(workload))),
    await suited(async () => meshOf(withMesh(workload), shape)),
  ]
  const exact = without.of(workload, () => withoutMethod(workload))
  // A tree meets smaller tolerances.
  const reaches = ({ report }: Program) => workload.method.tolerance >= leastTolerance[report.precision]
  return {
    workload: exact,
    of: (program, over, programs) => {
      const sides = {
        ...(tree.made && { tree: tree.made.of(program, over, programs) }),
        ...(mesh.made && reaches(program) && { mesh: mesh.made.of(program, over, programs) }),
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
    return unlessRefusal(error, { reason: (error as Error).message })
  }
}

type Sides = Partial<Readonly<Record<Racer, Program>>>

const races = new Remembered<DevicePrograms, Map<string, Race>>()

class FastProgram implements Program {
  #report: Report

  /** @param reason why a method does not suit the law, if one does not */
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
    const side = mesh ? (tree ? race.next(() => this.#costs(bindings)) : race.refused ? 'tree' : 'mesh') : 'tree'
    const chosen = this.sides[side]
    if (!chosen) return this.#allPairs(bindings, options)
    const start = performance.now()
    try {
      const results = await chosen.run(bindings, options)
      race.took(side, performance.now() - start)
      this.#report = chosen.report
      return results
    } catch (error) {
      if (side === 'tree') throw error
      // A mesh sees in its first run whether a law is smooth.
      race.refused = unlessRefusal(error, true)
      return this.run(bindings, options)
    }
  }

  dispose(): void {}

  async #allPairs(bindings: Bindings, options: RunOptions): Promise<ArrayResults> {
    const results = await this.program.run(bindings, options)
    const { tolerance, of } = this.workload.method
    const method: Pick<Tree, 'tolerance' | 'of'> = { tolerance, of }
    this.#report = { ...this.program.report, error: reported(unmeasured(0), method, `all pairs: ${this.reason}`) }
    return results
  }

  #costs({ targets, sources }: Bindings): Costs {
    const { sameSet } = this.shape
    const placesOf = () => {
      const there = sources.arrays.position as FloatArray
      return { sources: there, targets: sameSet ? there : (targets.arrays.position as FloatArray) }
    }
    const { tolerance } = this.workload.method
    return costsOf(this.workload, this.shape, tolerance, placesOf, transformerOf(this.programs.device))
  }

  get #race(): Race {
    const { workload, shape } = this
    const sizes = [shape.targets, shape.sources].map((n) => Math.round(Math.log2(n)))
    const { tolerance, of } = workload.method
    const { dimension, sameSet } = shape
    const key = JSON.stringify([
      ...[workload.law.expressions, workload.quantity, dimension, sameSet],
      ...[...sizes, tolerance, of],
    ])
    const known = races.of(this.programs, () => new Map())
    const race = known.get(key) ?? new Race()
    known.set(key, race)
    return race
  }
}
