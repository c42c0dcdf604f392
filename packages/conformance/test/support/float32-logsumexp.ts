/**
 * The fold of `logsumexp` with the exponentials and the logarithm of a device. It keeps the largest term so far, and the sum relative to
 * it. Additions are exact, as in all folds of the float32 backend.
 *
 * @module
 */
import type { foldOf } from '../../../core/src/truth/reference/folds.ts'
import { type Roughness, roundingLanguage, type Value } from './rounding-language.ts'

export function float32LogSumExp(rows: number, roughness: Roughness): ReturnType<typeof foldOf> {
  const x = new Float64Array(1)
  const { language, value } = roundingLanguage(roughness, () => 0)
  const [exponential, logarithm] = (['exp', 'log'] as const).map((name) => value(language.call[name]('v[0]'))) as [
    Value,
    Value,
  ]
  const exp = (of: number) => exponential(x.fill(of))
  const log = (of: number) => logarithm(x.fill(of))
  const [tops, sums] = [new Float64Array(rows).fill(Number.NEGATIVE_INFINITY), new Float64Array(rows)]
  return {
    add(row, _, [term = 0]) {
      const [top, sum] = [tops[row] as number, sums[row] as number]
      if (term === Number.NEGATIVE_INFINITY) return
      if (top === Number.NEGATIVE_INFINITY) [tops[row], sums[row]] = [term, 1]
      else if (term > top) [tops[row], sums[row]] = [term, sum * exp(Math.fround(top - term)) + 1]
      else sums[row] = sum + exp(Math.fround(term - top))
    },
    results: () => ({
      value: Float64Array.from(tops, (top, row) => (sums[row] === 0 ? top : top + log(sums[row] as number))),
    }),
  }
}
