// Cutoffs that are expressions of a pair: their bounds, and the errors for texts and points that have none. The conformance suite has results.

import { expect, test } from 'vitest'
import { boundsOf, rounded } from '../../src/language/bounds.ts'
import { evaluate } from '../../src/language/evaluate.ts'
import { parse } from '../../src/language/parse.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { onceObstacle } from '../../src/problem/workloads/bodies/pairs-once.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { workloadOf } from '../../src/problem/workloads/from-data.ts'
import { countWithin, energy, forces, nearest, neighborsWithin, sum } from '../../src/problem/workloads/pair.ts'

const points = { position: [0, 0, 0, 1, 0, 0, 3, 0, 0], radius: [0.5, 0.25, 2], kind: [0, 1, 0] }
const one = pairTerm('1', {
  parameters: { reach: 2 },
  tables: {
    size: [
      [1, 2],
      [2, 7],
    ],
  },
})()
const spring = pairPotential('(1 - r)^2')()
const reachOf = (cutoff: string, particles: object = points) =>
  bind(sum(one, { cutoff }), particles as typeof points).bindings.parameters.cutoff

test('bounds hold every value that float32 may compute, and are close to them', () => {
  const ranges = { a: [0.25, 3], b: [-2, 0.5], c: [1.5, 1.75] } as const
  const texts = ['a + b', 'a - b*c', 'b^2', 'b^3 - a', '1/c - 1/a', 'sqrt(a*c)', 'max(a, b) + min(b, c)']
  for (const text of [...texts, 'abs(b)', 'abs(a)', 'select(a < b, a, -c)', 'c^-1.5', 'abs(b - c) + a', '-b^4']) {
    const e = parse(text, { names: Object.keys(ranges) })
    const [low, high] = boundsOf(e, (name) => rounded(...(ranges[name as keyof typeof ranges] as [number, number])))
    const steps = Array.from({ length: 21 }, (_, n) => n / 20)
    const values: number[] = []
    for (const u of steps)
      for (const v of steps)
        for (const w of steps) {
          const at = (name: keyof typeof ranges, t: number) => ranges[name][0] + (ranges[name][1] - ranges[name][0]) * t
          values.push(evaluate(e, { a: at('a', u), b: at('b', v), c: at('c', w) }))
        }
    const [least, most] = [Math.min(...values), Math.max(...values)]
    expect(low, text).toBeLessThanOrEqual(least)
    expect(high, text).toBeGreaterThanOrEqual(most)
    expect(high - low, text).toBeLessThan(3 * (most - least) + 1e-5)
  }
  for (const text of ['1/b', 'sqrt(b)', 'exp(a)', 'b^-2'])
    expect(boundsOf(parse(text, { names: ['a', 'b'] }), (name) => ranges[name as 'a' | 'b'])[1], text).toBe(Infinity)
})

test.each([
  ['radius_i + radius_j', 4],
  ['reach*max(radius_i, radius_j)', 4],
  ['radius_i', 2],
  ['size[kind_i, kind_j]', 7],
  ['radius_i - radius_j', 1.75],
  ['reach/2', 1],
])('pairs with a cutoff of %s are looked for within %d', (cutoff, farthest) => {
  const reach = reachOf(cutoff)
  expect(reach).toBeGreaterThanOrEqual(farthest)
  expect(reach).toBeLessThan(farthest * (1 + 1e-5))
})

test('sizes of 0, and sets without points, have a reach', () => {
  expect(reachOf('radius_i + radius_j', { ...points, radius: [0, 0, 0] })).toBeLessThan(1e-20)
  expect(reachOf('radius_i + radius_j', { position: [], radius: [], kind: [] })).toBeGreaterThan(0)
})

test.each([
  ['r + 1', /unknown name "r"/],
  ['radius', /unknown name "radius"/],
  ['sigma', /unknown name "sigma"/],
  ['position_i', /not positions/],
  ['radius_i +', /./],
  ['1/0', /is Infinity for all points/],
])('%s is no cutoff of a pair', (cutoff, message) => {
  expect(() => sum(one, { cutoff })).toThrow(message)
})

test.each([
  ['1/(radius_i - radius_j)', /"cutoff" expected a largest value for these points, got ".*", which has none/],
  ['exp(radius_i)', /which has none/],
  ['-radius_i - radius_j', /"cutoff" expected a distance of at least 0 for some pair, got ".*", at most -0.49/],
  ['charge_i', /"charge" expected/],
])('%s has no value for these points', (cutoff, message) => {
  expect(() => reachOf(cutoff)).toThrow(message)
})

test('a box must hold the longest cutoff', () => {
  const within = (edge: number) =>
    bind(countWithin('radius_i + radius_j', { boundary: periodic([edge, edge, edge]) }), points)
  expect(within(8).bindings.parameters.cutoff).toBe(4)
  expect(() => within(7.9)).toThrow(
    /"cutoff" expected at most half the shortest box length, 3.95, got "radius_i \+ radius_j", which may reach 4/,
  )
})

test('a switch needs a number, and a vector is no number', () => {
  expect(() => forces(spring, { cutoff: 'radius_i', switchDistance: 1 })).toThrow(
    /"switchDistance" expected a cutoff that is a number, got "radius_i"/,
  )
  expect(() => sum(pairTerm('dot(a_i, a_j)')(), { cutoff: 'a_i' })).toThrow(/"a" expected one use/)
  expect(() => sum(one, { cutoff: true as never })).toThrow(/"cutoff" expected/)
})

test('pairs are met once only if both points have the same cutoff', () => {
  const shape = { dimension: 3, targets: 3, sources: 3, sameSet: true, vectors: [] } as const
  expect(onceObstacle(forces(spring, { cutoff: 'radius_j + radius_i' }), shape)).toBeUndefined()
  expect(onceObstacle(forces(spring, { cutoff: '2*radius_i' }), shape)).toMatch(/different cutoffs/)
})

test('workloads with such cutoffs survive JSON', () => {
  const parameters = { scale: 1.5 }
  for (const workload of [
    countWithin('scale*radius_i', { parameters }),
    neighborsWithin('scale*radius_i', { parameters }),
    nearest(2, { cutoff: 'scale*radius_i', parameters }),
    energy(spring, { cutoff: 'radius_i + radius_j', shift: true }),
  ])
    expect(workloadOf(JSON.parse(JSON.stringify(workload)))).toEqual(workload)
})
