/**
 * Compares sums with sums over all pairs, which the processor computes in float64. Errors of targets are relative to the summed sizes of
 * their terms.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import type { PairWorkload, PointSet } from '@manybody/core'
import { sampled } from '@manybody/core/far'
import { bind } from '@manybody/core/judge'
import { deriveTreeFacts } from '@manybody/core/weights'

/** The true sums of some targets. */
export interface TrueSums {
  /** The errors of these targets, ascending. `sums` has the sums of all targets. */
  errorsOf(sums: ArrayLike<number>): Float64Array
}

/** How many targets determine the setting of a tree. Errors are measured on other targets. */
const calibrated = 512

/** @param wanted how many targets, spread over all */
export async function trueSums(
  workload: PairWorkload,
  points: object,
  wanted: number,
  options: { readonly threads?: number } = {},
): Promise<TrueSums> {
  const { shape, bindings } = bind(workload, points as never)
  const device = await cpuWasm().open({ precision: 'f64', ...options })
  try {
    const doubles = { ...bindings, targets: inDoubles(bindings.targets) }
    const sources = bindings.sources === bindings.targets ? doubles.targets : inDoubles(bindings.sources)
    const spare = wanted + calibrated <= shape.targets ? calibrated : 0
    const facts = deriveTreeFacts(workload, shape)
    const sample = sampled(facts, shape, { ...doubles, sources }, wanted + spare)
    const program = await device.prepare(facts.measured as PairWorkload, sample.shape)
    const truth = Object.values(await program.run(sample.bindings))[0] as Float64Array
    const width = truth.length / sample.targets.length
    const errorAt = (sums: ArrayLike<number>, target: number, row: number) => {
      let squares = 0
      for (let n = 0; n < width - 1; n++)
        squares += ((sums[target * (width - 1) + n] as number) - (truth[row * width + n] as number)) ** 2
      return squares === 0 ? 0 : Math.sqrt(squares) / (truth[(row + 1) * width - 1] as number)
    }
    const targets = sample.targets.slice(spare)
    return { errorsOf: (sums) => Float64Array.from(targets, (target, n) => errorAt(sums, target, spare + n)).sort() }
  } finally {
    device.dispose()
  }
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
