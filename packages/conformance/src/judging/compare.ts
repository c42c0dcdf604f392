/**
 * Compares the results of one run with the expected ones, and describes the faults.
 *
 * Counts and indices must be equal. Numbers must be within the bound, relative to the sum of absolute terms if terms are
 * summed, and to the largest number of the same result otherwise.
 *
 * @module
 */
import type { ArrayResults, ErrorNorms, Precision } from '@manybody/core'
import { errorNorms, type Truth } from '@manybody/core/judge'
import type { Expected } from '../case.ts'

/** The faults, one sentence each, and the largest error of a number. */
export interface Comparison {
  readonly faults: readonly string[]
  readonly error: number
}

/** Compares types, lengths, and distance from the truth of all results. */
export function compareWithTruth(results: ArrayResults, truth: Truth, precision: Precision, bound: number): Comparison {
  const wanted = Object.keys(truth.results).sort().join(', ')
  const given = Object.keys(results).sort().join(', ')
  if (given !== wanted) return { faults: [`results are "${wanted}", got "${given}"`], error: Number.POSITIVE_INFINITY }
  const malformed = Object.entries(truth.results).flatMap(([name, expected]) =>
    malformation(name, results[name], expected, precision),
  )
  if (malformed.length) return { faults: malformed, error: Number.POSITIVE_INFINITY }
  const comparisons = Object.entries(truth.results).map(([name, expected]) =>
    expected instanceof Int32Array || expected instanceof Uint32Array
      ? compareExactly(name, results[name] ?? [], expected)
      : compareNumbers(name, results[name] ?? [], expected, truth.scales[name] ?? [], bound),
  )
  return joined(comparisons)
}

/** Compares with values that are known without the reference. */
export function compareWithKnown(
  results: ArrayResults,
  truth: Truth,
  { exact = {}, closedForm = {} }: { readonly exact?: Expected; readonly closedForm?: Expected },
  bound: number,
): Comparison {
  return joined([
    ...Object.entries(exact).map(([name, expected]) => compareExactly(name, results[name] ?? [], expected)),
    ...Object.entries(closedForm).map(([name, expected]) =>
      compareNumbers(`${name} by closed form`, results[name] ?? [], expected, truth.scales[name] ?? [], bound),
    ),
  ])
}

export function joined(comparisons: readonly Comparison[]): Comparison {
  return {
    faults: comparisons.flatMap(({ faults }) => faults),
    error: comparisons.reduce((most, { error }) => Math.max(most, error), 0),
  }
}

function malformation(
  name: string,
  result: ArrayResults[string] | undefined,
  expected: ArrayResults[string],
  precision: Precision,
): readonly string[] {
  const real = expected instanceof Float64Array || expected instanceof Float32Array
  const wanted = real ? (precision === 'f64' ? Float64Array : Float32Array) : expected.constructor
  if (result?.constructor !== wanted)
    return [`${name} expected ${wanted.name}, got ${result?.constructor.name ?? 'nothing'}`]
  return result.length === expected.length ? [] : [`${name} expected length ${expected.length}, got ${result.length}`]
}

/** Values that must be within the bound. */
export function compareNumbers(
  name: string,
  out: ArrayLike<number>,
  expected: ArrayLike<number>,
  scale: ArrayLike<number>,
  bound: number,
): Comparison {
  const norms: ErrorNorms = errorNorms(out, expected, scale)
  if (norms.max <= bound) return { faults: [], error: norms.max }
  const width = scale.length ? expected.length / scale.length : 1
  const worst = Array.from(scale, (_, t) => t).reduce((a, t) => (errorAt(t, width) > errorAt(a, width) ? t : a), 0)
  function errorAt(t: number, components: number): number {
    const part = (array: ArrayLike<number>) => Array.from(array).slice(t * components, (t + 1) * components)
    return errorNorms(part(out), part(expected), [scale[t] as number]).max
  }
  const show = (array: ArrayLike<number>) =>
    Array.from(array)
      .slice(worst * width, (worst + 1) * width)
      .slice(0, 4)
      .join(', ')
  return {
    faults: [
      `${name} is off by ${norms.max.toExponential(1)} (median ${norms.median.toExponential(1)}), allowed is ${bound.toExponential(1)}; target ${worst} expected ${show(expected)}, got ${show(out)}`,
    ],
    error: norms.max,
  }
}

function compareExactly(name: string, out: ArrayLike<number>, expected: ArrayLike<number>): Comparison {
  if (out.length !== expected.length)
    return {
      faults: [`${name} expected length ${expected.length}, got ${out.length}`],
      error: Number.POSITIVE_INFINITY,
    }
  const wrong = Array.from(expected, (_, n) => n).filter((n) => out[n] !== expected[n])
  const [first] = wrong
  if (first === undefined) return { faults: [], error: 0 }
  return {
    faults: [
      `${name} is wrong in ${wrong.length} of ${expected.length} places; place ${first} expected ${expected[first]}, got ${out[first]}`,
    ],
    error: Number.POSITIVE_INFINITY,
  }
}
