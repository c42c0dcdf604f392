// The heaviest points, which are measured besides a sample of all.

import { expect, it } from 'vitest'
import { accelerations, coulomb, gravity, type PairWorkload, pairTerm, potentials, sum } from '../../src/index.ts'
import { deriveTreeFacts } from '../../src/methods/tolerance/derive-tree-facts.ts'
import { heaviestPoints } from '../../src/methods/tolerance/heaviest.ts'
import { sampled } from '../../src/methods/tolerance/sampled.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(41)
const count = 400
const position = numbersBetween(next, 3 * count, 0, 1)
const sample = [7, ...Array.from({ length: 15 }, (_, n) => 100 + 13 * n)]

function heaviest(workload: PairWorkload, attributes: object) {
  const { shape, bindings } = bind(workload, { position, ...attributes } as never)
  return heaviestPoints(deriveTreeFacts(workload, shape).weights, shape, bindings, sample)
}
const masses = (heavy: Readonly<Record<number, number>>) => {
  const mass = numbersBetween(next, count, 0.5, 1.5)
  for (const [point, value] of Object.entries(heavy)) mass[Number(point)] = value
  return mass
}

it('are none where all points are about as heavy', () => {
  expect(heaviest(accelerations(gravity()), { mass: masses({}) })).toEqual([])
  expect(heaviest(accelerations(gravity()), { mass: masses({ 30: 5 }) })).toEqual([])
  expect(heaviest(accelerations(gravity()), { mass: new Float64Array(count) })).toEqual([])
})

it('are eight, the heaviest first, if one is much heavier than others on average', () => {
  const found = heaviest(accelerations(gravity()), { mass: masses({ 30: 1e6, 399: 1e9, 55: 20, 1: 300 }) })
  expect(found).toHaveLength(8)
  expect(found.slice(0, 4)).toEqual([399, 30, 1, 55])
})

it('are large charges of either sign', () => {
  const found = heaviest(potentials(coulomb()), { charge: masses({ 30: -1e6, 20: 1e3 }) })
  expect(found.slice(0, 2)).toEqual([30, 20])
})

it('do not repeat those of the sample', () => {
  const found = heaviest(accelerations(gravity()), { mass: masses({ 7: 1e9, 8: 1e8 }) })
  expect(found[0]).toBe(8)
  expect(found).not.toContain(7)
})

it('are found in sparse charges, of which the sample has none', () => {
  const charge = new Float64Array(count)
  charge[33] = 1
  expect(heaviest(potentials(coulomb()), { charge })).toEqual([33])
})

it('are found by computed weights and by several', () => {
  const computed = sum(pairTerm('exp(p_j)/sqrt(r2 + 1e-4)')())
  const p = numbersBetween(next, count, 0, 1)
  p[123] = 12
  expect(heaviest(computed, { p })[0]).toBe(123)
  const several = sum(pairTerm('(p_j*dx + q_j*dy)/(r2 + 1e-4)')())
  const q = numbersBetween(next, count, -1, 1)
  q[321] = -1e3
  expect(heaviest(several, { p, q }).slice(0, 2)).toEqual([321, 123])
})

it('are none of targets that are not the sources', () => {
  const two = { targets: { position, mass: masses({ 5: 1e9 }) }, sources: { position, mass: masses({ 5: 1e9 }) } }
  const workload = accelerations(gravity())
  const { shape, bindings } = bind(workload, two as never)
  expect(heaviestPoints(deriveTreeFacts(workload, shape).weights, shape, bindings, sample)).toEqual([])
})

it('come last among the measured targets', () => {
  const workload = accelerations(gravity())
  const { shape, bindings } = bind(workload, { position, mass: masses({ 5: 1e9 }) } as never)
  const { targets, spread, shape: own } = sampled(deriveTreeFacts(workload, shape), shape, bindings, 64)
  expect(targets).toHaveLength(spread + 8)
  expect(new Set(targets).size).toBe(targets.length)
  expect(targets[spread]).toBe(5)
  expect(own.targets).toBe(targets.length)
})
