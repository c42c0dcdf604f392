/** The laws for judging trees, over sources of unit weight unless they have signs. */

import {
  accelerations,
  biotSavart,
  coulomb,
  forces,
  gaussian,
  gravity,
  inversePower,
  type PairWorkload,
  pairPotential,
  pairTerm,
  potentials,
  sum,
  yukawa,
} from '@manybody/core'

/** The laws by name, for sets with a size of about 1. */
export const treeLaws: Readonly<Record<string, () => PairWorkload>> = {
  gravity: () => accelerations(gravity()),
  coulomb: () => potentials(coulomb()),
  yukawa: () => potentials(yukawa({ kappa: 4 })),
  gaussian: () => potentials(gaussian({ width: 0.2 })),
  'biot-savart': () => sum(biotSavart({ softening: 1e-3 })),
  // The law of d3-force: inversely proportional to the distance.
  layout: () => forces(pairPotential('-mass_i*mass_j*log(r)', { name: 'layout' })()),
  // This law has no known expansion.
  typed: () => sum(pairTerm('mass_j*tanh(r)*(r2 + 1e-4)^(-0.85)*(1 + dx/(2*r))', { name: 'typed' })()),
  'inverse-square': () => potentials(inversePower({ exponent: 2, softening: 1e-3 })),
  // A radial basis function of both signs, which grows with the distance.
  multiquadric: () => sum(pairTerm('charge_j*sqrt(r2 + 0.01)', { name: 'multiquadric' })()),
}

/** Laws in 3-D only, which have no meaning in a plane. */
export const spatial: readonly string[] = ['biot-savart']
