/**
 * The Buckingham exp-6 interaction.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * Exponential repulsion with r^-6 attraction, common for ionic solids; it falls to minus infinity at r = 0.
 *
 * `u = A exp(-B r) - C / r^6`
 *
 * @unit any consistent system; `A` is an energy, `B` an inverse length, `C` an energy times length^6
 * @reads nothing; accelerations `mass`
 * @source R. A. Buckingham, Proc. R. Soc. Lond. A 168 (1938) 264
 */
export const buckingham: Law<'A' | 'B' | 'C'> = pairPotential('A*exp(-B*r) - C/r^6', {
  name: 'buckingham',
  inertia: 'mass',
  parameters: { A: 1000, B: 4, C: 1 },
  sampling: { r: [0.6, 5], A: [100, 2000], B: [2, 5], C: [0.1, 2], mass: [0.5, 5] },
})
