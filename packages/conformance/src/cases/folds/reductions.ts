/**
 * Least, greatest, their sources, and log-sum-exp, with ties that must go to the first source.
 *
 * @module
 */
import {
  gaussian,
  gravity,
  type PairWorkload,
  type Particles,
  pairTerm,
  type ReduceOperation,
  reduce,
} from '@manybody/core'
import { reduceOperations } from '@manybody/core/judge'
import type { Case } from '../../case.ts'
import { cloud, lattice } from '../../points.ts'
import { randomOf } from '../../random.ts'

const weightedDistance = pairTerm('weight_j*r2 + weight_i', { name: 'weighted distance' })()
const squaredDistance = pairTerm('r2', { name: 'squared distance' })()
const level = pairTerm('level_j', { name: 'level' })()

/** One operation, typed so that a list can hold all of them. */
export function reduction(operation: ReduceOperation, ...rest: Tail<Parameters<typeof reduce>>): PairWorkload {
  return reduce(operation as 'min', ...rest)
}
type Tail<T extends readonly unknown[]> = T extends readonly [unknown, ...infer Rest] ? Rest : never

export function reductionCases(): readonly Case[] {
  return [...overSizes(), ...withSelf(), ...ties(), ...farRanges(), ...ofPotentials()]
}

function overSizes(): readonly Case[] {
  return [1, 2, 64, 65, 129, 300].flatMap((count) =>
    reduceOperations.map((operation) => ({
      name: `reductions: ${operation}, ${count} points`,
      workload: reduction(operation, weightedDistance),
      particles: {
        position: cloud({ count, seed: 60 + count, side: 3 }),
        weight: randomOf(61 + count).array(count, 0.5, 2),
      },
    })),
  )
}

/** Points that act on themselves, so that each is its own nearest source; and targets that are not sources. */
function withSelf(): readonly Case[] {
  const count = 300
  const set = (seed: number) => ({
    position: cloud({ count, seed, side: 3 }),
    weight: randomOf(seed).array(count, 0.5, 2),
  })
  return reduceOperations.flatMap((operation) => [
    {
      name: `reductions: ${operation}, with self`,
      workload: reduction(operation, weightedDistance, { self: 'include' }),
      particles: set(68),
    },
    {
      name: `reductions: ${operation}, two sets`,
      workload: reduction(operation, weightedDistance),
      particles: { targets: set(69), sources: set(70) },
    },
  ])
}

/** On a lattice most targets have several nearest and farthest sources; all distances are whole numbers. */
function ties(): readonly Case[] {
  const position = lattice([5, 5, 5])
  const one: Particles = { position }
  const two: Particles = { targets: { position: lattice([3, 3, 3], 2) }, sources: { position } }
  const levels = Float64Array.from({ length: 200 }, (_, j) => (j * 7) % 5)
  const flat: Particles = {
    targets: { position: cloud({ count: 9, seed: 63 }) },
    sources: { position: cloud({ count: 200, seed: 64 }), level: levels },
  }
  return (['argmin', 'argmax'] as const).flatMap((operation) => [
    {
      name: `reductions: ${operation}, ties on a lattice`,
      workload: reduction(operation, squaredDistance),
      particles: one,
    },
    {
      name: `reductions: ${operation}, ties in another set`,
      workload: reduction(operation, squaredDistance),
      particles: two,
    },
    { name: `reductions: ${operation}, ties across tiles`, workload: reduction(operation, level), particles: flat },
  ])
}

/** Exponentials of these terms overflow or vanish; their logarithm does not. */
function farRanges(): readonly Case[] {
  const particles = { position: cloud({ count: 130, seed: 65, side: 4 }) }
  return ['500 + 10*r', '-500 - 10*r', '200*r'].map((text) => ({
    name: `reductions: logsumexp of ${text}`,
    workload: reduction('logsumexp', pairTerm(text, { name: text })()),
    particles,
  }))
}

function ofPotentials(): readonly Case[] {
  const count = 100
  const particles = {
    position: cloud({ count, seed: 66, side: 4, apart: 0.1 }),
    mass: randomOf(67).array(count, 0.5, 2),
    weight: randomOf(68).array(count, -1, 1),
  }
  return [
    { name: 'reductions: min of a potential', workload: reduction('min', gravity()), particles },
    { name: 'reductions: argmax of a potential', workload: reduction('argmax', gaussian()), particles },
    { name: 'reductions: max within a cutoff', workload: reduction('max', gaussian(), { cutoff: 1.0625 }), particles },
    {
      name: 'reductions: argmin with self',
      workload: reduction('argmin', squaredDistance, { self: 'include' }),
      particles: { position: particles.position },
      exact: { index: Int32Array.from({ length: count }, (_, i) => i), value: new Float64Array(count) },
    },
  ]
}
