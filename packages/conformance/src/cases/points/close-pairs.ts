/**
 * Two points that almost touch in a wide cloud, far apart in their arrays, in float64. Rounding coordinates to float32 would leave
 * nothing of their distance, so they need two floats per coordinate.
 *
 * Coordinates have few bits, so that core can convert them for a float32 device without loss.
 *
 * @module
 */
import {
  accelerations,
  countWithin,
  gravity,
  matrix,
  nearest,
  pairTerm,
  periodic,
  potentials,
  reduce,
} from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 300
const side = 1000
const grain = 2 ** -21
/** Along each axis: 2e-6 in all, where float32 has steps of 6e-5. */
const apart = [3 * grain, -2 * grain, grain] as const

const grained = (positions: Float64Array) => positions.map((x) => grain * Math.round(x / grain))

/** The positions, with the point of index `at` moved beside a given place. */
function withPair(positions: Float64Array, at: number, beside: ArrayLike<number>, dimension = 3): Float64Array {
  const paired = positions.slice()
  for (let axis = 0; axis < dimension; axis++)
    paired[dimension * at + axis] = (beside[axis] as number) + (apart[axis] as number)
  return paired
}

/** Moves every point of the second half beside one of the first, so that all nearest distances are short. */
function allPaired(positions: Float64Array, dimension = 3): Float64Array {
  const half = positions.length / 2
  return positions.map((x, n) =>
    n < half ? x : (positions[n - half] as number) + (apart[n % dimension] as number) * (1 + (n % 5)),
  )
}

const squared = pairTerm('r2', { name: 'squared distance' })()

export function closePairCases(): readonly Case[] {
  const mass = randomOf(1401).array(count, 0.5, 2)
  const scattered = (seed: number, dimension: 2 | 3 = 3) =>
    grained(cloud({ count, seed, dimension, side, apart: dimension === 3 ? 20 : 2 }))
  const space = scattered(1402)
  const oneSet = { position: withPair(space, 150, space), mass }
  const paired = { position: allPaired(space) }
  // All on one line, in no order.
  const line = { position: paired.position.map((x, n) => (n % 3 === 2 ? x : 0.5)) }
  const targets = { position: withPair(scattered(1404), 200, space), mass }
  const touching = { position: allPaired(space).slice(3 * 150, 3 * 210) }
  // Along x, the two are at opposite faces of the box.
  const faces = withPair(
    space,
    7,
    [-side, 8, 8].map((x, axis) => x - 2 * (apart[axis] as number)),
  )
  faces.set([side, 8, 8], 3 * 211)
  const box = { boundary: periodic([2 * side, 2 * side, 2 * side]) }
  const cases: Readonly<Record<string, Pick<Case, 'workload' | 'particles'>>> = {
    gravity: { workload: accelerations(gravity()), particles: oneSet },
    potentials: { workload: potentials(gravity()), particles: oneSet },
    'gravity across faces': { workload: accelerations(gravity(), box), particles: { position: faces, mass } },
    'gravity of separate targets': {
      workload: accelerations(gravity()),
      particles: { targets, sources: { position: space, mass } },
    },
    'counts within a short radius': { workload: countWithin(2 ** -18), particles: oneSet },
    'nearest 1': { workload: nearest(1), particles: paired },
    'the shortest distance': { workload: reduce('min', squared), particles: paired },
    'the nearest source': { workload: reduce('argmin', squared), particles: paired },
    'nearest 1 on a line': { workload: nearest(1), particles: line },
    'nearest 1 in the plane': {
      workload: nearest(1),
      particles: { dimension: 2, position: allPaired(scattered(1403, 2), 2) },
    },
    'nearest 1 of separate targets': {
      workload: nearest(1),
      particles: { targets: touching, sources: { position: space } },
    },
    'a matrix of short distances': {
      workload: matrix(pairTerm('1/r', { name: 'inverse distance' })()),
      particles: { targets: touching, sources: { position: space } },
    },
  }
  return Object.entries(cases).map(([what, one]) => ({
    name: `close pairs: ${what}`,
    asGiven: true,
    steep: true,
    ...one,
  }))
}
