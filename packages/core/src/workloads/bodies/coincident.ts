/**
 * Whether coincident points have a term. Every backend and the reference follow this rule.
 *
 * @module
 */
import { evaluate, evaluateInSteps } from '../../expression/evaluate.ts'
import { type Expr, symbolsOf } from '../../expression/nodes.ts'
import { ruleOf } from '../../reductions/table.ts'
import { Remembered } from '../../remember.ts'
import { finiteAtContact } from '../finite-at-contact.ts'
import { smallest } from '../numbers/number-range.ts'
import { termIn } from '../numbers/units.ts'
import type { Term } from '../quantity.ts'
import type { Dimension, PairWorkload } from '../workload.ts'

type Parameters = Readonly<Record<string, number>>

/** Whether a run skips coincident points: their term is singular, and the reduction reads terms. */
export function skipsCoincident(workload: PairWorkload, dimension: Dimension, parameters: Parameters): boolean {
  const shape = Object.hasOwn(parameters, 'lengthUnit') ? ({ dimension, scaled: true } as const) : { dimension }
  return !ruleOf(workload).termless && isSingular(termIn(workload, shape), parameters)
}

/** A larger number counts as infinite: float32 ends at 3.4e38, and numbers are multiplied further. */
const infiniteAbove = 1e30

/**
 * Whether coincident points have no finite term, so that such pairs contribute nothing. It is evaluated with the parameters of
 * the run and with every attribute at 1.
 *
 * A radial term must be finite for all attributes, and no step of it may leave the range of float32: loops multiply its
 * coefficient by a displacement of 0. Skipping more such pairs than necessary changes nothing.
 */
export function isSingular(term: Term, parameters: Parameters): boolean {
  if (term.form === 'components')
    return !term.components.every((e) => isSmall(evaluate(e, atContact(e, parameters, 1))))
  const { coefficient } = term
  const bounded = (attributes: number) =>
    isSmall(evaluateInSteps(coefficient, atContact(coefficient, parameters, attributes), inFloat32))
  return !(bounded(1) && bounded(0) && provenFinite.of(term, () => finiteAtContact(coefficient, { touching: true })))
}

const provenFinite = new Remembered<Term, boolean>()

function atContact(e: Expr, parameters: Parameters, attributes: number): Parameters {
  const values: Record<string, number> = { ...parameters, dx: 0, dy: 0, dz: 0, r2: 0 }
  for (const name of symbolsOf(e)) values[name] ??= attributes
  return values
}

const isSmall = (x: number): boolean => Math.abs(x) < infiniteAbove

/** Without digits, which do not matter here. */
function inFloat32(x: number): number {
  if (Math.abs(x) > infiniteAbove) return x * Number.POSITIVE_INFINITY
  return Math.abs(x) < smallest ? 0 : x
}
