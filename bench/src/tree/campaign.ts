/**
 * Runs with a tolerance as users make them, each judged by the errors of all its targets: whether the 99th percentile is within
 * the tolerance, and whether the reported error agrees with it. Sums over all pairs in float64 are the truth.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, type PairWorkload, type PointSet, tree } from '@manybody/core'
import { bind, sampled } from '@manybody/core/backend'
import { randomFrom } from '../random.ts'
import { type TreeSet, treePoints } from './points.ts'

export interface CampaignOptions {
  readonly workload: PairWorkload
  readonly set: TreeSet
  readonly count: number
  readonly seed: number
  readonly tolerance: number
}

export interface CampaignRow {
  /** The setting, as the report names it. */
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
  const signed = () => Float64Array.from({ length: count }, () => 2 * random() - 1)
  return {
    position: treePoints(set, count, seed),
    mass: new Float64Array(count).fill(1),
    weight: new Float64Array(count).fill(1),
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
  const errors = await errorsOf(workload, points, sums as Float64Array, count)
  const p99 = errors[Math.ceil(0.99 * errors.length) - 1] as number
  const { largest: told = 0 } = report.error ?? {}
  return { variant: report.variant, told, p99, largest: errors.at(-1) as number }
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

/**
 * The errors of some targets, relative to the sums of the sizes of their terms, ascending.
 *
 * @param sums of all targets
 * @param wanted how many targets, spread over all
 */
export async function errorsOf(
  workload: PairWorkload,
  points: object,
  sums: ArrayLike<number>,
  wanted: number,
): Promise<Float64Array> {
  const { shape, bindings } = bind(workload, points as never)
  const device = await cpuWasm().open({ precision: 'f64', threads: 2 })
  try {
    const doubles = { ...bindings, targets: inDoubles(bindings.targets) }
    const sources = bindings.sources === bindings.targets ? doubles.targets : inDoubles(bindings.sources)
    const sample = sampled(workload, shape, { ...doubles, sources }, wanted)
    const program = await device.prepare(sample.workload, sample.shape)
    const truth = Object.values(await program.run(sample.bindings))[0] as Float64Array
    const width = truth.length / sample.targets.length
    return Float64Array.from(sample.targets, (target, row) => {
      let squares = 0
      for (let n = 0; n < width - 1; n++)
        squares += ((sums[target * (width - 1) + n] as number) - (truth[row * width + n] as number)) ** 2
      return squares === 0 ? 0 : Math.sqrt(squares) / (truth[(row + 1) * width - 1] as number)
    }).sort()
  } finally {
    device.dispose()
  }
}

/** The same points in float64. */
function inDoubles({ count, arrays }: PointSet): PointSet {
  const doubles = Object.entries(arrays).map(([name, array]) => [name, Float64Array.from(array as Float64Array)])
  return { count, arrays: Object.fromEntries(doubles) }
}
