// Cells smaller than two cutoffs, on any backend against the float64 reference, which a test of core compares with sums by hand.

import {
  type Backend,
  coulomb,
  countWithin,
  createEngine,
  energy,
  forces,
  lennardJones,
  nearest,
  neighborsWithin,
  type Precision,
  periodic,
  reference,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from './numbers.ts'

const points = {
  position: numbers(3 * 40, 5).map((x, n) => x * ([2, 3, 9][n % 3] as number)),
  charge: numbers(40, 6).map((x) => x - 0.5),
}
const boundary = periodic([2, 3, Infinity])
const domain = { boundary, cutoff: 2.4 }
const workloads = {
  forces: forces(coulomb(), domain),
  energy: energy(coulomb(), { ...domain, shift: true }),
  'energy of a soft law': energy(lennardJones({ epsilon: 1, sigma: 0.05 }), domain),
  count: countWithin(2.4, { boundary }),
  nearest: nearest(7, domain),
  lists: neighborsWithin(2.4, { boundary }),
}

/** @param refused the workloads that the backend refuses, as it does in larger boxes */
export async function expectSmallCells(backend: Backend, precision: Precision, refused: readonly string[] = []) {
  await using engine = await createEngine({ backends: [backend], precision })
  await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
  for (const [name, workload] of Object.entries(workloads)) {
    if (refused.includes(name)) continue
    const { report: _, ...got } = await engine.run(workload, points)
    const { report: _report, ...expected } = await exact.run(workload, points)
    for (const [result, wanted] of Object.entries(expected)) {
      const [found, right] = [(got as typeof expected)[result as never], wanted].map(listOf) as [number[], number[]]
      const size = Math.max(...right.map(Math.abs))
      const off = Math.max(...right.map((x, n) => Math.abs(x - (found[n] as number))))
      expect(found.length, `${name} ${result}`).toBe(right.length)
      expect(off / size, `${name} ${result}`).toBeLessThan(precision === 'f32' ? 2e-5 : 1e-12)
    }
  }
}

const listOf = (result: number | ArrayLike<number>): number[] =>
  typeof result === 'number' ? [result] : Array.from(result)
