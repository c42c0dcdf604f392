/**
 * Terms in another unit of length, for points that are very far apart or very close (`numbers/units.ts`).
 *
 * @module
 */
import { powerOf, productOf, sumOf } from '../../../language/canonical.ts'
import { type Expr, key, splitExponent, symbol } from '../../../language/nodes.ts'
import { factor, rebuildSums, substitute } from '../../../language/simplify.ts'
import { type Term, termOf } from '../quantity.ts'
import type { PairWorkload, Shape } from '../workload.ts'

/** The unit of length of a run, as a parameter. */
export const unit: Expr = symbol('lengthUnit')

/** The term of a workload in the unit of length of a run. If the shape is scaled, `dx dy dz r2` are in `lengthUnit`. */
export function termIn(workload: PairWorkload, { dimension, scaled }: Pick<Shape, 'dimension' | 'scaled'>): Term {
  const term = termOf(workload, dimension)
  if (!scaled) return term
  return term.form === 'radial'
    ? { form: 'radial', coefficient: inUnits(term.coefficient, true) }
    : { form: 'components', components: term.components.map((e) => inUnits(e, false)) }
}

/** @param radial whether the loop multiplies the term by the displacement, which is then in that unit, too */
function inUnits(e: Expr, radial: boolean): Expr {
  const displacements = ['dx', 'dy', 'dz'].map((d) => [d, productOf([unit, symbol(d)])] as const)
  const r2 = productOf([powerOf(unit, 2), symbol('r2')])
  const converted = substitute(e, { ...Object.fromEntries(displacements), r2 })
  return factor(rebuildSums(productOf(radial ? [unit, converted] : [converted]), sumInUnits))
}

/** Takes the unit out of a sum if all terms have the same power of it, or no unit. */
function sumInUnits(terms: readonly Expr[]): Expr {
  const [power, ...others] = new Set(terms.map(powerOfUnit).filter((n) => n !== 0))
  if (power === undefined || others.length) return sumOf(terms)
  return productOf([powerOf(unit, power), sumOf(terms.map((term) => productOf([term, powerOf(unit, -power)])))])
}

function powerOfUnit(term: Expr): number {
  const factors = term.kind === 'product' ? term.factors : [term]
  return factors.map(splitExponent).find(([base]) => key(base) === key(unit))?.[1] ?? 0
}
