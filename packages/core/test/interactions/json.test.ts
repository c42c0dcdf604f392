// Laws and workloads are data: stored as JSON and read again, they give the same results.

import { describe, expect, it } from 'vitest'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { pairForce } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { lennardJones } from '../../src/problem/interactions/lennard-jones.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { gradient, stencil } from '../../src/problem/workloads/grid.ts'
import {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  potentials,
  reduce,
  sum,
} from '../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import type { PairWorkload, Workload } from '../../src/problem/workloads/workload.ts'
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
  ['a slab', potentials(lennardJones(), { boundary: periodic([4, Infinity, 4]) }), particles],
  ['a vector sum', sum(biotSavart()), particles],
  ['a sum with a tolerance', potentials(gravity({ softening: 0.1 }), { method: tree({ tolerance: 0.01 }) }), particles],
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
  ['lists', neighborsWithin(1.5, { boundary: box }), particles],
  ['lists of all', neighborsWithin(Infinity), particles],
  ['a matrix', matrix(attributeSum()), particles],
  ['a map', map({ position: 'position + h*velocity', speed: ['velocity_x', 'mass'] }, { h: 0.1 }), particles],
  ['cell indices', cellIndex({ cells: [4, 4, 4], spacing: 1 }), particles],
  ['a stencil', stencil({ flow: 'k*(xp - xm)/hx' }, grid, { k: 3 }), field],
  ['a gradient', gradient({ ...grid, edges: 'clamp' }), field],
]

/** Replacements that make another workload, and a right one. */
const otherWorkloads = [
  /^domain\.cutoff = undefined$/,
  /^domain\.cutoff\.switchDistance = undefined$/,
  /^domain\.exclusions = \[\]$/,
  /^method = undefined$/,
  // A term of fewer components.
  /^law\.expressions\.\w+ = undefined$/,
]

/** Where something stands in data, and one place for something more in each object. */
function pathsIn(data: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof data !== 'object' || data === null) return [path]
  const inside = Object.entries(data).flatMap(([name, value]) => pathsIn(value, [...path, name]))
  return [...(path.length ? [path] : []), ...inside, [...path, Array.isArray(data) ? String(data.length) : 'more']]
}

function replaced(data: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  const copy = (Array.isArray(data) ? [...data] : { ...(data as object) }) as Record<string, unknown>
  const inner = replaced(copy[name], rest, value)
  if (inner === undefined) delete copy[name]
  else copy[name] = inner
  return copy
}

describe('a law from JSON', () => {
  const stored = (change: (law: Record<string, never>) => void) => {
    const law = JSON.parse(JSON.stringify(gravity({ G: 2, softening: 0.1 })))
    change(law)
    return law as Interaction
  }

  it('is checked by every function that takes a law', async () => {
    await using engine = await referenceEngine()
    const workload = JSON.parse(JSON.stringify(forces(gravity({ softening: 0.1 }))))
    workload.law.parameters.G = null
    const message = '"G" expected number, got null'
    await expect(engine.run(workload, particles)).rejects.toThrow(message)
    await expect(engine.prepare(workload, { count })).rejects.toThrow(message)
    await expect(engine.verify(workload, particles)).rejects.toThrow(message)
    await expect(engine.stream(workload, particles).next()).rejects.toThrow(message)
    await expect(engine.simulate({ law: workload.law, particles, dt: 1 })).rejects.toThrow(message)
    expect(() => accelerations(workload.law)).toThrow(message)
  })

  it.each<[string, (law: Record<string, unknown>) => void, string]>([
    [
      'parameters as text',
      (law) => Object.assign(law.parameters as object, { G: '2' }),
      '"G" expected number, got "2"',
    ],
    [
      'below a minimum',
      (law) => Object.assign(law.parameters as object, { softening: -1 }),
      '"softening" expected finite number >= 0, got -1',
    ],
    [
      'another kind',
      (law) => Object.assign(law, { kind: 'nonsense' }),
      '"law.kind" expected "potential" or "force" or "term", got "nonsense"',
    ],
    [
      'no expressions',
      (law) => Object.assign(law, { expressions: null }),
      '"law.expressions" expected an object, got null',
    ],
    [
      'a role too many',
      (law) => Object.assign(law.expressions as object, { x: '1' }),
      '"law.expressions.x" expected nothing, as its other fields say, got "1"',
    ],
    ['a misspelt field', (law) => Object.assign(law, { inertial: 'mass' }), '"law.inertial" expected nothing'],
  ])('is refused with %s', (_, change, message) => {
    expect(() => accelerations(stored(change))).toThrow(message)
  })

  it('is symmetric if its expressions are, whatever it claims', async () => {
    await using engine = await referenceEngine()
    const law = pairForce('mass_i*mass_j*mass_j')()
    const { force } = await engine.run(forces(law), particles)
    const lies = JSON.parse(JSON.stringify({ ...law, symmetric: true }))
    expect(forces(lies).law.symmetric).toBe(false)
    expect((await engine.run(forces(lies), particles)).force).toEqual(force)
  })

  it('uses its current contents, not those of an earlier run', async () => {
    await using engine = await referenceEngine()
    const workload = JSON.parse(JSON.stringify(forces(gravity({ softening: 0.1 }))))
    const { force } = await engine.run(workload as PairWorkload<'force'>, particles)
    workload.law.expressions.energy = '-2*G*mass_i*mass_j/sqrt(r^2 + softening^2)'
    const { force: twice } = await engine.run(workload as PairWorkload<'force'>, particles)
    for (const [n, f] of force.entries()) expect(twice[n]).toBeCloseTo(2 * f, 10)
  })
})

describe('a workload from JSON', () => {
  it.each(cases)('has the same results: %s', async (_, workload, data) => {
    const stored = JSON.parse(JSON.stringify(workload)) as Workload
    expect(stored).toEqual(workload)
    await using engine = await referenceEngine()
    const { report: _a, ...expected } = await engine.run(workload, data)
    const { report: _b, ...got } = await engine.run(stored, data)
    expect(got).toEqual(expected)
    expect(Object.keys(got)).toEqual([...workload.results])
  })

  it.each(cases)('has the same results, or an error, with any field replaced: %s', async (_, workload, data) => {
    await using engine = await referenceEngine()
    const { report: _a, ...expected } = await engine.run(workload, data)
    for (const path of pathsIn(workload)) {
      for (const value of [undefined, null, NaN, '', 'x', true, [], {}, { extra: 1 }]) {
        const what = `${path.join('.')} = ${JSON.stringify(value)}`
        if (otherWorkloads.some((other) => other.test(what))) continue
        const copy = replaced(workload, path, value) as Workload
        const got = await engine.run(copy, data).catch((error: unknown) => error)
        if (got instanceof Error)
          expect([what, got.message]).toEqual([what, expect.stringMatching(/expect|unknown name|needs/)])
        else
          expect([what, { ...(got as object), report: undefined }]).toEqual([what, { ...expected, report: undefined }])
      }
    }
  })

  it.each(cases)('comes from a frozen workload: %s', (_, workload) => {
    const parts = Object.values(workload).filter((part) => typeof part === 'object')
    expect([workload, ...parts].every(Object.isFrozen)).toBe(true)
  })
})
