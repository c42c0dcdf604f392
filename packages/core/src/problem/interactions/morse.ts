/**
 * The Morse interaction of a chemical bond.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * An anharmonic well: minimum `-depth` at `r = distance`, zero far away.
 *
 * `u = depth ((1 - exp(-width (r - distance)))^2 - 1)`
 *
 * @unit any consistent system; `depth` is an energy, `distance` a length >= 0, `width` an inverse length
 * @reads nothing; accelerations `mass`
 * @source P. M. Morse, Phys. Rev. 34 (1929) 57
 */
export const morse: Law<'depth' | 'width' | 'distance'> = pairPotential(
  'depth*((1 - exp(-width*(r - distance)))^2 - 1)',
  {
    name: 'morse',
    inertia: 'mass',
    parameters: { depth: 1, width: 1, distance: 1 },
    minimum: { distance: 0 },
    sampling: { r: [0.3, 6], depth: [0.1, 5], width: [0.5, 3], distance: [0.5, 2], mass: [0.5, 5] },
  },
)
