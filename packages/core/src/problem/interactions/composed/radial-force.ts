/**
 * The force of an energy of the distance, derived in one place.
 *
 * @module
 */
import { productOf } from '../../../language/canonical.ts'
import { differentiate } from '../../../language/differentiate.ts'
import { constant, type Expr } from '../../../language/nodes.ts'

/** The force on the target divided by the displacement d: F = 2 du/d(r2) d. */
export const radialForce = (energy: Expr): Expr => productOf([constant(2), differentiate(energy, 'r2')])
