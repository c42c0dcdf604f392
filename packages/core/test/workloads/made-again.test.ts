// A workload that is made again is the one of before, so that whatever was derived from it is known.

import { expect, it } from 'vitest'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { open, periodic } from '../../src/problem/workloads/define-domain.ts'
import { accelerations, countWithin, forces, nearest, reduce } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'

const law = gravity({ softening: 0.1 })
const term = pairTerm('r2')()
const box = (length: number) => ({ boundary: periodic([length, length, Number.POSITIVE_INFINITY]) })

it.each<[name: string, make: () => Workload]>([
  ['accelerations', () => accelerations(law)],
  ['a cutoff in a box', () => accelerations(law, { ...box(4), cutoff: 1 })],
  ['an extreme', () => reduce('min', term)],
  ['nearest terms', () => nearest(3, term)],
  ['a map', () => map({ mass: 'h*mass' }, { h: 2 })],
])('%s: the same', (_, make) => {
  expect(make()).toBe(make())
})

it.each<[name: string, one: Workload, other: Workload]>([
  ['another quantity', accelerations(law), forces(law)],
  ['another law of the same name', accelerations(law), accelerations(gravity({ softening: 0.2 }))],
  ['another cutoff', forces(law, { cutoff: 1 }), forces(law, { cutoff: 2 })],
  ['another box', forces(law, box(3)), forces(law, box(4))],
  ['itself included', forces(law), forces(law, { self: 'include' })],
  ['exclusions', forces(law, { exclusions: [[0, 1]] }), forces(law, { exclusions: [[0, 2]] })],
  ['another extreme', reduce('min', term), reduce('max', term)],
  ['another k', nearest(2, term), nearest(3, term)],
  ['another limit', countWithin(1, term), countWithin(2, term)],
  ['another number of a map', map({ mass: 'h*mass' }, { h: 1 }), map({ mass: 'h*mass' }, { h: 2 })],
  ['another sign of 0', map({ mass: '1/h' }, { h: 0 }), map({ mass: '1/h' }, { h: -0 })],
  ['outputs in another order', map({ a: 'mass', b: '2' }), map({ b: '2', a: 'mass' })],
])('%s: another workload', (_, one, other) => {
  expect(other).not.toBe(one)
})

it('keeps the sign of 0', () => {
  map({ mass: '1/h' }, { h: 0 })
  expect(map({ mass: '1/h' }, { h: -0 }).parameters.h).toBe(-0)
})

it('a boundary that a caller changes later changes no workload', () => {
  const boundary = { ...open() }
  const before = forces(law, { boundary })
  Object.assign(boundary, { kind: 'periodic', lengths: [1, 1, 1] })
  expect(forces(law, { boundary: open() })).toBe(before)
  expect(before.domain.boundary).toEqual(open())
})
