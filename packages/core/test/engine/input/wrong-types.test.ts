// A wrong type in any place of a caller's data: the error names the place, the expected type and the given one.

import { beforeAll, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { radialDistribution } from '../../../src/engine/measures/radial-distribution.ts'
import { weightedMean } from '../../../src/engine/measures/weighted-mean.ts'
import { pairForce, pairPotential, pairTerm } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { inversePower, inversePowerLaw } from '../../../src/problem/interactions/inverse-power.ts'
import { lennardJones } from '../../../src/problem/interactions/lennard-jones.ts'
import { periodic } from '../../../src/problem/workloads/define-domain.ts'
import { gradient, stencil } from '../../../src/problem/workloads/grid.ts'
import {
  countWithin,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  potentials,
  reduce,
  sum,
} from '../../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../../src/problem/workloads/particle.ts'
import { leapfrog } from '../../../src/simulation/integrators.ts'
import { langevin } from '../../../src/simulation/noise/langevin.ts'
import { reference } from '../../../src/truth/reference/backend.ts'

const values = {
  null: null,
  true: true,
  one: 1,
  text: 'yes',
  'no list': [],
  list: [1],
  object: {},
  named: { a: 1 },
  function: () => {},
  NaN: Number.NaN,
  Map: new Map(),
  bigint: 1n,
  symbol: Symbol('s'),
  signal: new AbortController().signal,
  floats: new Float32Array(2),
}
type Value = keyof typeof values

const position = Float32Array.of(0, 0, 0, 1, 2, 2)
const points = { position, mass: Float32Array.of(1, 2) }
const law = forces(gravity())
const rows = matrix(gravity())
const moving = { law: gravity(), particles: { ...points, velocity: new Float32Array(6) }, dt: 1 }
const cells = [1, 2]

let engine: Engine
beforeAll(async () => {
  engine = await createEngine({ backends: [reference()] })
})

// biome-ignore lint/suspicious/noExplicitAny: a value of any type goes where it does not belong
type Call = (value: any) => unknown
/** The name of the place in messages, the types that do belong there, and a call with the value in that place. */
const places: readonly [place: string, right: readonly Value[], call: Call][] = [
  ['workload', [], (v) => engine.run(v, points)],
  ['particles|position', [], (v) => engine.run(law, v)],
  ['run option', ['object'], (v) => engine.run(law, points, v)],
  ['position', ['no list'], (v) => engine.run(law, { position: v, mass: [] })],
  ['mass', ['floats'], (v) => engine.run(law, { position, mass: v })],
  ['dimension', ['one'], (v) => engine.run(law, { ...points, dimension: v })],
  ['targets', [], (v) => engine.run(law, { targets: v, sources: points })],
  ['sources', [], (v) => engine.run(law, { targets: points, sources: v })],
  ['field', ['floats'], (v) => engine.run(gradient({ cells, spacing: 1 }), { field: v })],
  ['q', ['no list', 'list', 'floats'], (v) => engine.run(map({ a: '2*q' }), { q: v })],
  ['signal', ['signal'], (v) => engine.run(law, points, { signal: v })],
  ['onProgress', ['function'], (v) => engine.run(law, points, { onProgress: v })],
  ['parameter', ['object'], (v) => engine.run(law, points, { parameters: v })],
  ['G', ['one'], (v) => engine.run(law, points, { parameters: { G: v } })],
  ['name.? of a plan', ['object'], (v) => engine.run(law, points, { plan: v })],
  ['variant', ['text'], (v) => engine.run(law, points, { plan: { variant: v } })],
  ['sizes', ['object', 'named'], (v) => engine.run(law, points, { plan: { variant: 'a', sizes: v } })],
  ['into|result', ['object'], (v) => engine.run(law, points, { into: v })],
  ['into.force', [], (v) => engine.run(law, points, { into: { force: v } })],
  ['option.? of verify', ['object'], (v) => engine.verify(law, points, v)],
  ['sample', ['one'], (v) => engine.verify(law, points, { sample: v })],
  ['signal', ['signal'], (v) => engine.verify(law, points, { signal: v })],
  ['workload', [], (v) => engine.stream(v, points).next()],
  ['option.? of stream', ['object'], (v) => engine.stream(rows, points, v).next()],
  ['rows', ['one'], (v) => engine.stream(rows, points, { rows: v }).next()],
  ['signal', ['signal'], (v) => engine.stream(rows, points, { signal: v }).next()],
  ['onProgress', ['function'], (v) => engine.stream(rows, points, { onProgress: v }).next()],
  ['shape', [], (v) => engine.prepare(law, v)],
  ['count', ['one'], (v) => engine.prepare(law, { count: v })],
  ['name.? of a plan', ['object'], (v) => engine.prepare(law, { count: 2 }, v)],
  ['run option', ['object'], async (v) => (await engine.prepare(law, { count: 2 })).run(points, v)],
  ['simulation option|dt', [], (v) => engine.simulate(v)],
  ['law', [], (v) => engine.simulate({ ...moving, law: v })],
  ['particles|position', [], (v) => engine.simulate({ ...moving, particles: v })],
  ['velocity', [], (v) => engine.simulate({ ...moving, particles: { ...points, velocity: v } })],
  ['integrator', [], (v) => engine.simulate({ ...moving, integrator: v })],
  ['name', ['text'], (v) => engine.simulate({ ...moving, integrator: { ...leapfrog, name: v } })],
  ['order', ['one'], (v) => engine.simulate({ ...moving, integrator: { ...leapfrog, order: v } })],
  ['integrator', ['no list', 'Map'], (v) => engine.simulate({ ...moving, integrator: { ...leapfrog, stages: v } })],
  ['stages\\[0\\]', [], (v) => engine.simulate({ ...moving, integrator: { ...leapfrog, stages: [v] } })],
  ['dt', ['one'], (v) => engine.simulate({ ...moving, dt: v })],
  ['domain option', ['object'], (v) => engine.simulate({ ...moving, domain: v })],
  ['count', ['one'], async (v) => (await engine.simulate(moving)).step(v)],
  ['option.? of step', ['object'], async (v) => (await engine.simulate(moving)).step(1, v)],
  ['signal', ['signal'], async (v) => (await engine.simulate(moving)).step(1, { signal: v })],
  ['onProgress', ['function'], async (v) => (await engine.simulate(moving)).step(1, { onProgress: v })],
  ['name', [], async (v) => (await engine.simulate(moving)).read(v)],
  ['snapshot', [], (v) => engine.resume(v)],
  ['name', [], async (v) => (await engine.simulate(moving)).write(v, position)],
  ['groups', ['one'], (v) => engine.total({ m: 'mass' }, { mass: [1, 2] }, { by: '0', groups: v })],
  ['work', ['function'], (v) => engine.recovering(v)],
  ['engine', [], (v) => weightedMean(v, { score: '-r2', value: '1' }, points)],
  ['option.? of weightedMean|score', [], (v) => weightedMean(engine, v, points)],
  ['engine', [], (v) => radialDistribution(v, points, { bins: 1, farthest: 1, volume: 1 })],
  ['option.? of radialDistribution|bins', [], (v) => radialDistribution(engine, points, v)],
  ['law', [], (v) => forces(v)],
  ['domain option', ['object'], (v) => forces(gravity(), v)],
  ['self', [], (v) => forces(gravity(), { self: v })],
  ['boundary', [], (v) => forces(gravity(), { boundary: v })],
  ['cutoff', ['one', 'text'], (v) => forces(gravity(), { cutoff: v })],
  ['switchDistance', [], (v) => forces(gravity(), { cutoff: 1, switchDistance: v })],
  ['shift', ['true'], (v) => forces(gravity(), { cutoff: 1, shift: v })],
  ['shift', [], (v) => forces(gravity(), { shift: v })],
  ['exclusions', ['no list', 'Map'], (v) => forces(gravity(), { exclusions: v })],
  ['term', [], (v) => sum(v)],
  ['law', [], (v) => potentials(v)],
  ['term', [], (v) => matrix(v)],
  ['operation', [], (v) => reduce(v, gravity())],
  ['term', [], (v) => reduce('min', v)],
  ['k', ['one'], (v) => nearest(v)],
  ['option.? of nearest|term', ['object'], (v) => nearest(1, v)],
  ['radius', ['one', 'text'], (v) => countWithin(v)],
  ['option.? of countWithin|term', ['object'], (v) => countWithin(1, v)],
  ['limit', ['one'], (v) => countWithin(v, gravity())],
  ['radius', ['one', 'text'], (v) => neighborsWithin(v)],
  ['option.? of neighborsWithin', ['object'], (v) => neighborsWithin(1, v)],
  ['lengths', ['list'], (v) => periodic(v)],
  ['"b', [], (v) => periodic({ a: [1, 0], b: v })],
  ['outputs|"a"', [], (v) => map(v)],
  ['parameters', ['object', 'named'], (v) => map({ a: 'q' }, v)],
  ['h', ['one'], (v) => map({ a: 'q' }, { h: v })],
  ['outputs|"a"', [], (v) => stencil(v, { cells, spacing: 1 })],
  ['grid option|cells', [], (v) => stencil({ a: 'c' }, v)],
  ['cells', ['list'], (v) => gradient({ cells: v, spacing: 1 })],
  ['spacing', ['one'], (v) => gradient({ cells, spacing: v })],
  ['origin', [], (v) => gradient({ cells, spacing: 1, origin: v })],
  ['edges', [], (v) => gradient({ cells, spacing: 1, edges: v })],
  ['grid option|cells', [], (v) => cellIndex(v)],
  ['parameter.? of gravity', ['object'], (v) => gravity(v)],
  ['G', ['one'], (v) => gravity({ G: v })],
  ['option.? of lennardJones', ['object'], (v) => lennardJones(v)],
  ['mixing', [], (v) => lennardJones({ mixing: v })],
  ['epsilon', ['one'], (v) => lennardJones({ epsilon: v, sigma: 1 })],
  ['option.? of inversePower', ['object'], (v) => inversePower(v)],
  ['exponent', ['one'], (v) => inversePower({ exponent: v })],
  ['exponent', ['one'], (v) => inversePowerLaw(v)],
  ['dimension', ['one'], (v) => langevin({ temperature: 1, friction: 1, seed: 1, dimension: v })],
  ['option.? of a law', ['object'], (v) => pairPotential('r', v)],
  ['parameters', ['no list', 'object', 'named'], (v) => pairPotential('r', { parameters: v })],
  ['name', ['text'], (v) => pairPotential('r', { name: v })],
  ['inertia', ['text'], (v) => pairPotential('r', { inertia: v })],
  ['minimum', ['object'], (v) => pairPotential('k*r', { parameters: { k: 1 }, minimum: v })],
  ['minimum.k', ['one'], (v) => pairPotential('k*r', { parameters: { k: 1 }, minimum: { k: v } })],
  ['sampling', ['object', 'named'], (v) => pairPotential('r', { sampling: v })],
  ['k', ['one'], (v) => pairPotential('k*r', { parameters: { k: v } })()],
  ['expression|component', ['text'], (v) => pairForce(v)],
  ['expression', ['text'], (v) => pairForce({ x: v, y: '1' })],
  ['term|components|expression', ['text'], (v) => pairTerm(v)],
  ['expression', ['text'], (v) => pairTerm({ a: v })],
  ['engine option|backends', [], (v) => createEngine(v)],
  ['backend', [], (v) => createEngine({ backends: [reference()], backend: v })],
  ['require', ['no list'], (v) => createEngine({ backends: [reference()], require: v })],
  ['forbid', ['no list'], (v) => createEngine({ backends: [reference()], forbid: v })],
  ['precision', [], (v) => createEngine({ backends: [reference()], precision: v })],
  ['threads', ['one'], (v) => createEngine({ backends: [reference()], threads: v })],
  ['tune', [], (v) => createEngine({ backends: [reference()], tune: v })],
]

it.each(places)('%s: a wrong type is rejected by name (%#)', async (place, right, call) => {
  const wrong = (Object.keys(values) as Value[]).filter((value) => !right.includes(value))
  for (const name of wrong) {
    const error: unknown = await (async () => call(values[name]))().then(
      () => 'no error',
      (thrown: unknown) => thrown,
    )
    const told = `${name}: ${error}`
    expect(told).toMatch(/: (TypeError|RangeError): "[^"]*" (expected|is not an?|needs) /)
    expect(told).toMatch(new RegExp(place))
  }
})
