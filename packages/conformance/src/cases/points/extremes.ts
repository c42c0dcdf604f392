/**
 * Wide ranges: far offsets, masses over nine powers of ten, distances from tiny to huge, nearly no softening.
 *
 * @module
 */
import {
  accelerations,
  biotSavart,
  coulomb,
  forces,
  gravity,
  lennardJones,
  type Particles,
  periodic,
  potentials,
  sum,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 130

/** Numbers spread evenly over powers of ten. */
function decades(seed: number, from: number, to: number): Float64Array {
  return randomOf(seed)
    .array(count, Math.log10(from), Math.log10(to))
    .map((x) => 10 ** x)
}

function scaled(factor: number, offset = 0): Float64Array {
  return cloud({ count, seed: 1101, side: 6, apart: 0.7 }).map((x) => factor * x + offset)
}

/** Pairs 1e-15 apart around the origin, among points 1 apart: the same coordinates at ever smaller scales. */
function pairs(): Float64Array {
  return scaled(1).map((x, n) => (n < 30 ? 1e-15 * x : x))
}

/** Sources with one outlier: the powers of its distance from the targets are out of the range of float32. */
function withOutlier(distance: number, attributes: Readonly<Record<string, Float64Array>>): Particles {
  const [all, targets] = [scaled(1), 40]
  const part = (from: number, to: number, dimension: number) => (array: Float64Array) =>
    array.slice(dimension * from, dimension * to)
  const set = (from: number, to: number) => {
    const arrays = Object.entries(attributes).map(([name, array]) => [name, part(from, to, 1)(array)])
    return { position: part(from, to, 3)(all), ...Object.fromEntries(arrays) }
  }
  const sources = set(targets, count)
  sources.position[51] = distance
  return { targets: set(0, targets), sources }
}

export function extremeCases(): readonly Case[] {
  const mass = randomOf(1102).array(count, 0.5, 2)
  const masses = decades(1103, 1e-3, 1e6)
  const charge = randomOf(1104).array(count, -2, 2)
  const atoms = { sigma: new Float64Array(count).fill(1), epsilon: mass }
  // Every direction, at distances over six powers of ten from the origin.
  const directions = cloud({ count, seed: 1105, apart: 0.05 })
  const radii = decades(1106, 1e-3, 1e3)
  const shells = directions.map((x, n) => x * (radii[Math.floor(n / 3)] as number))
  const pull = accelerations(gravity())
  const cases: Readonly<Record<string, readonly [Case['workload'], Particles]>> = {
    'positions about 1000': [pull, { position: scaled(1, 1000), mass }],
    'positions about -1000, closely spaced': [pull, { position: scaled(1 / 64, -1000), mass }],
    'masses from 1e-3 to 1e6': [accelerations(gravity({ softening: 0.01 })), { position: scaled(1), mass: masses }],
    'forces among masses from 1e-3 to 1e6': [forces(gravity()), { position: scaled(1), mass: masses }],
    'distances of 1e-6': [pull, { position: scaled(1e-6), mass }],
    'distances of 1e6': [pull, { position: scaled(1e6), mass }],
    'distances from 1e-3 to 1e3': [potentials(coulomb()), { position: shells, charge }],
    'hardly any softening': [accelerations(gravity({ softening: 1e-6 })), { position: shells, mass }],
    'much softening': [accelerations(gravity({ softening: 1e3 })), { position: scaled(1), mass }],
    'a law of r^-12 far away': [potentials(lennardJones()), { position: scaled(30), ...atoms }],
    'a large constant': [potentials(coulomb({ k: 8.9875e9 })), { position: scaled(1), charge }],
    // Distances with a cube, or even a square, out of the range of float32.
    'distances of 1e13': [pull, { position: scaled(4e12), mass }],
    'hardly any softening at distances of 1e13': [
      accelerations(gravity({ softening: 1e-6 })),
      { position: scaled(4e12), mass },
    ],
    'distances of 1e20': [potentials(gravity()), { position: scaled(4e19), mass }],
    'distances of 1e-18': [pull, { position: scaled(1e-18), mass: masses.map((m) => 1e-12 * m) }],
    'close pairs near the origin': [potentials(coulomb()), { position: pairs(), charge }],
    'forces at distances of 1e13': [forces(coulomb()), { position: scaled(4e12), charge: charge.map((q) => 1e6 * q) }],
    'a law of r^-12 at 1e13': [
      forces(lennardJones()),
      { position: scaled(4e12), ...atoms, sigma: atoms.sigma.map(() => 2e12) },
    ],
    'a law of r^-12 at 1e-18': [
      forces(lennardJones()),
      { position: scaled(1e-18), sigma: atoms.sigma.map(() => 5e-19), epsilon: mass.map((m) => 1e-12 * m) },
    ],
    'vortices at 1e13': [sum(biotSavart()), { position: scaled(4e12), wx: charge, wy: mass, wz: charge }],
    'a cutoff at 1e13': [
      forces(coulomb(), { cutoff: 8.1e12 }),
      { position: scaled(4e12), charge: charge.map((q) => 1e6 * q) },
    ],
    'a periodic box of 1e14': [
      accelerations(gravity(), { boundary: periodic([1e14, 1e14, 1e14]) }),
      { position: scaled(4e12), mass },
    ],
    'a point 1e18 away': [pull, withOutlier(1e18, { mass })],
    'a point -1e30 away': [accelerations(gravity({ softening: 0.01 })), withOutlier(-1e30, { mass })],
    'a law of r^-12 and a point 1e18 away': [forces(lennardJones()), withOutlier(1e18, atoms)],
    'a cutoff and a point 1e18 away': [forces(coulomb(), { cutoff: 2 }), withOutlier(1e18, { charge })],
    'a small constant': [pull, { position: scaled(1), mass: masses.map((m) => m * 1e-12) }],
  }
  return Object.entries(cases).map(([name, [workload, particles]]) => ({
    name: `extremes: ${name}`,
    workload,
    particles,
    ...(name.includes('r^-12') ? { steep: true as const } : {}),
  }))
}
