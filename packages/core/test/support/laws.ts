/**
 * Every built-in law with a radial force, with its energy and slope written out by hand.
 *
 * @module
 */
import { buckingham } from '../../src/problem/interactions/buckingham.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { gaussian } from '../../src/problem/interactions/gaussian.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Law } from '../../src/problem/interactions/interaction.ts'
import { inversePowerLaw } from '../../src/problem/interactions/inverse-power.ts'
import { lennardJonesLaws } from '../../src/problem/interactions/lennard-jones.ts'
import { morse } from '../../src/problem/interactions/morse.ts'
import { yukawa } from '../../src/problem/interactions/yukawa.ts'
import { between } from './random.ts'

/** Numbers by name: parameters, attributes as `mass_i`, and `r`. */
export type Sample = Readonly<Record<string, number>>

export interface RadialLaw {
  readonly law: Law
  /** The energy u(r), as terms to be added: their sizes tell how exact a right result can be. */
  readonly energy: (s: Sample) => readonly number[]
  /** The slope u'(r), likewise. */
  readonly slope: (s: Sample) => readonly number[]
}

const { exp, sqrt } = Math
const n = (s: Sample, name: string): number => s[name] as number
const product = (s: Sample, attribute: string) => n(s, `${attribute}_i`) * n(s, `${attribute}_j`)
const r = (s: Sample) => n(s, 'r')

const lennardJones = (
  sigma: (s: Sample) => number,
  epsilon = (s: Sample) => sqrt(product(s, 'epsilon')),
): Omit<RadialLaw, 'law'> => {
  const four = (s: Sample) => 4 * epsilon(s)
  return {
    energy: (s) => [four(s) * (sigma(s) / r(s)) ** 12, -four(s) * (sigma(s) / r(s)) ** 6],
    slope: (s) => [(-12 * four(s) * sigma(s) ** 12) / r(s) ** 13, (6 * four(s) * sigma(s) ** 6) / r(s) ** 7],
  }
}

const inversePower = (exponent: number): RadialLaw => {
  const scale = (s: Sample) => n(s, 'strength') * product(s, 'weight')
  const square = (s: Sample) => r(s) ** 2 + n(s, 'softening') ** 2
  return {
    law: inversePowerLaw(exponent),
    energy: (s) => [scale(s) * square(s) ** (-exponent / 2)],
    slope: (s) => [-exponent * scale(s) * r(s) * square(s) ** (-exponent / 2 - 1)],
  }
}

const [lorentz, geometric, alike] = lennardJonesLaws as readonly [Law, Law, Law]
const decay = (s: Sample) => exp(-n(s, 'width') * (r(s) - n(s, 'distance')))

export const radialLaws: readonly RadialLaw[] = [
  {
    law: gravity,
    energy: (s) => [(-n(s, 'G') * product(s, 'mass')) / sqrt(r(s) ** 2 + n(s, 'softening') ** 2)],
    slope: (s) => [(n(s, 'G') * product(s, 'mass') * r(s)) / (r(s) ** 2 + n(s, 'softening') ** 2) ** 1.5],
  },
  {
    law: coulomb,
    energy: (s) => [(n(s, 'k') * product(s, 'charge')) / r(s)],
    slope: (s) => [(-n(s, 'k') * product(s, 'charge')) / r(s) ** 2],
  },
  { law: lorentz, ...lennardJones((s) => (n(s, 'sigma_i') + n(s, 'sigma_j')) / 2) },
  { law: geometric, ...lennardJones((s) => sqrt(product(s, 'sigma'))) },
  {
    law: alike,
    ...lennardJones(
      (s) => n(s, 'sigma'),
      (s) => n(s, 'epsilon'),
    ),
  },
  {
    law: yukawa,
    energy: (s) => [(n(s, 'k') * product(s, 'charge') * exp(-n(s, 'kappa') * r(s))) / r(s)],
    slope: (s) => {
      const size = -n(s, 'k') * product(s, 'charge') * exp(-n(s, 'kappa') * r(s))
      return [size / r(s) ** 2, (size * n(s, 'kappa')) / r(s)]
    },
  },
  {
    law: morse,
    energy: (s) => [n(s, 'depth') * (1 - decay(s)) ** 2, -n(s, 'depth')],
    slope: (s) => {
      const size = 2 * n(s, 'depth') * n(s, 'width') * decay(s)
      return [size, -size * decay(s)]
    },
  },
  {
    law: buckingham,
    energy: (s) => [n(s, 'A') * exp(-n(s, 'B') * r(s)), -n(s, 'C') / r(s) ** 6],
    slope: (s) => [-n(s, 'A') * n(s, 'B') * exp(-n(s, 'B') * r(s)), (6 * n(s, 'C')) / r(s) ** 7],
  },
  {
    law: gaussian,
    energy: (s) => [n(s, 'height') * product(s, 'weight') * exp(-(r(s) ** 2) / (2 * n(s, 'width') ** 2))],
    slope: (s) => {
      const energy = n(s, 'height') * product(s, 'weight') * exp(-(r(s) ** 2) / (2 * n(s, 'width') ** 2))
      return [(-energy * r(s)) / n(s, 'width') ** 2]
    },
  },
  ...[1, 2, 3, 6].map(inversePower),
]

/** A number for every symbol of a law, from the ranges that it gives. */
export function sampleOf(law: Law, next: () => number): Sample {
  const values: Record<string, number> = {}
  for (const [name, [from, to]] of Object.entries(law.sampling)) {
    const own = name === 'r' || name in law.defaults
    for (const symbol of own ? [name] : [`${name}_i`, `${name}_j`]) values[symbol] = between(next, from, to)
  }
  return values
}

/** Those of a sample that are parameters of the law. */
export function parametersIn(law: Law, sample: Sample): Record<string, number> {
  return Object.fromEntries(Object.entries(sample).filter(([name]) => name in law.defaults))
}
