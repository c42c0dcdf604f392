/** What it costs to meet a tolerance with a tree, as counts of pairs, and the errors of other targets than those it was set by. */

import type { PairWorkload, TreeSetting } from '@manybody/core'
import { calibrate, spreadTargets, TreeProblem, TreeTruth } from '@manybody/core/backend'
import { randomFrom } from '../random.ts'
import { sourcesOf } from './campaign.ts'
import type { TreeSet } from './points.ts'

export interface TreeRow {
  readonly tolerance: number
  /** None if no setting is cheaper than all pairs. */
  readonly found?: {
    readonly setting: TreeSetting
    readonly pairs: number
    readonly p99: number
    readonly largest: number
  }
}

export interface StudyOptions {
  readonly workload: PairWorkload
  readonly set: TreeSet
  readonly count: number
  readonly seed: number
  readonly tolerances: readonly number[]
}

/** As many targets as a setting is chosen by, and as many as judge it. */
const [chosenBy, judgedBy] = [256, 512]

/** One row for each tolerance. */
export function studyTree({ workload, set, count, seed, tolerances }: StudyOptions): readonly TreeRow[] {
  const random = randomFrom(seed + 1)
  const sources = sourcesOf(set, count, seed)
  const { dimension } = set
  const shape = { dimension, targets: count, sources: count, sameSet: true, vectors: ['position'] }
  const problem = new TreeProblem(workload, shape, {
    ...{ targets: sources, sources },
    parameters: workload.law.parameters,
  })
  const truth = new TreeTruth(problem, spreadTargets(count, chosenBy))
  const others = Array.from({ length: judgedBy }, () => Math.floor(random() * count))
  const judge = new TreeTruth(problem, [...new Set(others)])
  return tolerances.map((tolerance) => {
    const setting = calibrate(truth, tolerance)
    if (!setting) return { tolerance }
    const { pairs, errors } = judge.errorsOf(setting)
    const sorted = errors.toSorted()
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] as number
    return { tolerance, found: { setting, pairs, p99: at(0.99), largest: at(1) } }
  })
}
