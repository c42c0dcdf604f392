/**
 * How far results are from the truth, and how far they may be.
 *
 * Errors are `|out - ref| / scale` per target, where scale is the sum of the absolute terms. Near equilibrium a right force is
 * a small difference of large terms, so an error relative to the force itself would say nothing.
 *
 * @module
 */
import type { Report } from '../../contract/backend.ts'

export interface ErrorNorms {
  readonly median: number
  readonly p99: number
  readonly max: number
  /** The median of `2 |out - ref| / (|out| + |ref|)`, as OpenMM reports it. */
  readonly symmetricMedian: number
}

type Numbers = ArrayLike<number>

/** Norms over targets; both arrays hold the same number of components for each entry of `scale`. */
export function errorNorms(out: Numbers, ref: Numbers, scale: Numbers): ErrorNorms {
  if (out.length !== ref.length) return { median: Infinity, p99: Infinity, max: Infinity, symmetricMedian: Infinity }
  const components = scale.length ? ref.length / scale.length : 0
  const errors: number[] = []
  const symmetric: number[] = []
  for (let t = 0; t < scale.length; t++) {
    const [difference, truth, result] = lengths(out, ref, t * components, components)
    errors.push(difference === 0 ? 0 : difference / (scale[t] as number))
    symmetric.push(difference === 0 ? 0 : (2 * difference) / (truth + result))
  }
  return { ...quantiles(errors), symmetricMedian: quantile(symmetric, 0.5) }
}

/** Statistics of many errors. */
export function quantiles(errors: readonly number[]): Pick<ErrorNorms, 'median' | 'p99' | 'max'> {
  return { median: quantile(errors, 0.5), p99: quantile(errors, 0.99), max: quantile(errors, 1) }
}

/** The lengths of the difference, the truth and the result of one target. Equal infinities have difference 0. */
function lengths(out: Numbers, ref: Numbers, start: number, components: number): readonly [number, number, number] {
  let [difference, truth, result] = [0, 0, 0]
  for (let c = start; c < start + components; c++) {
    const [x, y] = [out[c] as number, ref[c] as number]
    const d = x === y ? 0 : x - y
    // A NaN must not pass as a small error.
    difference += Number.isNaN(d) ? Infinity : d * d
    truth += y * y
    result += x * x
  }
  return [Math.sqrt(difference), Math.sqrt(truth), Math.sqrt(result)]
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length ? (sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] as number) : 0
}

/**
 * The relative error of terms of steep laws. A power of -14 of a float32 distance is off by 1.5e-6 even if every operation is
 * rounded correctly, and by more on GPUs.
 */
export const steepFloor: number = 3e-6

const unitRoundoff = 2 ** -24

/** The number of terms in one block of a block sum, unless a backend says otherwise. */
const blockTerms = 256

/**
 * The largest error that a run may have, depending on how its terms were added.
 *
 * @param sources terms per target
 * @param floor the error of the terms themselves: 1e-6, or {@link steepFloor} if the law may be steep
 */
export function errorBound(
  { accumulation, precision }: Pick<Report, 'accumulation' | 'precision'>,
  sources: number,
  floor = 1e-6,
): number {
  if (precision === 'f64') return 1e-13
  if (accumulation === 'running') return floor + 8 * unitRoundoff * Math.sqrt(sources)
  if (accumulation === 'block')
    return floor + 2 * unitRoundoff * (Math.sqrt(blockTerms) + Math.sqrt(sources / blockTerms))
  return floor
}
