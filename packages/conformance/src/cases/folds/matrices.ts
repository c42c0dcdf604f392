/**
 * Interaction matrices: the value of each pair must be in the place of that pair.
 *
 * @module
 */
import { attributeSum, gaussian, gravity, matrix, type Particles } from '@manybody/core'
import type { Case } from '../../case.ts'
import { cloud } from '../../points.ts'
import { randomOf } from '../../random.ts'

export function matrixCases(): readonly Case[] {
  const wholeNumbers = (count: number, step: number) => Float64Array.from({ length: count }, (_, n) => (n * step) % 97)
  const [rows, columns] = [33, 65]
  const set = (count: number, seed: number) => ({
    position: cloud({ count, seed, side: 4, apart: 0.05, avoid: [1.5] }),
    mass: randomOf(seed).array(count, 0.5, 2),
    weight: randomOf(seed + 1).array(count, 0.5, 2),
    p: wholeNumbers(count, seed),
  })
  const one = set(columns, 81)
  const two: Particles & { targets: typeof one } = { targets: set(rows, 83), sources: set(columns, 89) }
  const [left, right] = [two.targets.p, wholeNumbers(columns, 89)]
  return [
    {
      name: 'matrix: outer sum',
      workload: matrix(attributeSum()),
      particles: two,
      exact: {
        value: Float64Array.from({ length: rows * columns }, (_, n) => at(left, n / columns) + at(right, n % columns)),
      },
    },
    { name: 'matrix: energies of one set, none with itself', workload: matrix(gravity()), particles: one },
    { name: 'matrix: one set with self', workload: matrix(gaussian(), { self: 'include' }), particles: one },
    { name: 'matrix: zero beyond a cutoff', workload: matrix(gaussian(), { cutoff: 1.5 }), particles: one },
    {
      name: 'matrix: zero where excluded',
      workload: matrix(gravity(), {
        exclusions: [
          [0, 1],
          [0, 64],
          [63, 64],
          [30, 5],
        ],
      }),
      particles: one,
    },
    {
      name: 'matrix: in blocks of rows',
      workload: matrix(gravity()),
      particles: one,
      parts: {
        targets: [
          [0, 1],
          [1, 32],
          [32, 65],
        ],
      },
    },
  ]
}

const at = (array: Float64Array, n: number): number => array[Math.floor(n)] as number
