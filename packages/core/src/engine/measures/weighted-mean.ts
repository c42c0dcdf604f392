/**
 * Means over sources, weighted with the exponential of a score: attention, softmax, kernel regression.
 *
 * @module
 */
import { hasNames, unexpected } from '../../ground/checks.ts'
import { deepCopy } from '../../ground/deep-copy.ts'
import type { Floats, Precision } from '../../ground/precision.ts'
import { type LawOptions, pairTerm } from '../../problem/interactions/define.ts'
import { isVectorTerm } from '../../problem/interactions/vectors.ts'
import type { DomainOptions } from '../../problem/workloads/domain.ts'
import { reduce, sum } from '../../problem/workloads/pair.ts'
import type { TermParticles } from '../../problem/workloads/particles.ts'
import type { Engine } from '../engine.ts'
import { requireEngine } from './require-engine.ts'

export interface WeightedMeanOptions extends Omit<DomainOptions, 'switchDistance' | 'shift'> {
  /** The logarithm of the weight of a pair, as an expression: `'-r2/(2*width^2)'`. */
  readonly score: string
  /** The averaged value: an expression, or several by name. One expression may be a vector: `'vector(v_j)'`. */
  readonly value: string | Readonly<Record<string, string>>
  readonly parameters?: LawOptions['parameters']
}

/** The attribute with the logarithm of the sum of a target's weights. */
const total = 'totalWeight'

/**
 * `sum_j exp(score_ij) value_ij / sum_j exp(score_ij)` for each target. No score overflows: one pass finds the logarithm of
 * the sum of the weights, and another the mean. A target without sources gets 0.
 *
 * @returns `value`, `[targets, expressions]`, or `[targets, components]` of a vector, and as in a report, `notes` if numbers are not finite
 * @throws {@link ExpressionError}, TypeError, RangeError
 * @example
 * const { value } = await weightedMean(engine, { score: '-r2/2', value: 'height_j' }, points)
 */
export async function weightedMean<P extends Precision>(
  engine: Engine<P>,
  options: WeightedMeanOptions,
  given: TermParticles,
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
  const weighted = texts.map((text) => `weight*worth; worth = ${text}; weight = ${weight}`)
  const termOf = (texts: readonly string[]) =>
    pairTerm(Object.fromEntries(texts.map((text, n) => [`term${n}`, text])), { parameters })()
  const isVector = texts.length === 1 && isVectorTerm(termOf(texts))
  // A vector has a pass of its own.
  const passes = isVector ? [[weight], weighted] : [[weight, ...weighted]]
  const { targets } = particles as { readonly targets?: object }
  const withTotals = targets
    ? { ...particles, targets: { ...targets, [total]: totals } }
    : { ...particles, [total]: totals }
  const sums: Floats<P>[] = []
  let notes = logarithms.report.notes
  for (const pass of passes) {
    const { value, report } = await engine.run(sum(termOf(pass), domain), withTotals as TermParticles)
    sums.push(value)
    notes ??= report.notes
  }
  const [first, vectors] = sums as [Floats<P>, Floats<P>?]
  // Rounding of the logarithm cancels: it is in the sum of the weights, too.
  const others = vectors ? 0 : texts.length
  const weights = first.filter((_, n) => n % (others + 1) === 0)
  const means = vectors ?? first.filter((_, n) => n % (others + 1) > 0)
  const width = means.length / weights.length
  const weightOf = (n: number) => weights[Math.floor(n / width)] as number
  const mean = means.map((sum, n) => (weightOf(n) === 0 ? 0 : sum / weightOf(n))) as Floats<P>
  return { value: mean, ...(notes && { notes }) }
}
