/**
 * Newtonian gravity with Plummer softening.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * Gravity between point masses: attractive, softened at short range.
 *
 * `u = -G m_i m_j / sqrt(r^2 + softening^2)`, so `a_i = G sum_j m_j (x_j - x_i) / (r^2 + softening^2)^(3/2)`.
 *
 * @unit any consistent system; `G` defaults to 1; `softening` is a length, >= 0
 * @reads `mass`
 * @source H. C. Plummer, "On the problem of distribution in globular star clusters", MNRAS 71 (1911) 460
 * @throws RangeError if `softening` is negative or a parameter is not finite
 */
export const gravity: Law<'G' | 'softening'> = pairPotential('-G*mass_i*mass_j/sqrt(r2 + softening^2)', {
  name: 'gravity',
  inertia: 'mass',
  parameters: { G: 1, softening: 0 },
  minimum: { softening: 0 },
  sampling: { r: [0.05, 20], mass: [-2, 5], G: [0.1, 10], softening: [0, 1] },
})
