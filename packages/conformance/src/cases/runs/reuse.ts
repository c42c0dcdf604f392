/**
 * One program for many runs: other data, other parameters, other exclusions of the same shape.
 *
 * @module
 */
import { accelerations, gravity, type ParticleSet, pairTerm, potentials, sum } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

const count = 70

const set = (seed: number): ParticleSet => ({
  position: cloud({ count, seed, side: 3, apart: 0.02 }),
  mass: randomOf(seed).array(count, 0.5, 2),
})

export function reuseCases(): readonly Case[] {
  const workload = accelerations(gravity({ softening: 0.1 }))
  const [a, b] = [set(1201), set(1202)]
  const excluding = (pairs: readonly (readonly [number, number])[]) => potentials(gravity(), { exclusions: pairs })
  const polynomial = sum(pairTerm('a + b*r2', { name: 'polynomial', parameters: { a: 1, b: 2 } })())
  return [
    {
      name: 'reuse: other points, and the first again',
      workload,
      particles: a,
      again: [
        { workload, particles: b },
        { workload, particles: a },
      ],
    },
    {
      name: 'reuse: other parameters, and the first again',
      workload,
      particles: a,
      again: [
        { workload, particles: a, parameters: { G: -3 } },
        { workload, particles: a, parameters: { softening: 0.5, G: 0.25 } },
        { workload, particles: a },
      ],
    },
    {
      // Without softening, coincident points are singular. The same program must notice that.
      name: 'reuse: a parameter that makes the law singular',
      workload,
      particles: set(1203),
      parameters: { softening: 0 },
      again: [{ workload, particles: set(1203) }],
    },
    {
      name: 'reuse: a parameter of zero',
      workload: polynomial,
      particles: a,
      again: [{ workload: polynomial, particles: a, parameters: { b: 0 } }],
    },
    {
      name: 'reuse: other exclusions',
      workload: excluding([
        [0, 1],
        [5, 69],
      ]),
      particles: a,
      again: [
        { workload: excluding([[2, 3]]), particles: a },
        { workload: excluding(Array.from({ length: 69 }, (_, i) => [i, i + 1] as const)), particles: b },
      ],
    },
  ]
}
