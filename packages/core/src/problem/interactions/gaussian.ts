/**
 * A soft Gaussian interaction, finite at every distance.
 *
 * @module
 */
import { pairPotential } from './define.ts'
import type { Law } from './interaction.ts'

/**
 * A Gaussian hill between weighted points: positive `height` times weights repels. Also the Gaussian kernel of
 * statistics: `potentials(gaussian())` are kernel density sums.
 *
 * `u = height weight_i weight_j exp(-r^2 / (2 width^2))`
 *
 * @unit any consistent system; `height` is an energy, `width` a length, not 0
 * @reads `weight`; accelerations also `mass`
 * @source F. H. Stillinger, J. Chem. Phys. 65 (1976) 3968 (the Gaussian core model)
 */
export const gaussian: Law<'height' | 'width'> = pairPotential('height*weight_i*weight_j*exp(-r2/(2*width^2))', {
  name: 'gaussian',
  inertia: 'mass',
  parameters: { height: 1, width: 1 },
  minimum: { width: Number.MIN_VALUE },
  sampling: { r: [0.01, 5], height: [-2, 2], width: [0.3, 2], weight: [-1, 2], mass: [0.5, 5] },
})
