/**
 * Compares sums with true sums in float64: over all pairs, which the processor computes, or over all images of a box, which a finer mesh
 * computes.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, mesh, type PairWorkload, type PointSet } from '@manybody/core'
import { sampled } from '@manybody/core/far'
import { bind } from '@manybody/core/judge'
import { deriveTreeFacts } from '@manybody/core/weights'
import { quantile } from '../timing/times.ts'

/** The true sums of some targets. */
export interface TrueSums {
  /** The errors of these targets, ascending. `sums` has the sums of all targets. */
  errorsOf(sums: ArrayLike<number>): Float64Array
}

/** What errors are relative to: the summed sizes of a target's terms, or the median size of the sums of all targets. */
export type ErrorUnit = 'terms' | 'sums'

/** Targets and their true sums, `[targets, width]`. */
interface Truth {
  readonly targets: ArrayLike<number>
  readonly sums: Float64Array
  /** The summed sizes of each target's terms. Over all images they have none. */
  readonly terms?: Float64Array
}

/** How many targets determine the setting of a tree. Errors are measured on other targets. */
const calibrated = 512

/** Whether a sum is over all images of its points in a box. */
export const isOverImages = ({ domain }: PairWorkload): boolean => domain.boundary.kind === 'periodic'

/** @param wanted how many targets, spread over all */
export async function trueSums(
  workload: PairWorkload,
  points: object,
  wanted: number,
  unit: ErrorUnit = 'terms',
): Promise<TrueSums> {
  const truthOf = isOverImages(workload) ? truthOverImages : truthOverPairs
  const { targets, sums: truth, terms } = await truthOf(workload, points, wanted)
  const width = truth.length / targets.length
  const rows = Array.from({ length: targets.length }, (_, row) => truth.subarray(row * width, (row + 1) * width))
  // The closest pairs alone decide a mean square.
  const size = quantile(
    rows.map((sum) => Math.hypot(...sum)).sort((a, b) => a - b),
    0.5,
  )
  const errorAt = (sums: ArrayLike<number>, target: number, row: number) => {
    const apart = (rows[row] as Float64Array).map((value, n) => (sums[target * width + n] as number) - value)
    const error = Math.hypot(...apart)
    return error === 0 ? 0 : error / (unit === 'terms' && terms ? (terms[row] as number) : size)
  }
  return { errorsOf: (sums) => Float64Array.from(targets, (target, row) => errorAt(sums, target, row)).sort() }
}

async function truthOverPairs(workload: PairWorkload, points: object, wanted: number): Promise<Truth> {
  const { shape, bindings } = bind(workload, points as never)
  const device = await cpuWasm().open({ precision: 'f64' })
  try {
    const doubles = { ...bindings, targets: inDoubles(bindings.targets) }
    const sources = bindings.sources === bindings.targets ? doubles.targets : inDoubles(bindings.sources)
    const spare = wanted + calibrated <= shape.targets ? calibrated : 0
    const facts = deriveTreeFacts(workload, shape)
    const sample = sampled(facts, shape, { ...doubles, sources }, wanted + spare)
    const program = await device.prepare(facts.measured as PairWorkload, sample.shape)
    const measured = Object.values(await program.run(sample.bindings))[0] as Float64Array
    // The sum of each target's terms, and then the sum of their sizes.
    const row = measured.length / sample.targets.length
    const own = measured.subarray(spare * row)
    return {
      targets: sample.targets.slice(spare),
      sums: own.filter((_, n) => n % row < row - 1),
      terms: own.filter((_, n) => n % row === row - 1),
    }
  } finally {
    device.dispose()
  }
}

/** By a mesh that is more exact than all that are judged. */
async function truthOverImages(workload: PairWorkload, points: object, wanted: number): Promise<Truth> {
  await using engine = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
  const method = mesh({ tolerance: 1e-10 })
  const { report, ...results } = await engine.run({ ...workload, method } as PairWorkload, points as never)
  const all = Object.values(results)[0] as unknown as Float64Array
  const { targets: count } = bind(workload, points as never).shape
  const [width, step] = [all.length / count, Math.max(1, Math.floor(count / wanted))]
  const targets = Array.from({ length: Math.min(count, wanted) }, (_, n) => n * step)
  return { targets, sums: Float64Array.from(targets.flatMap((n) => [...all.subarray(n * width, (n + 1) * width)])) }
}

/** The 99th percentile of ascending errors, and the largest. */
export function extremesOf(errors: Float64Array): { readonly p99: number; readonly largest: number } {
  return { p99: errors[Math.ceil(0.99 * errors.length) - 1] as number, largest: errors.at(-1) as number }
}

/** The same points in float64. */
function inDoubles({ count, arrays }: PointSet): PointSet {
  const doubles = Object.entries(arrays).map(([name, array]) => [name, Float64Array.from(array as Float64Array)])
  return { count, arrays: Object.fromEntries(doubles) }
}
