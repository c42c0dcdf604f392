/**
 * The 12-6 Lennard-Jones interaction with the two usual mixing rules.
 *
 * @module
 */
import { oneOf, onlyNamed, unexpected } from '../../ground/checks.ts'
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

/** Atoms of one kind. */
const alike = pairPotential('4*epsilon*((sigma/r)^12 - (sigma/r)^6)', {
  name: 'lennard-jones-alike',
  inertia: 'mass',
  parameters: { epsilon: 1, sigma: 1 },
  minimum: { epsilon: 0, sigma: Number.MIN_VALUE },
  sampling,
})

export interface LennardJonesOptions {
  /** For atoms with their own `sigma` and `epsilon`: `'lorentz-berthelot'` by default. */
  readonly mixing?: MixingRule
  /** For atoms of one kind: both numbers. */
  readonly epsilon?: number
  readonly sigma?: number
}

/**
 * Van der Waals attraction with a steep core: minimum `-epsilon` at `r = 2^(1/6) sigma`.
 *
 * `u = 4 epsilon ((sigma/r)^12 - (sigma/r)^6)`. Atoms have their own `sigma` and `epsilon`. A pair has
 * `epsilon = sqrt(epsilon_i epsilon_j)` and the arithmetic (Lorentz-Berthelot) or geometric mean of `sigma`. If all atoms are
 * alike, give the two numbers instead. This is faster, and reads neither attribute.
 *
 * @unit any consistent system; `sigma` is a length > 0, `epsilon` an energy >= 0
 * @reads `sigma`, `epsilon` unless they are given; accelerations also `mass`
 * @source J. E. Jones, Proc. R. Soc. Lond. A 106 (1924) 463; mixing: H. A. Lorentz 1881, D. Berthelot 1898
 * @throws TypeError, RangeError if only one number is given, or a mixing rule with both
 */
export function lennardJones(options: LennardJonesOptions = {}): Interaction {
  const { mixing, epsilon, sigma } = onlyNamed(options, 'option of lennardJones', ['mixing', 'epsilon', 'sigma'])
  if (epsilon === undefined && sigma === undefined)
    return rules[
      oneOf(mixing === undefined ? 'lorentz-berthelot' : mixing, 'mixing', Object.keys(rules) as MixingRule[])
    ]()
  if (mixing !== undefined)
    throw unexpected('mixing', 'nothing, because atoms of one sigma and epsilon are not mixed', mixing)
  if (epsilon === undefined || sigma === undefined)
    throw new TypeError(
      '"epsilon" and "sigma" expected both numbers, or neither for atoms that have their own, got one',
    )
  return alike({ epsilon, sigma })
}

/** All forms as laws, for tests. */
export const lennardJonesLaws: readonly Law<never>[] = [...Object.values(rules), alike as unknown as Law<never>]
