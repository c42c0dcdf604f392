/**
 * The screened Coulomb interaction.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * Yukawa (Debye-Hueckel) interaction: Coulomb's law with exponential screening; equal signs repel for `k > 0`.
 *
 * `u = k q_i q_j exp(-kappa r) / r`
 *
 * @unit any consistent system; `kappa` is an inverse length, >= 0
 * @reads `charge`; accelerations also `mass`
 * @source H. Yukawa, Proc. Phys.-Math. Soc. Japan 17 (1935) 48
 */
export const yukawa: Law<'k' | 'kappa'> = pairPotential('k*charge_i*charge_j*exp(-kappa*r)/r', {
  name: 'yukawa',
  inertia: 'mass',
  parameters: { k: 1, kappa: 1 },
  minimum: { kappa: 0 },
  sampling: { r: [0.05, 10], charge: [-2, 2], mass: [0.5, 5], k: [0.1, 10], kappa: [0, 2] },
})
