/**
 * Whether coincident points have a term. Every backend, the reference and error analysis follow this rule:
 *
 * A coincident pair contributes its term if that is finite for the numbers of this pair, and nothing otherwise.
 *
 * Most laws are finite for all pairs, like softened gravity, or for none, like gravity, so most runs decide nothing per pair
 * ({@link Guard}). A sum loses nothing if it leaves out terms that vanish with the displacement, like radial forces.
 *
 * @module
 */
import { evaluate, evaluateInSteps } from '../../expression/evaluate.ts'
import { type Expr, isConstant, symbolsOf } from '../../expression/nodes.ts'
import type { Precision } from '../../precision.ts'
import { ruleOf } from '../../reductions/table.ts'
import { Remembered } from '../../remember.ts'
import { largest, smallest } from '../numbers/number-range.ts'
import { termIn } from '../numbers/units.ts'
import { expressionsIn, type Term } from '../quantity.ts'
import type { Dimension, PairWorkload } from '../workload.ts'
import { anyOf, type Condition, partsOf } from './conditions.ts'
import { atContact, contact, type Format, infiniteAbove, readsAttribute, singularWhen } from './singular-condition.ts'

type Parameters = Readonly<Record<string, number>>

/**
 * Which coincident pairs a loop leaves out: none, all, or those whose own numbers make the term infinite or NaN
 * (`singularPairs`).
 */
export type Guard = boolean | 'per-pair'

/** The guard of a run. A reduction that reads no terms needs none. */
export function guardOf(workload: PairWorkload, dimension: Dimension, parameters: Parameters): Guard {
  const { termless, linear = false } = ruleOf(workload)
  if (termless) return false
  const shape = Object.hasOwn(parameters, 'lengthUnit') ? ({ dimension, scaled: true } as const) : { dimension }
  return guardOfTerm(termIn(workload, shape), parameters, { linear, nonzero: neverZero(workload) })
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

/** The guard of a term with the parameters of a run. */
export function guardOfTerm(term: Term, parameters: Parameters, { linear, nonzero = [] }: TermUse): Guard {
  if (!(linear && vanishes(term))) return singularIn(term, parameters, nonzero)
  // The loop multiplies 0 by the rest of the term, so no step of this may leave the range of float32.
  const bounded = (attributes: number) =>
    expressionsIn(term).every((e) => isSmall(evaluateInSteps(e, touching(e, parameters, attributes), inFloat32)))
  return !(bounded(1) && bounded(0)) || singularIn(term, parameters, nonzero) !== false
}

/** Whether a term is 0 for all coincident points for which it is finite. */
const vanishes = (term: Term): boolean =>
  term.form === 'radial' || vanishing.of(term, () => term.components.every((e) => isConstant(atContact(e), 0)))

const vanishing = new Remembered<Term, boolean>()

function touching(e: Expr, parameters: Parameters, attributes: number): Parameters {
  const values: Record<string, number> = { ...parameters, ...contact }
  for (const name of symbolsOf(e)) values[name] ??= attributes
  return values
}

const isSmall = (x: number): boolean => Math.abs(x) < infiniteAbove

/** Without digits, which do not matter here. */
function inFloat32(x: number): number {
  if (Math.abs(x) > infiniteAbove) return x * Number.POSITIVE_INFINITY
  return Math.abs(x) < smallest ? 0 : x
}

const formats: Readonly<Record<Precision, Format>> = {
  f32: { least: smallest, most: largest },
  f64: { least: 2 ** -1022, most: Number.MAX_VALUE },
}

const conditions = new Remembered<Term, Condition>()

function conditionOf(term: Term, precision: Precision, nonzero: readonly string[]): Condition {
  const derive = () => singularWhen(expressionsIn(term), { ...formats[precision], nonzero })
  return conditions.of(term, derive, [precision, ...nonzero].join())
}

/** Whether the term is singular for no, all or some attributes. Parameters decide alone for most laws. */
function singularIn(term: Term, parameters: Parameters, nonzero: readonly string[]): Guard {
  const condition = conditionOf(term, 'f32', nonzero)
  if (typeof condition === 'boolean') return condition
  if (!readsAttribute(condition)) return evaluate(condition, { ...contact, ...parameters }) !== 0
  if (![...symbolsOf(condition)].some((name) => Object.hasOwn(parameters, name))) return 'per-pair'
  const ofRun = singularWhen(expressionsIn(term), { ...formats.f32, nonzero, parameters })
  return typeof ofRun === 'boolean' ? ofRun : 'per-pair'
}

/**
 * The condition that a guard per pair needs: whether the term of a coincident pair is not finite in a precision. It reads
 * attributes and parameters. With such a guard, no condition on parameters alone holds.
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
