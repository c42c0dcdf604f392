/**
 * The bound of a sum of many errors. Errors that may be the same in all terms are added. Independent errors are not, because they cancel: n
 * of them add up to about the root of n.
 *
 * A rounding is spread evenly between the two sides of its bound, so its standard deviation is the bound divided by the root
 * of 3. Many of them are normally distributed, and exceed six deviations once in 5e8 sums.
 *
 * @source W. Hoeffding, Probability inequalities for sums of bounded random variables, J. Am. Stat. Assoc. 58 (1963) 13
 * @module
 */
import { quadrature } from './parts.ts'

/** The error of a sum: the largest that is possible, and its two parts. */
export interface SumError {
  readonly largest: number
  readonly systematic: number
  readonly random: number
}

/** Six standard deviations, in roots of the sum of squared bounds. */
const deviations = 6 / Math.sqrt(3)

/** The bound of the errors of the terms and of the additions together. */
export function boundOf(terms: SumError, additions: SumError): number {
  const systematic = terms.systematic + additions.systematic
  if (!(systematic < Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
  const [inTerms, inAdditions] = [terms, additions].map((e) => Math.max(0, e.largest - e.systematic)) as [
    number,
    number,
  ]
  const [termsLikely, additionsLikely] = [deviations * terms.random, deviations * additions.random]
  // Few roundings may add up to less than their deviations.
  const random = Math.min(
    quadrature(termsLikely, additionsLikely),
    Math.min(inTerms, termsLikely) + Math.min(inAdditions, additionsLikely),
  )
  return systematic + random
}
