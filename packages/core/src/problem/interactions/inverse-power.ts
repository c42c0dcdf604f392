/**
 * Softened inverse powers of the distance: soft spheres, and the repulsion of graph layouts.
 *
 * @module
 */
import { onlyNamed, positive } from '../../ground/checks.ts'
import { pairPotential } from './define.ts'
import type { Interaction, Law } from './interaction.ts'

/**
 * The law for one exponent. The exponent is part of the formula, so that it compiles to products and roots.
 *
 * @throws TypeError, RangeError
 */
export function inversePowerLaw(exponent: number): Law<'strength' | 'softening'> {
  positive(exponent, 'exponent')
  return pairPotential(`strength*weight_i*weight_j/(r2 + softening^2)^(${exponent}/2)`, {
    name: `inverse-power-${exponent}`,
    inertia: 'mass',
    parameters: { strength: 1, softening: 0 },
    minimum: { softening: 0 },
    sampling: { r: [0.2, 10], strength: [-2, 2], softening: [0, 1], weight: [0.1, 2], mass: [0.5, 5] },
  })
}

/**
 * An energy that falls with a power of the distance; positive `strength` repels.
 *
 * `u = strength weight_i weight_j / (r^2 + softening^2)^(exponent/2)`
 *
 * @unit any consistent system; `softening` is a length, >= 0; `exponent` > 0 has no unit
 * @reads `weight`; accelerations also `mass`
 * @source W. G. Hoover et al., J. Chem. Phys. 52 (1970) 4931 (soft spheres)
 */
export function inversePower(
  options: { readonly exponent?: number; readonly strength?: number; readonly softening?: number } = {},
): Interaction {
  const known = ['exponent', 'strength', 'softening']
  const { exponent = 2, ...parameters } = onlyNamed(options, 'option of inversePower', known)
  return inversePowerLaw(exponent)(parameters)
}
