/**
 * Whether coincident points have a term. Every backend, the reference and error analysis follow this rule:
 *
 * A coincident pair contributes its term if the term is finite for the numbers of this pair, and nothing otherwise.
 *
 * Most laws are finite for all pairs, like softened gravity, or for none, like gravity, so most runs decide nothing per pair
 * ({@link Guard}). A {@link GuardRule} decides by the parameters of a run. A sum loses nothing if it leaves out terms that vanish with
 * the displacement, like radial forces.
 *
 * @module
 */

import type { Precision } from '../../../ground/precision.ts'
import { Remembered } from '../../../ground/remember.ts'
import { isVector } from '../../../language/fold-names.ts'
import { isOfStep } from '../../../language/lookups.ts'
import { isConstant, symbolsOf } from '../../../language/nodes.ts'
import { tapeOf } from '../../../language/write-tape.ts'
import { isVectorTerm, vectorsOf } from '../../interactions/vectors.ts'
import { isTermless, ruleOf } from '../../reductions/table.ts'
import { largest, smallest } from '../numbers/number-range.ts'
import { parametersOf } from '../parameters.ts'
import { expressionsIn, type Term } from '../quantity.ts'
import type { Dimension, PairWorkload, Shape, Workload } from '../workload.ts'
import { anyOf, type Condition, partsOf } from './conditions.ts'
import { type Guard, type GuardRule, guardBy, type Parameters } from './guard.ts'
import { termIn } from './scaled-term.ts'
import { atContact, type Format, readsAttribute, singularWhen } from './singular-condition.ts'

/** The guard that a run needs, by default with the parameters of the workload. */
export function needsGuard(
  workload: Workload,
  dimension: Dimension,
  parameters: Parameters = parametersOf(workload),
): Guard {
  const scaled = Object.hasOwn(parameters, 'lengthUnit')
  return guardBy(guardRule(workload, scaled ? { dimension, scaled } : { dimension }), parameters)
}

type PairSpace = Pick<Shape, 'dimension' | 'scaled'>

/** The rule of a workload. Loops that read no terms need no guard. */
export function guardRule(workload: Workload, shape: PairSpace): GuardRule {
  const parameters = { ...parametersOf(workload), ...(shape.scaled && { lengthUnit: 1 }) }
  if (workload.loop !== 'pair') return { parameters, singular: false, perPair: false }
  const { linear = false } = ruleOf(workload)
  const vectors = vectorsOf(workload.law)
  // Points of vectors alone have no positions that could coincide.
  if (isTermless(workload) || (vectors && !vectors.displaced)) return { parameters, singular: false, perPair: false }
  return { ...guardRuleOfTerm(termIn(workload, shape), { linear, nonzero: neverZero(workload) }), parameters }
}

/** Attributes of the target that are never 0, because divisors of accelerations are checked. */
export function neverZero({ quantity, law }: PairWorkload): readonly string[] {
  return quantity === 'acceleration' && law.inertia !== undefined ? [law.inertia] : []
}

export interface TermUse {
  /** Whether terms are added up. */
  readonly linear: boolean
  readonly nonzero?: readonly string[]
}

/** The rule of a term without parameters. */
export function guardRuleOfTerm(term: Term, { linear, nonzero = [] }: TermUse): GuardRule {
  const condition = conditionOf(term, 'f32', nonzero)
  const parts = typeof condition === 'boolean' ? [] : partsOf('or', condition)
  // A sum loses nothing if it leaves out what vanishes, and need not look at the step of a function at contact.
  const stepped = linear && parts.some((c) => [...symbolsOf(c)].some(isOfStep)) && vanishes(term)
  if (stepped) return { parameters: {}, singular: true, perPair: false }
  const ofRun = parts.filter((c) => !readsAttribute(c))
  return {
    parameters: {},
    ...(linear && vanishes(term) && { bounded: tapeOf(expressionsIn(term)) }),
    singular: condition === true || (ofRun.length > 0 && tapeOf(ofRun)),
    perPair: parts.some(readsAttribute),
  }
}

/** Whether the term of coincident points is 0 wherever it is finite. */
const vanishes = (term: Term): boolean =>
  term.form === 'radial' || vanishing.of(term, () => term.components.every((e) => isConstant(atContact(e), 0)))

const vanishing = new Remembered<Term, boolean>()

const formats: Readonly<Record<Precision, Format>> = {
  f32: { least: smallest, most: largest },
  f64: { least: 2 ** -1022, most: Number.MAX_VALUE },
}

const conditions = new Remembered<Term, Condition>()

function conditionOf(term: Term, precision: Precision, nonzero: readonly string[]): Condition {
  const derive = () => singularWhen(expressionsIn(term), { ...formats[precision], nonzero })
  return conditions.of(term, derive, [precision, ...nonzero].join())
}

/**
 * The condition of a guard per pair: whether the term of a coincident pair is not finite in a precision. It reads attributes and
 * parameters. With such a guard, no condition on parameters alone holds.
 */
export function singularPairs(term: Term, precision: Precision, nonzero: readonly string[] = []): Condition {
  const condition = conditionOf(term, precision, nonzero)
  if (typeof condition === 'boolean') return condition
  return anyOf(
    ...partsOf('or', condition)
      .filter(readsAttribute)
      .map((c) => atContact(c)),
  )
}

/** Whether a guard per pair reads components of a term that is a vector. No pair has them as numbers. */
export function guardReadsVector(workload: PairWorkload, shape: PairSpace, precision: Precision): boolean {
  if (!isVectorTerm(workload.law)) return false
  const condition = singularPairs(termIn(workload, shape), precision, neverZero(workload))
  return typeof condition !== 'boolean' && [...symbolsOf(condition)].some(isVector)
}
