// Problems with roundings that repeat or are far from random: lattices, rings, equal distances, and distances that differ only in their
// last digits. There are also sorted points, and laws that round every distance to a few numbers.

import {
  type Attributes,
  forces,
  gravity,
  nearest,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  type Workload,
  yukawa,
} from '@manybody/core'
import { Dice } from './dice.ts'

type Position = (n: number, count: number) => readonly [x: number, y: number, z: number]

/** Points by name; each call draws its own parameters. */
const shapes: Readonly<Record<string, (dice: Dice) => Position>> = {
  lattice: (dice) => {
    const spacing = dice.pick([1, 0.1, 1 / 3, 1e-3, 7])
    return (n, count) => {
      const side = Math.ceil(Math.cbrt(count))
      return [spacing * (n % side), spacing * (Math.floor(n / side) % side), spacing * Math.floor(n / side ** 2)]
    }
  },
  line: (dice) => {
    const spacing = dice.pick([1, 0.1, 0.3])
    return (n) => [spacing * n, 0, 0]
  },
  ring: (dice) => {
    const radius = dice.uniform(0.1, 10)
    return (n, count) => (n === 0 ? [0, 0, 0] : turned(radius, n / (count - 1)))
  },
  rings: (dice) => {
    const radius = dice.uniform(0.1, 10)
    return (n, count) => turned(radius * (1 + (n % 4)), n / count)
  },
  'a far cluster': (dice) => {
    const [far, size] = [10 ** dice.uniform(0, 3), 10 ** dice.uniform(-4, 0)]
    return (n) => [n === 0 ? 0 : far + size * dice.uniform(0, 1), size * dice.uniform(0, 1), size * dice.uniform(0, 1)]
  },
  'few places': (dice) => {
    const places = dice.list(dice.pick([2, 3, 10]), () => triple(dice))
    return () => dice.pick(places)
  },
  sorted: (dice) => (n, count) => [(n + dice.uniform(0, 1)) / count, dice.uniform(0, 1), dice.uniform(0, 1)],
  'many scales': (dice) => () => {
    const size = 10 ** dice.uniform(-3, 3)
    const [x, y, z] = triple(dice)
    return [size * x, size * y, size * z]
  },
  random: (dice) => () => triple(dice),
}

const triple = (dice: Dice) => [dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)] as const
const turned = (radius: number, turn: number) =>
  [radius * Math.cos(2 * Math.PI * turn), radius * Math.sin(2 * Math.PI * turn), 0] as const

const terms = [
  ...['r', '1/r2', 'mass_j*r', '0.1', '0.1*mass_j', '0.1 + 1e-9*r', '0.1 + 1e-6*r', 'sqrt(r2 + 1e6)', '1/(1e4 + r2)'],
  ...['dx', 'mass_j*dx/(1 + dx^2)', 'exp(-r2)', 'sin(30*r)', 'mass_j*log(1 + r2)', '(r2 - 1)*0.1', 'r2^3 - r2^2'],
  ...['mass_i*mass_j*cos(p*r)', 'erfc(r)/(0.1 + r)', 'select(r < 0.7, 0.1, 0.3*mass_j)', 'tanh(r) - r'],
]

/** A problem for a seed, with its name. */
export function alikePoints(seed: number): readonly [name: string, workload: Workload, particles: Attributes] {
  const dice = new Dice(seed)
  const shape = dice.pick(Object.keys(shapes))
  const count = dice.pick([2, 3, 9, 27, 64, 125, 216, 343])
  const place = (shapes[shape] as (dice: Dice) => Position)(dice)
  const few = dice.list(3, () => dice.uniform(0.2, 2))
  const value = dice.pick<() => number>([() => 0.1, () => 1, () => dice.pick(few), () => dice.uniform(0.2, 2)])
  const position = Float32Array.from(dice.list(count, (n) => place(n, count)).flat())
  const attribute = () => Float32Array.from(dice.list(count, value))
  const points = { position, ...{ mass: attribute(), sigma: attribute(), epsilon: attribute(), charge: attribute() } }
  const softening = dice.pick([0.01, 0.3, 1000])
  const text = dice.pick(terms)
  const term = pairTerm(text, { parameters: { p: dice.uniform(0.3, 3) } })()
  const domain = dice.chance(0.2) ? { boundary: periodic([10, 10, 10]), cutoff: 4.9 } : {}
  const makes: readonly (readonly [name: string, make: () => Workload])[] = [
    ...[`sum of ${text}`, `sum of ${text}`, `sum of ${text}`].map((name) => [name, () => sum(term, domain)] as const),
    ['logsumexp', () => reduce('logsumexp', dice.pick([term, pairPotential('-r2')()]), domain)],
    ['forces of gravity', () => forces(gravity({ softening }), domain)],
    ['potentials of gravity', () => potentials(gravity({ softening }), domain)],
    ['forces of a steep law', () => forces(pairPotential('(0.1 + r2)^(-6) - (0.1 + r2)^(-3)')(), domain)],
    ['potentials of yukawa', () => potentials(yukawa(), domain)],
    ['nearest', () => nearest(Math.min(3, count - 1), domain)],
  ]
  const [name, make] = dice.pick(makes)
  return [`${name}, ${count} points: ${shape}`, make(), points]
}
