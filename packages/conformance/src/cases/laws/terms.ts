/**
 * Custom laws: forces and terms, vectors, directions, and attributes of one side only.
 *
 * @module
 */
import {
  accelerations,
  forces,
  type PairWorkload,
  pairForce,
  pairPotential,
  pairTerm,
  potentials,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const spring = pairForce('stiffness*(1 - rest/r)', {
  name: 'spring',
  inertia: 'mass',
  parameters: { stiffness: 2, rest: 0.5 },
})()

/** A force with components: a swirl about the z axis, and a pull along it. */
const swirl = pairForce(
  { x: '-charge_j*dy/(r2 + 1)', y: 'charge_j*dx/(r2 + 1)', z: 'charge_j*dz/(r2 + 1)' },
  { name: 'swirl' },
)()

/** An energy that depends on direction: dipoles along z, softened. */
const dipoles = pairPotential('moment_i*moment_j*(r2 - 3*dz*dz)/(r2 + 0.1)^2.5', { name: 'dipoles', inertia: 'mass' })()

const moments = pairTerm(
  { a: 'mass_j', b: 'mass_j*dx*dy', c: 'mass_j*r2', d: 'exp(-r2)', e: 'charge_i' },
  { name: 'moments' },
)()

/** Enough components that a compiler may take long over a choice for each. */
const eight = pairTerm(
  Object.fromEntries(Array.from('abcdefgh', (name, n) => [name, `mass_j*exp(-${n + 1}*r2/8)`])) as Record<'a', string>,
  { name: 'eight' },
)()

const oneSided = pairTerm('charge_j - 2*mass_i', { name: 'one-sided' })()

/** Weights by conditions: a step, a choice, and a comparison with a wide margin around each. */
const conditional = pairTerm('select(mass_i < mass_j, mass_j, -mass_i) + 3*step(charge_j)', { name: 'conditional' })()

/** Conditions of parameters alone, by themselves and beside one of the pair. */
const chosen = pairTerm(
  'select(choice < 0.5, mass_j, -mass_j)*r2 + select(choice > 0.5 && r < far || !(choice <= 0.5), 1, 2)',
  { name: 'chosen', parameters: { choice: 0.25, far: 2.5 } },
)()

/** Functions and names of shading languages, which generated loops might also use. */
const functional = pairTerm(
  'step(r - 1)*r + floor(r) + ceil(r) + round(r + 0.5) + sign(r - 1) + max(r, 1) + min(r, 2) + abs(dx) + exp(-r) + sin(r) + tanh(r) + erf(r) + log(r) + atan2(dy, dz)',
  { name: 'functional' },
)()
const oneSidedFunctional = pairTerm('r*pow(mass_j, atan2(charge_j, mass_j)) + pow(mass_i, tanh(charge_i))', {
  name: 'functional on each side',
})()

/** At zero distance one branch is infinite, and the other is taken. */
const behindChoice = pairPotential('select(r < 1, 0, r)', { name: 'behind a choice' })()

/** Names with a meaning in a language, or that a loop may use itself. */
const reserved = pairTerm('var*for_j/(r2 + float^2) + loop*main_i*i + data*exp(-sum*r2)*vec3_j + e0', {
  name: 'reserved names',
  parameters: { var: 1.5, float: 0.5, loop: 0.25, i: 2, data: 3, sum: 0.75, e0: 0.125 },
})()

export function termCases(): readonly Case[] {
  const count = 130
  const random = randomOf(51)
  const particles = {
    position: cloud({ count, seed: 52, side: 6, apart: 0.15, avoid: [0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10] }),
    mass: random.array(count, 0.5, 2),
    charge: random.array(count, -2, 2),
    moment: random.array(count, 0.5, 1.5),
    for: random.array(count, 0.5, 1.5),
    main: random.array(count, 0.5, 1.5),
    vec3: random.array(count, 0.5, 1.5),
  }
  const workloads: Readonly<Record<string, PairWorkload>> = {
    'a radial force': forces(spring),
    'acceleration by a radial force': accelerations(spring),
    'a force by components': forces(swirl),
    'forces of a directed energy': forces(dipoles),
    'accelerations of a directed energy': accelerations(dipoles),
    'potentials of a directed energy': potentials(dipoles),
    'five components': sum(moments),
    'eight components within a cutoff': sum(eight, { cutoff: 2.5 }),
    'attributes of one side each': sum(oneSided),
    conditions: sum(conditional),
    functions: sum(functional),
    'functions of one side each': sum(oneSidedFunctional),
    'a force behind a choice': forces(behindChoice),
    'names that languages reserve': sum(reserved),
  }
  const conditionsOfParameters: Case = {
    name: 'terms: conditions of parameters',
    workload: sum(chosen),
    particles,
    again: [{ workload: sum(chosen), particles, parameters: { choice: 0.75 } }],
  }
  const others = Object.entries(workloads).map(([name, workload]) => ({
    name: `terms: ${name}`,
    workload,
    particles,
    ...(/directed|functions/.test(name) ? { steep: true as const } : {}),
  }))
  return [conditionsOfParameters, ...others]
}
