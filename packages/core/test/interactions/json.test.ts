// Laws and workloads are data: stored as JSON and read again, they give the same results.

import { describe, expect, it } from 'vitest'
import { attributeSum } from '../../src/interactions/attribute-sum.ts'
import { biotSavart } from '../../src/interactions/biot-savart.ts'
import { pairForce } from '../../src/interactions/define.ts'
import { gravity } from '../../src/interactions/gravity.ts'
import { lennardJones } from '../../src/interactions/lennard-jones.ts'
import { periodic } from '../../src/workloads/domain.ts'
import { gradient, stencil } from '../../src/workloads/grid.ts'
import { accelerations, countWithin, energy, forces, matrix, nearest, reduce, sum } from '../../src/workloads/pair.ts'
import { cellIndex, map } from '../../src/workloads/particle.ts'
import type { Workload } from '../../src/workloads/workload.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(9)
const count = 12
const attribute = () => numbersBetween(next, count, 0.5, 1.5)
const particles = {
  position: numbersBetween(next, 3 * count, 0, 4),
  velocity: numbersBetween(next, 3 * count, -1, 1),
  ...{ mass: attribute(), sigma: attribute(), epsilon: attribute() },
  ...{ wx: attribute(), wy: attribute(), wz: attribute(), p: attribute() },
}
const field = { field: numbersBetween(next, 4 * 3 * 2, -1, 1) }
const grid = { cells: [4, 3, 2], spacing: 0.5 }
const box = periodic([4, 4, 4])

const cases: readonly (readonly [string, Workload, typeof particles | typeof field])[] = [
  ['accelerations', accelerations(gravity({ G: 2, softening: 0.1 })), particles],
  [
    'forces with all domain options',
    forces(lennardJones(), { boundary: box, cutoff: 2, switchDistance: 1.5 }),
    particles,
  ],
  ['a shifted energy', energy(lennardJones(), { boundary: box, cutoff: 2, shift: true }), particles],
  ['a vector sum', sum(biotSavart()), particles],
  ['a force of the user', forces(pairForce({ x: 'mass_j*dy', y: '-mass_j*dx', z: '0' })()), particles],
  [
    'exclusions',
    sum(attributeSum(), {
      self: 'include',
      exclusions: [
        [0, 1],
        [3, 7],
      ],
    }),
    particles,
  ],
  ['a reduction', reduce('argmax', attributeSum()), particles],
  ['neighbours', nearest(3, { boundary: box }), particles],
  ['counts', countWithin(1.5), particles],
  ['counts of all', countWithin(Infinity), particles],
  ['a matrix', matrix(attributeSum()), particles],
  ['a map', map({ position: 'position + h*velocity', speed: ['velocity_x', 'mass'] }, { h: 0.1 }), particles],
  ['cell indices', cellIndex({ cells: [4, 4, 4], spacing: 1 }), particles],
  ['a stencil', stencil({ flow: 'k*(xp - xm)/hx' }, grid, { k: 3 }), field],
  ['a gradient', gradient({ ...grid, edges: 'clamp' }), field],
]

describe('JSON.parse(JSON.stringify(workload))', () => {
  it.each(cases)('runs as before: %s', async (_, workload, data) => {
    const stored = JSON.parse(JSON.stringify(workload)) as Workload
    expect(stored).toEqual(workload)
    await using engine = await referenceEngine()
    const { report: _a, ...expected } = await engine.run(workload, data)
    const { report: _b, ...got } = await engine.run(stored, data)
    expect(got).toEqual(expected)
    expect(Object.keys(got)).toEqual([...workload.results])
  })

  it.each(cases)('is frozen before: %s', (_, workload) => {
    const parts = Object.values(workload).filter((part) => typeof part === 'object')
    expect([workload, ...parts].every(Object.isFrozen)).toBe(true)
  })
})
