/**
 * Results known from theory, so that the suite does not depend on the reference alone.
 *
 * @module
 */
import {
  accelerations,
  attributeSum,
  biotSavart,
  coulomb,
  energy,
  forces,
  gaussian,
  gravity,
  inversePower,
  lennardJones,
  morse,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  virial,
  yukawa,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { lattice } from '../../points.ts'

export function closedFormCases(): readonly Case[] {
  return [...twoBodies(), ...slopes(), ...recurrences(), ...rings(), ...lattices(), ...scalars()]
}

/** Two points on the x axis, at a distance that float32 represents exactly. */
function apart(distance: number): Float64Array {
  return Float64Array.of(0, 0, 0, distance, 0, 0)
}

/** Both forces along x; the second is the opposite of the first. Positive means attraction. */
const mutual = (force: number): Float64Array => Float64Array.of(force, 0, 0, -force, 0, 0)
const both = (value: number): Float64Array => Float64Array.of(value, value)

function twoBodies(): readonly Case[] {
  const masses = { position: apart(2), mass: Float64Array.of(3, 5) }
  const charges = { position: apart(2), charge: both(1) }
  const weights = { position: apart(2), weight: both(1) }
  const atoms = { position: apart(1), sigma: both(1), epsilon: both(1) }
  const unit = { position: apart(1) }
  return [
    {
      name: 'closed forms: gravity of two bodies',
      workload: accelerations(gravity({ G: 2 })),
      particles: masses,
      closedForm: { acceleration: Float64Array.of(2.5, 0, 0, -1.5, 0, 0) },
    },
    {
      name: 'closed forms: energy of two bodies',
      workload: energy(gravity({ G: 2 })),
      particles: masses,
      closedForm: { energy: both(-15) },
    },
    {
      // For 1/r energies the virial is the energy.
      name: 'closed forms: virial of two bodies',
      workload: virial(gravity({ G: 2 })),
      particles: masses,
      closedForm: { virial: both(-15) },
    },
    {
      name: 'closed forms: equal charges repel',
      workload: forces(coulomb()),
      particles: charges,
      closedForm: { force: mutual(-1 / 4) },
    },
    {
      // The slope is -2 + r + 0.75*r^2 - 4*r^3, so the points repel.
      name: 'closed forms: the slope of a polynomial',
      workload: forces(pairPotential('poly(r, 3, -2, 0.5, 0.25, -1)')()),
      particles: { position: apart(2) },
      closedForm: { force: mutual(-29) },
    },
    {
      name: 'closed forms: screened charges',
      workload: potentials(yukawa({ kappa: 0.5 })),
      particles: charges,
      closedForm: { potential: both(Math.exp(-1) / 2) },
    },
    {
      name: 'closed forms: lennard-jones at r = sigma',
      workload: forces(lennardJones()),
      particles: atoms,
      closedForm: { force: mutual(-24) },
      steep: true,
    },
    {
      name: 'closed forms: morse at its minimum',
      workload: potentials(morse({ depth: 3 })),
      particles: unit,
      closedForm: { potential: both(-3) },
      steep: true,
    },
    {
      name: 'closed forms: gaussian at r = 2',
      workload: forces(gaussian()),
      particles: weights,
      closedForm: { force: mutual(-2 * Math.exp(-2)) },
    },
    {
      name: 'closed forms: inverse square energy',
      workload: forces(inversePower({ exponent: 2 })),
      particles: weights,
      closedForm: { force: mutual(-1 / 4) },
    },
    {
      // A vortex along z at x = 2 turns counterclockwise, so at the origin the fluid moves down.
      name: 'closed forms: a vortex',
      workload: sum(biotSavart()),
      particles: { position: apart(2), wx: both(0), wy: both(0), wz: Float64Array.of(0, 1) },
      closedForm: { value: Float64Array.of(0, -1 / (16 * Math.PI), 0, 0, 0, 0) },
    },
  ]
}

/**
 * Chebyshev's polynomial by its recurrence. Written out, that of degree 20 has 60,000 operations, and that of degree 16 has 9000. Both are
 * -1/2 at 1/2, where the slope of the first is 20.
 */
const chebyshev = (degree: number, x: string): string =>
  Array.from({ length: degree - 1 }, (_, n) => `t${n + 2} = 2*x*t${n + 1} - t${n}`).reduce(
    (text, member) => `${text}; ${member}`,
    `t${degree}; t0 = 1; t1 = x; x = ${x}`,
  )

function recurrences(): readonly Case[] {
  const points = { position: apart(2) }
  const ofSide = (side: 'i' | 'j'): Case => ({
    name: `closed forms: a recurrence of the ${side === 'i' ? 'target' : 'source'}`,
    workload: sum(pairTerm(`r2*${chebyshev(16, `q_${side}`)}`)()),
    particles: { ...points, q: both(0.5) },
    closedForm: { value: both(-2) },
  })
  return [
    {
      name: 'closed forms: a recurrence of the distance',
      workload: potentials(pairPotential(chebyshev(20, 'r/4'))()),
      particles: points,
      closedForm: { potential: both(-0.5) },
    },
    {
      name: 'closed forms: the slope of a recurrence',
      workload: forces(pairPotential(chebyshev(20, 'r/4'))()),
      particles: points,
      closedForm: { force: mutual(5) },
    },
    ofSide('i'),
    ofSide('j'),
    {
      name: 'closed forms: the slope of the root of a square',
      // The square of the distance is exact; roots of graphics cards are not.
      workload: forces(pairPotential('sqrt((q_i - q_j)^2)*r + sqrt((r2 - 4)^2) + r')()),
      particles: { ...points, q: both(0.5) },
      closedForm: { force: mutual(1) },
    },
  ]
}

/** Forces of energies that approach a constant: a slope written as a difference would have lost its digits. */
function slopes(): readonly Case[] {
  const sech = (x: number) => (2 * Math.exp(-x)) / (1 + Math.exp(-2 * x))
  const laws: readonly (readonly [text: string, slope: (r: number) => number, distances: readonly number[]])[] = [
    ['tanh(r)', (r) => sech(r) ** 2, [0.5, 2, 8, 10]],
    ['erfc(r)/r', (r) => -((2 / Math.sqrt(Math.PI)) * Math.exp(-r * r)) / r - erfcAt(r) / (r * r), [0.5, 2, 3]],
    ['r/(1 + r)', (r) => 1 / (1 + r) ** 2, [0.5, 64, 8192]],
    ['r2/(1 + r2)', (r) => (2 * r) / (1 + r * r) ** 2, [0.5, 64, 1024]],
    ['r/sqrt(1 + r2)', (r) => (1 + r * r) ** -1.5, [0.5, 64, 8192]],
    // Roots of graphics cards are off by some units, so the law reads no root.
    ['0.1*(r2 - 1)^2', (r) => 0.4 * r * (r * r - 1), [1 + 2 ** -10]],
  ]
  return laws.flatMap(([text, slope, distances]) =>
    distances.map((r) => ({
      name: `closed forms: the slope of ${text} at r = ${r}`,
      workload: forces(pairPotential(text)()),
      particles: { position: apart(r) },
      closedForm: { force: mutual(slope(r)) },
      steep: true as const,
    })),
  )
}

/** @source NIST Digital Library of Mathematical Functions, 7.9.1, for x >= 0.5 */
function erfcAt(x: number): number {
  let tail = x
  for (let n = 2000; n > 0; n--) tail = x + n / 2 / tail
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * tail)
}

/**
 * Equal masses on a ring pull each other inwards by `m / (4 R^2) * sum_k 1 / sin(pi k / n)`.
 *
 * @source J. C. Maxwell, On the Stability of the Motion of Saturn's Rings, 1859
 */
function rings(): readonly Case[] {
  return [3, 6, 64, 65].map((n) => {
    const angle = (p: number) => (2 * Math.PI * p) / n
    const radius = 2
    const others = Array.from({ length: n - 1 }, (_, k) => 1 / Math.sin((Math.PI * (k + 1)) / n))
    const inwards = others.reduce((total, x) => total + x, 0) / (4 * radius * radius)
    const onRing = (size: number) =>
      Array.from({ length: n }, (_, p) => [size * Math.cos(angle(p)), size * Math.sin(angle(p)), 0]).flat()
    return {
      name: `closed forms: gravity on a ring of ${n}`,
      workload: accelerations(gravity()),
      particles: { position: Float64Array.from(onRing(radius)), mass: new Float64Array(n).fill(1) },
      closedForm: { acceleration: Float64Array.from(onRing(-inwards)) },
    }
  })
}

function lattices(): readonly Case[] {
  const count = 5 ** 3
  const boundary = periodic([5, 5, 5])
  const position = lattice([5, 5, 5])
  const shells = (r2: number) => Math.exp(-r2 / 2)
  // Along one axis of the periodic lattice: itself, two neighbours at 1, two at 2.
  const line = 1 + 2 * shells(1) + 2 * shells(4)
  return [
    {
      name: 'closed forms: no force in a periodic lattice',
      workload: forces(gravity({ softening: 0.5 }), { boundary }),
      particles: { position, mass: new Float64Array(count).fill(1) },
      closedForm: { force: new Float64Array(3 * count) },
    },
    {
      name: 'closed forms: a lattice of gaussians is a product of lines',
      workload: potentials(gaussian(), { boundary, self: 'include' }),
      particles: { position, weight: new Float64Array(count).fill(1) },
      closedForm: { potential: new Float64Array(count).fill(line ** 3) },
    },
  ]
}

function scalars(): readonly Case[] {
  const count = 100
  const position = new Float64Array(3 * count).fill(-0.75)
  const p = Float64Array.from({ length: count }, (_, n) => n - 40)
  const total = p.reduce((sumOfP, x) => sumOfP + x, 0)
  return [
    {
      name: 'closed forms: gaussian at zero distance',
      workload: potentials(gaussian({ height: 3 }), { self: 'include' }),
      particles: { position, weight: new Float64Array(count).fill(0.5) },
      closedForm: { potential: new Float64Array(count).fill((3 * count) / 4) },
    },
    {
      name: 'closed forms: sum of p_i + p_j',
      workload: sum(attributeSum()),
      particles: { position, p },
      exact: { value: p.map((x) => (count - 2) * x + total) },
    },
    {
      name: 'closed forms: logsumexp of equal terms',
      workload: reduce('logsumexp', attributeSum(), { self: 'include' }),
      particles: { position, p: new Float64Array(count).fill(2) },
      closedForm: { value: new Float64Array(count).fill(4 + Math.log(count)) },
    },
  ]
}
