/**
 * The electrostatic interaction of point charges.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * Coulomb's law: equal signs repel.
 *
 * `u = k q_i q_j / r`
 *
 * @unit any consistent system; `k` defaults to 1 (Gaussian units); 138.935458 for kJ/mol, nm and elementary charges
 * @reads `charge`; accelerations also `mass`
 * @source C. A. de Coulomb, 1785; the constant from CODATA 2018, 1/(4 pi epsilon_0)
 */
export const coulomb: Law<'k'> = pairPotential('k*charge_i*charge_j/r', {
  name: 'coulomb',
  inertia: 'mass',
  parameters: { k: 1 },
  sampling: { r: [0.05, 20], charge: [-2, 2], mass: [0.5, 5], k: [0.1, 140] },
})
