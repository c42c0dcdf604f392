/**
 * Means over sources, weighted with the exponential of a score: attention, softmax, kernel regression.
 *
 * @module
 */
import { hasNames, unexpected } from '../../ground/checks.ts'
import { deepCopy } from '../../ground/deep-copy.ts'
import type { Floats, Precision } from '../../ground/precision.ts'
import { type LawOptions, pairTerm } from '../../problem/interactions/define.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { isVectorTerm, vectorsOf } from '../../problem/interactions/vectors.ts'
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
  // All passes take the numbers of the call.
  const particles = deepCopy(given)
  const lawOf = (texts: readonly string[]) =>
    pairTerm(Object.fromEntries(texts.map((text, n) => [`term${n}`, text])), { parameters })()
  const ofScore = pairTerm(score, { parameters })()
  const free = freeNames([score, ...texts, ...Object.keys(parameters), ...arraysIn(particles)])
  const [total, weight] = [free('totalWeight'), free('weight')]
  const [logarithm, worth] = [free('score'), free('worth')]
  const ofWeight = `exp(${logarithm} - ${total}_i); ${logarithm} = ${score}`
  const weighted = texts.map((text) => `${weight}*${worth}; ${worth} = ${text}; ${weight} = ${ofWeight}`)
  const ofValues = lawOf(weighted)
  // A vector has a pass of its own.
  const passes = isVectorTerm(ofValues) ? [lawOf([ofWeight]), ofValues] : [lawOf([ofWeight, ...weighted])]
  const pointsOf = (law: Interaction) => pointsFor(law, particles, vectorsIn(ofValues))
  const logarithms = await engine.run(reduce('logsumexp', ofScore, domain), pointsOf(ofScore))
  // The logarithm is not finite for a target without sources.
  const totals = Float64Array.from(logarithms.value, (log) => (Number.isFinite(log) ? log : 0))
  const sums: Floats<P>[] = []
  let notes = logarithms.report.notes
  for (const law of passes) {
    const points = pointsOf(law) as { readonly targets?: object }
    const { targets } = points
    const withTotals = targets
      ? { ...points, targets: { ...targets, [total]: totals } }
      : { ...points, [total]: totals }
    const { value, report } = await engine.run(sum(law, domain), withTotals as TermParticles)
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

/** Gives names that no text has. */
function freeNames(texts: readonly string[]): (name: string) => string {
  const taken = new Set(texts.flatMap((text) => text.match(/[A-Za-z]\w*/g) ?? []))
  const isTaken = (name: string) => [name, `${name}_i`, `${name}_j`].some((one) => taken.has(one))
  return (name) => {
    let free = name
    for (let n = 2; isTaken(free); n++) free = `${name}${n}`
    return free
  }
}

/** The names in the points, and in the sets of points. */
const arraysIn = (particles: unknown): readonly string[] =>
  hasNames(particles)
    ? [...Object.keys(particles), ...Object.values(particles).flatMap((set) => (hasNames(set) ? Object.keys(set) : []))]
    : []

const vectorsIn = (law: Interaction): readonly string[] => vectorsOf(law)?.groups.flat() ?? []

/** The points as a law of one pass takes them: without the vectors of another pass, and without a count if it reads no vector itself. */
function pointsFor(law: Interaction, given: TermParticles, ofAll: readonly string[]): TermParticles {
  const read = vectorsIn(law)
  const others = read.length > 0 ? ofAll.filter((name) => !read.includes(name)) : [...ofAll, 'count']
  const without = (set: unknown) =>
    hasNames(set) ? Object.fromEntries(Object.entries(set).filter(([name]) => !others.includes(name))) : set
  if (ofAll.length === 0 || !hasNames(given)) return given
  if (!('targets' in given)) return without(given) as TermParticles
  return Object.fromEntries(Object.entries(given).map(([side, set]) => [side, without(set)])) as TermParticles
}
