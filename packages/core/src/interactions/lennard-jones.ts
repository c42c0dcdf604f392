/**
 * The 12-6 Lennard-Jones interaction with the two usual mixing rules.
 *
 * @module
 */
import { oneOf, onlyNamed } from '../checks.ts'
import { pairPotential } from './define.ts'
import type { Interaction, Law, Sampling } from './interaction.ts'

const energy = '4*epsilon*((sigma/r)^12 - (sigma/r)^6); epsilon = sqrt(epsilon_i)*sqrt(epsilon_j)'
const sampling: Sampling = { r: [0.7, 4], sigma: [0.8, 1.2], epsilon: [0.1, 2], mass: [0.5, 5] }

/** How to mix sigma of unlike particles. Both rules use the geometric mean for epsilon. */
export type MixingRule = 'lorentz-berthelot' | 'geometric'

const rules: Readonly<Record<MixingRule, Law<never>>> = {
  'lorentz-berthelot': pairPotential(`${energy}; sigma = (sigma_i + sigma_j)/2`, {
    name: 'lennard-jones',
    inertia: 'mass',
    sampling,
  }),
  geometric: pairPotential(`${energy}; sigma = sqrt(sigma_i)*sqrt(sigma_j)`, {
    name: 'lennard-jones-geometric',
    inertia: 'mass',
    sampling,
  }),
}

/**
 * Van der Waals attraction with a steep core: minimum `-epsilon` at `r = 2^(1/6) sigma`.
 *
 * `u = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)`, with `epsilon = sqrt(epsilon_i epsilon_j)` and `sigma` the arithmetic
 * (Lorentz-Berthelot) or geometric mean.
 *
 * @unit any consistent system; `sigma` is a length, `epsilon` an energy >= 0
 * @reads `sigma`, `epsilon`; accelerations also `mass`
 * @source J. E. Jones, Proc. R. Soc. Lond. A 106 (1924) 463; mixing: H. A. Lorentz 1881, D. Berthelot 1898
 */
export function lennardJones(options: { readonly mixing?: MixingRule } = {}): Interaction {
  const { mixing = 'lorentz-berthelot' } = onlyNamed(options, 'option of lennardJones', ['mixing'])
  return rules[oneOf(mixing, 'mixing', Object.keys(rules) as MixingRule[])]()
}

/** Both forms as laws, for tests that sample them. */
export const lennardJonesLaws: readonly Law<never>[] = Object.values(rules)
