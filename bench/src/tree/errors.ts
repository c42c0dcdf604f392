/**
 * Compares sums with sums over all pairs, which the processor computes in float64, or with sums over all images. Errors of targets are
 * relative to the summed sizes of their terms, except over all images.
 */

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, mesh, type PairWorkload, type PointSet } from '@manybody/core'
import { sampled } from '@manybody/core/far'
import { bind } from '@manybody/core/judge'
import { deriveTreeFacts } from '@manybody/core/weights'
import type { Sketch } from '../contender.ts'

/** The true sums of some targets. */
export interface TrueSums {
  /** The errors of these targets, ascending. `sums` has the sums of all targets. */
  errorsOf(sums: ArrayLike<number>): Float64Array
}

/** How many targets determine the setting of a tree. Errors are measured on other targets. */
const calibrated = 512

/** Whether a sum is over all images of its points in a box. */
export const isOverImages = ({ workload }: Pick<Sketch, 'workload'>): boolean =>
  workload.loop === 'pair' && workload.domain.boundary.kind === 'periodic'

/** @param wanted how many targets, spread over all */
export async function trueSums(workload: PairWorkload, points: object, wanted: number): Promise<TrueSums> {
  if (isOverImages({ workload })) return sumsOverImages(workload, points, wanted)
  const { shape, bindings } = bind(workload, points as never)
  const device = await cpuWasm().open({ precision: 'f64' })
  try {
    const doubles = { ...bindings, targets: inDoubles(bindings.targets) }
    const sources = bindings.sources === bindings.targets ? doubles.targets : inDoubles(bindings.sources)
    const spare = wanted + calibrated <= shape.targets ? calibrated : 0
    const facts = deriveTreeFacts(workload, shape)
    const sample = sampled(facts, shape, { ...doubles, sources }, wanted + spare)
    const program = await device.prepare(facts.measured as PairWorkload, sample.shape)
    const truth = Object.values(await program.run(sample.bindings))[0] as Float64Array
    const width = truth.length / sample.targets.length - 1
    const errorAt = (sums: ArrayLike<number>, target: number, row: number) => {
      let squares = 0
      for (let n = 0; n < width; n++)
        squares += ((sums[target * width + n] as number) - (truth[row * (width + 1) + n] as number)) ** 2
      return squares === 0 ? 0 : Math.sqrt(squares) / (truth[row * (width + 1) + width] as number)
    }
    const targets = sample.targets.slice(spare)
    return { errorsOf: (sums) => Float64Array.from(targets, (target, n) => errorAt(sums, target, spare + n)).sort() }
  } finally {
    device.dispose()
  }
}

/** By a mesh that is more exact than all that are judged. Errors are relative to the root mean square of the sums. */
async function sumsOverImages(workload: PairWorkload, points: object, wanted: number): Promise<TrueSums> {
  await using engine = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
  const method = mesh({ tolerance: 1e-10 })
  const { report: _, ...results } = await engine.run({ ...workload, method } as PairWorkload, points as never)
  const truth = Object.values(results)[0] as unknown as Float64Array
  const size = Math.sqrt(truth.reduce((sum, value) => sum + value ** 2, 0) / truth.length)
  const step = Math.max(1, Math.floor(truth.length / wanted))
  const errorAt = (sums: ArrayLike<number>, n: number) => Math.abs((sums[n] as number) - (truth[n] as number)) / size
  const places = Array.from({ length: Math.floor(truth.length / step) }, (_, n) => n * step)
  return { errorsOf: (sums) => Float64Array.from(places, (n) => errorAt(sums, n)).sort() }
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
