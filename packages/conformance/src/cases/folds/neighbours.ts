/**
 * Nearest neighbours and counts within a radius. The whole numbers must be exact. In this data rounding decides nothing, and in the
 * lattices every tie and boundary case has one right answer.
 *
 * @module
 */
import { countWithin, nearest, type Particles, pairPotential, pairTerm, periodic } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'

export function neighbourCases(): readonly Case[] {
  return [...nearestCases(), ...nearestTies(), ...leastTerms(), ...countCases(), ...latticeCounts()]
}

function nearestCases(): readonly Case[] {
  const position = cloud({ count: 200, seed: 71, avoid: [0.3] })
  const other = cloud({ count: 130, seed: 72, against: position, apart: 0.001 })
  const box = [2, 2, 2]
  const wrapped = { position: cloud({ count: 120, seed: 73, side: 2, box }) }
  const two: Particles = { targets: { position: other }, sources: { position } }
  const few = { position: cloud({ count: 5, seed: 74 }) }
  return [
    ...[1, 2, 3, 4, 8, 16].map((k) => ({
      name: `nearest: ${k} of 200`,
      workload: nearest(k),
      particles: { position },
    })),
    {
      name: 'nearest: 256 of 300',
      workload: nearest(256),
      particles: { position: cloud({ count: 300, seed: 78 }) },
    },
    { name: 'nearest: 5 in another set', workload: nearest(5), particles: two },
    { name: 'nearest: all 4 others of 5', workload: nearest(4), particles: few },
    { name: 'nearest: 3 of 5 with self', workload: nearest(3, { self: 'include' }), particles: few },
    { name: 'nearest: fewer than 6 within a cutoff', workload: nearest(6, { cutoff: 0.3 }), particles: { position } },
    { name: 'nearest: 4 in a periodic box', workload: nearest(4, { boundary: periodic(box) }), particles: wrapped },
    {
      name: 'nearest: 3 in a wire',
      workload: nearest(3, { boundary: periodic([Infinity, Infinity, 2]) }),
      particles: { position: cloud({ count: 120, seed: 80, side: 3, box: [Infinity, Infinity, 2] }) },
    },
    {
      name: 'nearest: 2 with exclusions',
      workload: nearest(2, { exclusions: Array.from({ length: 199 }, (_, i) => [i, i + 1] as const) }),
      particles: { position },
    },
  ]
}

/** Equal distances go to the lower index. */
function nearestTies(): readonly Case[] {
  const position = lattice([4, 4, 5])
  const twice = new Float64Array([...position, ...position])
  return [
    { name: 'nearest: 6 on a lattice', workload: nearest(6), particles: { position } },
    { name: 'nearest: 3 of coincident points', workload: nearest(3), particles: { position: twice } },
    ...[2, 12].map((k) => ({
      name: `nearest: ${k} where half of the points are at one place`,
      workload: nearest(k),
      particles: { position: cloud({ count: 600, seed: 79 }).map((x, n) => (Math.floor(n / 3) % 2 ? x : 0.5)) },
    })),
    {
      name: 'nearest: 4 on a lattice, another set',
      workload: nearest(4),
      particles: { targets: { position: lattice([2, 2, 2], 2) }, sources: { position } },
    },
  ]
}

/** The least terms, negative ones first, where equal terms go to the lower index, and the terms up to a limit, which some equal. */
function leastTerms(): readonly Case[] {
  const count = 90
  const particles = {
    position: cloud({ count, seed: 80 }),
    level: Float64Array.from({ length: count }, (_, n) => ((7 * n) % 23) - 11),
  }
  const steps = pairTerm('level_j - 2*level_i', { name: 'differences of levels' })()
  const blocks = pairTerm('abs(dx) + abs(dy) + abs(dz)', { name: 'city blocks' })()
  const parts = {
    targets: [[0, count]],
    sources: [
      [0, 31],
      [31, count],
    ],
  } as const
  return [
    { name: 'nearest: 6 by a term with ties', workload: nearest(6, steps), particles },
    { name: 'nearest: 6 by a term, in parts', workload: nearest(6, steps), particles, parts },
    { name: 'nearest: 3 by a term within a cutoff', workload: nearest(3, steps, { cutoff: 0.4 }), particles },
    { name: 'nearest: 4 by the sum of distances along axes', workload: nearest(4, blocks), particles },
    { name: 'count: terms up to 3', workload: countWithin(3, steps), particles },
    { name: 'count: terms up to -4, in parts', workload: countWithin(-4, steps), particles, parts },
    { name: 'count: terms up to 3 within a cutoff', workload: countWithin(3, steps, { cutoff: 0.4 }), particles },
    {
      name: 'count: potentials up to -2, none of them of points at one place',
      workload: countWithin(-2, pairPotential('-1/r', { name: 'attraction' })()),
      particles: { position: lattice([4, 4, 5]).map((x, n) => 0.3 * (n < 60 ? 0 : x)) },
    },
  ]
}

function countCases(): readonly Case[] {
  const radii = [0.1, 0.5, 1.25]
  const position = cloud({ count: 300, seed: 75, avoid: radii })
  const targets = cloud({ count: 65, seed: 76, against: position, avoid: radii })
  const box = [2, 2, 2]
  const wrapped = { position: cloud({ count: 130, seed: 77, side: 6, box, avoid: [0.7] }) }
  return [
    ...radii.map((radius) => ({
      name: `count: within ${radius} of 300`,
      workload: countWithin(radius),
      particles: { position },
    })),
    {
      name: 'count: within 0.5 in another set',
      workload: countWithin(0.5),
      particles: { targets: { position: targets }, sources: { position } },
    },
    {
      name: 'count: within 0.7 in a periodic box, points outside it',
      workload: countWithin(0.7, { boundary: periodic(box) }),
      particles: wrapped,
    },
  ]
}

/** Neighbours of a lattice point inside a periodic lattice: 6, 18, 26 and 32 in the first four shells. */
function latticeCounts(): readonly Case[] {
  const count = 6 ** 3
  const particles = { position: lattice([6, 6, 6]) }
  const shells: readonly (readonly [radius: number, neighbours: number])[] = [
    [0.5, 0],
    [1, 6],
    [1.5, 18],
    [1.75, 26],
    [2, 32],
  ]
  return shells.map(([radius, neighbours]) => ({
    name: `count: within ${radius} on a periodic lattice`,
    workload: countWithin(radius, { boundary: periodic([6, 6, 6]) }),
    particles,
    exact: { count: new Uint32Array(count).fill(neighbours) },
  }))
}
