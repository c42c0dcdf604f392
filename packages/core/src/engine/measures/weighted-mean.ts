/**
 * Means over sources, weighted with the exponential of a score: attention, softmax, kernel regression.
 *
 * @module
 */
import { hasNames, unexpected } from '../../ground/checks.ts'
import { deepCopy } from '../../ground/deep-copy.ts'
import type { Floats, Precision } from '../../ground/precision.ts'
import { type LawOptions, pairTerm } from '../../problem/interactions/define.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import { reduce, sum } from '../../problem/workloads/pair.ts'
import type { Particles } from '../../problem/workloads/particles.ts'
import type { Engine } from '../engine.ts'
import { requireEngine } from './require-engine.ts'

export interface WeightedMeanOptions extends Omit<DomainOptions, 'switchDistance' | 'shift'> {
  /** The logarithm of the weight of a pair, as an expression: `'-r2/(2*width^2)'`. */
  readonly score: string
  /** The averaged value: an expression, or several by name. */
  readonly value: string | Readonly<Record<string, string>>
  readonly parameters?: LawOptions['parameters']
}

/** The attribute with the logarithm of the sum of a target's weights. */
const total = 'totalWeight'

/**
 * `sum_j exp(score_ij) value_ij / sum_j exp(score_ij)` for each target. No score overflows: one pass finds the logarithm of
 * the sum of the weights, and another the mean. A target without sources gets 0.
 *
 * @returns `value`, `[targets, expressions]`, and as in a report, `notes` if numbers are not finite
 * @throws {@link ExpressionError}, TypeError, RangeError
 * @example
 * const { value } = await weightedMean(engine, { score: '-r2/2', value: 'height_j' }, points)
 */
export async function weightedMean<P extends Precision>(
  engine: Engine<P>,
  options: WeightedMeanOptions,
  given: Particles,
): Promise<{ readonly value: Floats<P>; readonly notes?: readonly string[] }> {
  requireEngine(engine)
  if (!hasNames(options)) throw unexpected('options of weightedMean', 'an object with score and value', options)
  const { score, value, parameters = {}, ...domain } = options
  if (typeof score !== 'string') throw unexpected('score', 'one expression', score)
  const texts = typeof value === 'string' ? [value] : Object.values(hasNames(value) ? value : {})
  if (texts.length === 0) throw unexpected('value', 'an expression, or several by name', value)
  // Both passes take the numbers of the call.
  const particles = deepCopy(given)
  const logarithms = await engine.run(reduce('logsumexp', pairTerm(score, { parameters })(), domain), particles)
  // The logarithm is not finite for a target without sources.
  const totals = Float64Array.from(logarithms.value, (log) => (Number.isFinite(log) ? log : 0))
  const weight = `exp(score - ${total}_i); score = ${score}`
  const terms = [weight, ...texts.map((text) => `weight*worth; worth = ${text}; weight = ${weight}`)]
  const term = pairTerm(Object.fromEntries(terms.map((text, n) => [`term${n}`, text])), { parameters })
  const { targets } = particles as { readonly targets?: object }
  const withTotals = targets
    ? { ...particles, targets: { ...targets, [total]: totals } }
    : { ...particles, [total]: totals }
  const { value: sums, report } = await engine.run(sum(term(), domain), withTotals as Particles)
  // Rounding of the logarithm cancels: it is in the sum of the weights, too.
  const means = sums.filter((_, n) => n % terms.length > 0)
  const weightOf = (n: number) => sums[Math.floor(n / texts.length) * terms.length] as number
  const notes = logarithms.report.notes ?? report.notes
  const mean = means.map((sum, n) => (weightOf(n) === 0 ? 0 : sum / weightOf(n))) as Floats<P>
  return { value: mean, ...(notes && { notes }) }
}
