// The cost of a pair: the derived gravity is the kernel that an expert would write, and others are kept from growing.

import { describe, expect, it } from 'vitest'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { type PairBodyOptions, pairBody } from '../../src/problem/workloads/bodies/pair-body.ts'
import { accelerations, forces, potentials } from '../../src/problem/workloads/pair.ts'
import type { Dimension, PairWorkload } from '../../src/problem/workloads/workload.ts'
import { operationsPerPair, totalOf } from '../support/count-operations.ts'

const soft = gravity({ softening: 0.05 })
const gpu: PairBodyOptions = { guard: false, roots: 'inverseSqrt' }
const cpu: PairBodyOptions = { guard: false, roots: 'sqrt' }
const count = (workload: PairWorkload, options = gpu, dimension: Dimension = 3) =>
  operationsPerPair(pairBody(workload, { dimension, sameSet: true }, options), dimension)

describe('accelerations of softened gravity', () => {
  it('cost 13 operations per pair', () => {
    const counts = count(accelerations(soft))
    // Six fused multiply-adds, three of them for the acceleration; the three products are y*y, y*m, and both.
    expect(counts).toEqual({ subtract: 3, fma: 6, multiply: 3, inverseSqrt: 1 })
    expect(totalOf(counts)).toBe(13)
  })

  it('cost 10 operations per pair in 2-D', () => {
    expect(count(accelerations(soft), gpu, 2)).toEqual({ subtract: 2, fma: 4, multiply: 3, inverseSqrt: 1 })
  })

  it('cost one root and one division on a CPU', () => {
    expect(count(accelerations(soft), cpu)).toEqual({ subtract: 3, fma: 6, multiply: 1, divide: 1, sqrt: 1 })
  })
})

describe('the operations per pair are counted', () => {
  it('for coulomb', () => {
    expect(count(forces(coulomb()), { ...gpu, guard: true })).toMatchInlineSnapshot(`
      {
        "fma": 5,
        "inverseSqrt": 1,
        "less": 1,
        "multiply": 4,
        "select": 1,
        "subtract": 3,
      }
    `)
    expect(count(potentials(coulomb()), { ...gpu, guard: true })).toMatchInlineSnapshot(`
      {
        "fma": 3,
        "inverseSqrt": 1,
        "less": 1,
        "multiply": 1,
        "select": 1,
        "subtract": 3,
      }
    `)
  })

  it('for lennard-jones', () => {
    expect(count(forces(lennardJones()), { ...gpu, guard: true })).toMatchInlineSnapshot(`
      {
        "add": 1,
        "divide": 1,
        "fma": 6,
        "less": 1,
        "multiply": 8,
        "select": 1,
        "subtract": 3,
      }
    `)
    expect(count(forces(lennardJones()), { ...cpu, guard: true })).toMatchInlineSnapshot(`
      {
        "add": 1,
        "divide": 1,
        "fma": 6,
        "less": 1,
        "multiply": 8,
        "select": 1,
        "subtract": 3,
      }
    `)
    expect(count(forces(lennardJones({ mixing: 'geometric' })), { ...gpu, guard: true })).toMatchInlineSnapshot(`
      {
        "divide": 1,
        "fma": 6,
        "less": 1,
        "multiply": 8,
        "select": 1,
        "subtract": 3,
      }
    `)
  })
})
