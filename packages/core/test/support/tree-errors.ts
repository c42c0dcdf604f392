/**
 * How far a tree is from all pairs, measured on some targets, and the cheapest setting that meets a tolerance.
 *
 * Errors are relative to the sum of the sizes of a target's terms, as everywhere. The largest of a few hundred targets is about
 * the 99th percentile of all: the largest of all may be several times larger where points are clustered.
 *
 * @module
 */
import type { TreeSetting } from '../../src/contract/backend.ts'
import type { FloatArray } from '../../src/ground/checks.ts'
import { foldOf, WithMagnitude } from '../../src/truth/reference/folds.ts'
import { pairLoop } from '../../src/truth/reference/pair-loop.ts'
import type { TreeProblem } from '../../src/truth/reference/tree-loop.ts'

/** The cost and the errors of a setting for some targets. */
interface TreeErrors {
  /** Pairs computed for a target, on average. */
  readonly pairs: number
  /** The error of each target. */
  readonly errors: Float64Array
}

/** The sums of some targets over all pairs, to compare settings with. */
export class TreeTruth {
  readonly #expected: FloatArray
  readonly #magnitude: Float64Array

  constructor(
    readonly problem: TreeProblem,
    readonly targets: readonly number[],
  ) {
    const { workload, shape, data } = problem
    const all = new WithMagnitude(foldOf(workload, shape, targets.length), targets.length)
    for (const _ of pairLoop(workload, shape, data, targets, [0, shape.sources], all));
    this.#expected = Object.values(all.results())[0] as FloatArray
    this.#magnitude = all.magnitude
  }

  errorsOf(setting: TreeSetting): TreeErrors {
    const { problem, targets } = this
    const fold = foldOf(problem.workload, problem.shape, targets.length)
    let pairs = 0
    for (const evaluated of problem.terms(setting, fold, targets)) pairs += evaluated
    const got = Object.values(fold.results())[0] as FloatArray
    const width = got.length / targets.length
    const errors = Float64Array.from(targets, (_, row) => {
      const apart = Array.from(got.subarray(row * width, (row + 1) * width), (x, n) => {
        const expected = this.#expected[row * width + n] as number
        return x === expected ? 0 : x - expected
      })
      const difference = Math.hypot(...apart)
      return difference === 0 ? 0 : difference / (this.#magnitude[row] as number)
    })
    return { pairs: pairs / targets.length, errors }
  }
}

/** The settings among which one is chosen. A simplex takes few pairs even if it is only used far away. */
export const treeSettings: readonly TreeSetting[] = [
  ...[0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8].map((opening) => ({ proxies: 'simplex' as const, opening })),
  ...[2, 3, 4, 5, 6].flatMap((proxies) => [0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((opening) => ({ proxies, opening }))),
]

/** A setting is kept if its largest error is at most this share of the tolerance, because other points may be worse off. */
const kept = 0.5

/** The setting that meets a tolerance with the fewest pairs; undefined if none needs fewer than all pairs. */
export function calibrate(truth: TreeTruth, tolerance: number): TreeSetting | undefined {
  const { problem, targets } = truth
  const costs = treeSettings.map((setting) => ({ setting, pairs: problem.pairsOf(setting, targets) / targets.length }))
  const cheaper = costs.filter(({ pairs }) => pairs < problem.shape.sources).sort((a, b) => a.pairs - b.pairs)
  // A NaN is not a small error.
  return cheaper.find(({ setting }) => truth.errorsOf(setting).errors.every((error) => error <= kept * tolerance))
    ?.setting
}
