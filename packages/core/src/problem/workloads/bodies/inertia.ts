/**
 * Accelerations as sums of forces that are divided by the inertia of each target at the end.
 *
 * Two points accelerate each other by `mass_j*f` and `mass_i*f`, but the force `mass_i*mass_j*f` is the same for both. So a loop
 * that visits each pair once computes one vector instead of two. The division needs an inertia other than 0.
 *
 * Forces are in units of `inertiaUnit`, a power of two that no inertia exceeds. Then no force exceeds the acceleration.
 *
 * @module
 */
import { type Expr, power, product, symbol } from '../../../language/nodes.ts'
import { factor } from '../../../language/simplify.ts'
import { isShared } from '../../interactions/parse-interaction.ts'
import { lawFact } from '../law-facts.ts'
import type { Dimension, PairWorkload } from '../workload.ts'

/** Terms in the loop, and the factor that multiplies each sum at the end. */
export interface Divided {
  readonly terms: readonly Expr[]
  readonly scale: Expr | undefined
}

/** Whether the inertia of a target has no influence on its acceleration, as in gravity. */
export function cancelsInertia(workload: PairWorkload, dimension: Dimension): boolean {
  const { law, quantity } = workload
  if (quantity !== 'acceleration' || law.inertia === undefined) return false
  return !lawFact('reads', workload, { dimension, vectors: [] }).targets.includes(law.inertia)
}

/** The forces for terms that are accelerations; undefined if the two points do not share their force. */
export function dividedByInertia({ law }: PairWorkload, accelerations: readonly Expr[]): Divided | undefined {
  const inertia = symbol(`${law.inertia}_i`)
  const unit = symbol('inertiaUnit')
  const terms = accelerations.map((e) => factor(product(e, inertia, power(unit, -1))))
  if (!terms.every((e) => isShared(e, law.tables))) return undefined
  return { terms, scale: product(unit, power(inertia, -1)) }
}
