// Nothing in, nothing out: every workload over no points, no targets, no sources, and a single point.

import { describe, expect, it } from 'vitest'
import { biotSavart } from '../../../src/problem/interactions/biot-savart.ts'
import { pairTerm } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  potentials,
  reduce,
  sum,
  virial,
} from '../../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../../src/problem/workloads/particle.ts'
import type { Workload } from '../../../src/problem/workloads/workload.ts'
import { referenceEngine } from '../../support/reference-engine.ts'

const law = gravity()
const term = pairTerm('r')()
const f = (...values: number[]) => Float64Array.of(...values)
const i = (...values: number[]) => Int32Array.of(...values)
const set = (count: number) => ({
  position: new Float64Array(3 * count),
  ...Object.fromEntries(['mass', 'wx', 'wy', 'wz'].map((name) => [name, new Float64Array(count).fill(1)])),
})

/** Each workload with its results for one target without sources. */
const cases: readonly (readonly [string, Workload, Record<string, unknown>])[] = [
  ['accelerations', accelerations(law), { acceleration: f(0, 0, 0) }],
  ['forces', forces(law), { force: f(0, 0, 0) }],
  ['potentials', potentials(law), { potential: f(0) }],
  ['a vector sum', sum(biotSavart()), { value: f(0, 0, 0) }],
  ['min', reduce('min', term), { value: f(Infinity) }],
  ['max', reduce('max', term), { value: f(-Infinity) }],
  ['argmin', reduce('argmin', term), { index: i(-1), value: f(Infinity) }],
  ['argmax', reduce('argmax', term), { index: i(-1), value: f(-Infinity) }],
  ['logsumexp', reduce('logsumexp', term), { value: f(-Infinity) }],
  ['counts', countWithin(1), { count: Uint32Array.of(0) }],
  ['energy', energy(law), { energy: 0 }],
  ['virial', virial(law), { virial: 0 }],
]

async function resultsOf(workload: Workload, particles: object): Promise<Record<string, unknown>> {
  await using engine = await referenceEngine()
  const { report: _, ...results } = await engine.run(workload, particles as ReturnType<typeof set>)
  return results
}

describe.each(cases)('the workload "%s"', (_, workload, ofNothing) => {
  const empty = Object.fromEntries(
    Object.entries(ofNothing).map(([name, value]) => [
      name,
      typeof value === 'number' ? 0 : (value as Float64Array).slice(0, 0),
    ]),
  )

  it('has empty results without points', async () => {
    expect(await resultsOf(workload, set(0))).toEqual(empty)
    expect(await resultsOf(workload, { targets: set(0), sources: set(3) })).toEqual(empty)
    expect(await resultsOf(workload, { targets: set(0), sources: set(0) })).toEqual(empty)
  })

  it('has neutral results without sources, and for a single point', async () => {
    expect(await resultsOf(workload, { targets: set(1), sources: set(0) })).toEqual(ofNothing)
    expect(await resultsOf(workload, set(1))).toEqual(ofNothing)
  })
})

it('returns an empty matrix without targets or sources', async () => {
  expect(await resultsOf(matrix(term), set(0))).toEqual({ value: f() })
  expect(await resultsOf(matrix(term), { targets: set(0), sources: set(2) })).toEqual({ value: f() })
  expect(await resultsOf(matrix(term), { targets: set(2), sources: set(0) })).toEqual({ value: f() })
  expect(await resultsOf(matrix(term), set(1))).toEqual({ value: f(0) })
})

it('finds no neighbours without targets', async () => {
  expect(await resultsOf(nearest(3), set(0))).toEqual({ index: i(), distance: f() })
  expect(await resultsOf(nearest(3), { targets: set(0), sources: set(1) })).toEqual({ index: i(), distance: f() })
})

it('returns empty maps and cell indices without points', async () => {
  const drift = map({ position: 'position + h*velocity', speed: 'mass*sqrt(velocity_x^2 + velocity_y^2)' }, { h: 1 })
  expect(await resultsOf(drift, { ...set(0), velocity: f() })).toEqual({ position: f(), speed: f() })
  expect(await resultsOf(cellIndex({ cells: [2, 2, 2], spacing: 1 }), set(0))).toEqual({ index: i() })
})

it('steps a simulation without particles', async () => {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({ law, particles: { position: f(), velocity: f(), mass: f() }, dt: 1 })
  await simulation.step(3)
  expect(await simulation.read('position')).toEqual(f())
  expect(await simulation.energy()).toEqual({ kinetic: 0, potential: 0, total: 0 })
  expect(await simulation.angularMomentum()).toEqual(f(0, 0, 0))
})

it('verifies a workload without points', async () => {
  await using engine = await referenceEngine()
  expect(await engine.verify(forces(law), set(0) as { position: Float64Array })).toMatchObject({
    ok: true,
    sampled: 0,
    max: 0,
  })
})
