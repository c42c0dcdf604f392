/**
 * Runs with a tolerance as users make them, each judged by the errors of all its targets. The 99th percentile must be within the tolerance,
 * and the reported error must agree with it. Sums over all pairs in float64 are the truth.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, type PairWorkload, tree } from '@manybody/core'
import { randomFrom } from '../random.ts'
import { type TreeSet, treePoints, treeWeights } from '../tree-points.ts'
import { extremesOf, trueSums } from './errors.ts'

export interface CampaignOptions {
  readonly workload: PairWorkload
  readonly set: TreeSet
  readonly count: number
  readonly seed: number
  readonly tolerance: number
}

export interface CampaignRow {
  /** The setting, by its name in the report. */
  readonly variant: string
  /** The largest error, according to the report. */
  readonly told: number
  /** The 99th percentile over all targets. */
  readonly p99: number
  readonly largest: number
}

/** The attributes of a set's sources, by the names that laws read. */
export function sourcesOf(set: TreeSet, count: number, seed: number): Readonly<Record<string, Float64Array>> {
  const random = randomFrom(seed + 1)
  const weights = treeWeights(set, count, seed + 2)
  const signed = () => weights.map((weight) => weight * (2 * random() - 1))
  return {
    position: treePoints(set, count, seed),
    ...{ mass: weights, weight: weights },
    ...{ charge: signed(), wx: signed(), wy: signed(), wz: signed() },
  }
}

/** Runs on the processor, in an engine that has not found a setting yet. */
export async function campaignRow({ workload, set, count, seed, tolerance }: CampaignOptions): Promise<CampaignRow> {
  const approximate = { ...workload, method: tree({ tolerance }) }
  const points = { ...readBy(workload, sourcesOf(set, count, seed)), dimension: set.dimension }
  await using engine = await createEngine({ backends: [cpuWasm()], precision: 'f64', threads: 2 })
  const { report, ...results } = await engine.run(approximate, points as never)
  const [sums] = Object.values(results) as Float64Array[]
  const truth = await trueSums(workload, points, count, { threads: 2 })
  const { largest: told = 0 } = report.error ?? {}
  return { variant: report.variant, told, ...extremesOf(truth.errorsOf(sums as Float64Array)) }
}

/** Positions, and the attributes of the sources that a workload reads. */
export function readBy(
  { law }: PairWorkload,
  sources: Readonly<Record<string, Float64Array>>,
): Readonly<Record<string, Float64Array>> {
  const texts = Object.values(law.expressions).join()
  return Object.fromEntries(
    Object.entries(sources).filter(
      ([name]) => name === 'position' || texts.includes(`${name}_`) || law.inertia === name,
    ),
  )
}
