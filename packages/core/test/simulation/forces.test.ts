// Descriptions of several forces that a simulation refuses before anything moves.

import { describe, expect, it } from 'vitest'
import { pairForce, pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { anglePotential, dihedralPotential } from '../../src/simulation/forces/angle-law.ts'
import { externalForce, externalPotential } from '../../src/simulation/forces/external-force.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import { firstOrderRungeKutta4, rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const particles = { position: Float64Array.of(0, 0, 0, 1, 0, 0), mass: Float64Array.of(1, 2) }
const trap = externalPotential('k*mass*position_x^2/2', { name: 'trap', parameters: { k: 1 } })
const bond = pairPotential('k*(r - rest)^2/2', {
  name: 'bond',
  inertia: 'mass',
  parameters: { k: 1, rest: 1 },
  minimum: { rest: 0 },
})
const twist = dihedralPotential('k*cos(phi)', { name: 'twist', inertia: 'mass', parameters: { k: 1 } })
const bend = anglePotential('k*(theta - 2)^2', { name: 'bend', parameters: { k: 1 } })
const friction = pairForce('velocity_x_j - velocity_x_i', { name: 'friction', inertia: 'mass' })

describe('before anything moves, a simulation refuses', () => {
  it.each<[name: string, options: object, message: string]>([
    ['no forces', { forces: [] }, '"forces" expected a list of forces, such as [gravity()], got an empty one'],
    [
      'forces that are no list',
      { forces: gravity() },
      '"forces" expected a list of forces, such as [gravity()], got Object',
    ],
    [
      'a law beside forces',
      { law: gravity(), forces: [gravity()] },
      '"law" belongs to a single force; with "forces", write { law, ...domain }',
    ],
    ['a domain beside forces', { forces: [gravity()], domain: { cutoff: 1 } }, '"domain" belongs to a single force'],
    [
      'a law that was not called',
      { forces: [gravity] },
      '"forces[0]" expected an interaction such as gravity(), { law, ...domain }, bonds, angles, dihedrals or an external force, got a law that was not called',
    ],
    [
      'a misspelt option',
      { forces: [{ law: gravity(), cutof: 1 }] },
      '"cutof" is not a part of forces[0]; expected law, scale, self, boundary, cutoff',
    ],
    [
      'a scale that is not a number',
      { forces: [{ law: gravity(), scale: NaN }] },
      '"forces[0].scale" expected finite number, got NaN',
    ],
    [
      'a box of two lengths',
      { forces: [gravity(), { law: gravity(), boundary: periodic([4, 4]) }] },
      '"boundary" expected 3 lengths',
    ],
    [
      'two masses',
      { forces: [gravity(), externalForce('position', { inertia: 'weight' })()] },
      '"forces" expected the same inertia in all, got mass and weight; a point has one mass',
    ],
    [
      'no mass at all',
      { forces: [externalForce('-position')()] },
      '"forces" expected a force with inertia; define one with',
    ],
    [
      'bonds without a mass',
      { forces: [{ law: pairPotential('(r - 1)^2')(), bonds: [[0, 1]] }] },
      '"forces" expected a force with inertia; define one with',
    ],
    [
      'another name for velocities',
      {
        forces: [gravity()],
        particles: { position: new Float64Array(9), mass: [1, 1, 1], velocities: new Float64Array(9) },
      },
      '"velocities" expected the name velocity; rename the attribute',
    ],
    [
      'a mass that the points do not have',
      { forces: [externalForce('-position', { inertia: 'weight' })()] },
      '"weight" expected an attribute of the particles, as it divides the forces, got nothing',
    ],
    [
      'a mass of 0 under an external force',
      { forces: [gravity(), externalForce('position', { name: 'wind' })()], particles: { ...particles, mass: [0, 1] } },
      '"mass" expected numbers other than 0, as acceleration is force divided by it, got 0 at index 0, where "wind" acts; give the point a mass, or the law a factor of mass, which cancels',
    ],
    [
      'a mass of 0 at the end of a spring',
      { forces: [{ law: bond(), bonds: [[0, 1]] }], particles: { ...particles, mass: [1, 0] } },
      'got 0 at index 1, where "bond" acts',
    ],
    [
      'a mass of 0 under a law that does not cancel it',
      {
        forces: [pairPotential('1/r', { name: 'repulsion', inertia: 'mass' })()],
        particles: { ...particles, mass: [0, 1] },
      },
      'got 0 at index 0, where "repulsion" acts',
    ],
    [
      'a mass of 0 under noise',
      {
        forces: [gravity()],
        integrator: langevin({ temperature: 1, friction: 1, seed: 1 }),
        particles: { ...particles, mass: [1, 0] },
      },
      '"mass" expected numbers > 0 with Langevin, whose noise is divided by it, got 0 at index 1; give the point a mass, or list it in "fixed"',
    ],
    [
      'a thermostat in 3-D for points in 2-D',
      {
        forces: [gravity()],
        integrator: langevin({ temperature: 1, friction: 1, seed: 1 }),
        particles: { position: [0, 0, 1, 0], mass: [1, 2], dimension: 2 },
      },
      '"integrator.stages[2].outputs.velocity" expected 2 components, as the points are in 2-D, got 3; make the integrator for 2-D, as langevin({ dimension: 2, ... }) does',
    ],
    [
      'a thermostat in 2-D for points in 3-D',
      { forces: [gravity()], integrator: langevin({ temperature: 1, friction: 1, seed: 1, dimension: 2 }) },
      'outputs.velocity" expected 3 components, as the points are in 3-D, got 2',
    ],
    [
      'a negative mass',
      { forces: [gravity()], particles: { ...particles, mass: [1, -1] } },
      '"mass" expected numbers >= 0, got -1 at index 1',
    ],
    [
      'an external force that reads an unknown name',
      { forces: [gravity(), externalForce('-drag*velocity')()] },
      '"drag" expected an attribute or a parameter; given attributes: position',
    ],
    [
      'an external potential without a force that reads an unknown name',
      { forces: [gravity(), externalPotential('-sqrt(typo)')()] },
      '"typo" expected an attribute or a parameter; given attributes: position',
    ],
    [
      'an external potential that adds an unknown name',
      { forces: [gravity(), externalPotential('position_x^2 + typo')()] },
      '"typo" expected an attribute or a parameter; given attributes: position',
    ],
    [
      'an external force of one number',
      { forces: [gravity(), externalForce('mass', { name: 'pull' })()] },
      '"pull" expected a force of 3 components, as points are in 3-D, got 1',
    ],
    [
      'an external energy of a vector',
      { forces: [gravity(), externalPotential('mass*position', { name: 'ramp' })()] },
      '"ramp" expected an energy, one number per point, got an expression of the vector "position"; write position_x',
    ],
    [
      'an attribute with the name of the time',
      { forces: [trap(), gravity()], particles: { ...particles, time: [1, 2] } },
      '"time" is the time of the simulation in trap; rename the attribute',
    ],
    [
      'an attribute with a name of ours',
      { forces: [gravity()], particles: { ...particles, simulationStep: [1, 2] } },
      `"simulationStep" is a name of the simulation's own arrays; rename the attribute`,
    ],
    [
      'bonds that are no list',
      { forces: [{ law: bond(), bonds: 3 }] },
      '"forces[0].bonds" expected a list of pairs [a, b], got 3',
    ],
    [
      'a bond of three',
      { forces: [{ law: bond(), bonds: [[0, 1, 2]] }] },
      '"forces[0].bonds[0]" expected a pair [a, b], got 3 of them',
    ],
    [
      'a bond of a point with itself',
      { forces: [{ law: bond(), bonds: [[1, 1]] }] },
      '"forces[0].bonds[0]" expected two points, got point 1 twice',
    ],
    [
      'a bond to a missing point',
      {
        forces: [
          {
            law: bond(),
            bonds: [
              [0, 1],
              [1, 2],
            ],
          },
        ],
      },
      '"bonds[1]" of bond expected indices of the 2 points, got 2',
    ],
    [
      'no numbers of bonds',
      { forces: [{ law: bond(), bonds: [[0, 1]], attributes: { k: null } }] },
      '"forces[0].attributes.k" expected Float32Array, Float64Array or a list of numbers, got null',
    ],
    [
      'numbers of too many bonds',
      { forces: [{ law: bond(), bonds: [[0, 1]], attributes: { k: [1, 2] } }] },
      '"forces[0].attributes.k" expected length 1, one number per bond, got 2',
    ],
    [
      'numbers of bonds that the law does not have',
      { forces: [{ law: bond(), bonds: [[0, 1]], attributes: { stiffness: [1] } }] },
      '"stiffness" is not a parameter of bond; expected k, rest',
    ],
    [
      'numbers of bonds below the minimum',
      { forces: [{ law: bond(), bonds: [[0, 1]], attributes: { rest: [-1] } }] },
      '"forces[0].attributes.rest" expected finite number >= 0, got -1',
    ],
    [
      'a cutoff of bonds',
      { forces: [{ law: bond(), bonds: [[0, 1]], cutoff: 2 }] },
      '"cutoff" is not a part of forces[0]; expected law, bonds, attributes, boundary, scale',
    ],
    [
      'bonds without a law',
      { forces: [{ bonds: [[0, 1]] }] },
      '"forces[0].law" expected an interaction, such as a spring, got undefined',
    ],
    [
      'bonds in a box of two lengths',
      { forces: [{ law: bond(), bonds: [[0, 1]], boundary: periodic([4, 4]) }] },
      '"boundary" expected 3 lengths',
    ],
    [
      'an angle of two',
      { forces: [gravity(), { law: bend(), angles: [[0, 1]] }] },
      '"forces[1].angles[0]" expected a triple [a, vertex, b], got 2 of them',
    ],
    [
      'an angle with a point twice',
      { forces: [gravity(), { law: bend(), angles: [[0, 1, 0]] }] },
      '"forces[1].angles[0]" expected three points, got point 0 twice',
    ],
    [
      'an angle at a missing point',
      { forces: [gravity(), { law: bend(), angles: [[0, 2, 1]] }] },
      '"angles[0]" of bend expected indices of the 2 points, got 2',
    ],
    [
      'a law of distances for angles',
      { forces: [gravity(), { law: bond(), angles: [[0, 1, 2]] }] },
      '"forces[1].law" expected an angle potential, got Object',
    ],
    [
      'an angle potential for bonds',
      { forces: [gravity(), { law: bend(), bonds: [[0, 1]] }] },
      '"forces[1].law" expected an interaction, such as a spring, got Object',
    ],
    [
      'numbers of angles that the law does not have',
      { forces: [gravity(), { law: bend(), angles: [], attributes: { rest: [] } }] },
      '"rest" is not a parameter of bend; expected k',
    ],
    [
      'angles in a box of two lengths',
      {
        forces: [gravity(), { law: bend(), angles: [[0, 1, 2]], boundary: periodic([4, 4]) }],
        particles: { position: new Float64Array(9), mass: [1, 1, 1] },
      },
      '"boundary" expected 3 lengths',
    ],
    [
      'angles without an inertia',
      { forces: [{ law: bend(), angles: [] }] },
      '"forces" expected a force with inertia; define one with',
    ],
    [
      'a dihedral of three',
      { forces: [{ law: twist(), dihedrals: [[0, 1, 2]] }] },
      '"forces[0].dihedrals[0]" expected a quadruple [a, b, c, d], got 3 of them',
    ],
    [
      'a dihedral with a point twice',
      { forces: [{ law: twist(), dihedrals: [[0, 1, 2, 0]] }] },
      '"forces[0].dihedrals[0]" expected four points, got point 0 twice',
    ],
    [
      'a law of angles for dihedrals',
      { forces: [{ law: bend(), dihedrals: [] }] },
      '"forces[0].law" expected a dihedral potential, got',
    ],
    [
      'dihedrals in a plane',
      {
        forces: [{ law: twist(), dihedrals: [[0, 1, 2, 3]] }],
        particles: { position: new Float64Array(8), mass: [1, 1, 1, 1], dimension: 2 },
      },
      '"dihedrals" of twist expected points in 3-D, got 2-D, where no angle turns',
    ],
    [
      'a rule for steps without limits',
      { forces: [gravity()], dt: { length: 1 } },
      '"dt.shortest" expected number, got undefined',
    ],
    [
      'a step of pairs that is no text',
      { forces: [gravity()], dt: { pairs: 0.1 as never, shortest: 1, longest: 2 } },
      '"dt.pairs" expected one expression of a pair, got 0.1',
    ],
    [
      'a rule for pairs alone that is left out',
      { forces: [gravity()], dt: { pairs: undefined as never, shortest: 1, longest: 2 } },
      '"dt.pairs" expected one expression of a pair, got undefined',
    ],
    [
      'a step of pairs by an unknown attribute',
      { forces: [gravity()], dt: { pairs: 'r/(size_i + size_j)', shortest: 1, longest: 2 } },
      '"size" expected Float32Array, Float64Array or a list of numbers, as the step that a pair allows reads it',
    ],
    [
      'a part that belongs to a rule for points, beside one for pairs',
      { forces: [gravity()], dt: { pairs: 'r', accuracy: 1, shortest: 1, longest: 2 } as never },
      '"dt.length" expected number, got undefined',
    ],
    [
      'limits of steps in the wrong order',
      { forces: [gravity()], dt: { length: 1, shortest: 2, longest: 1 } },
      '"dt.longest" expected a number >= "dt.shortest", which is 2, got 1',
    ],
    [
      'a rule for steps that reads an unknown name',
      { forces: [gravity()], dt: { step: 'speed', shortest: 1, longest: 2 } },
      '"speed" expected an attribute or a parameter; given attributes: position',
    ],
    [
      'a rule for steps of vectors',
      { forces: [gravity()], dt: { step: 'velocity', shortest: 1, longest: 2 } },
      '"dt.step" expected one number per point, got an expression of vectors',
    ],
    [
      'a rule for steps with a part of another',
      { forces: [gravity()], dt: { step: 'mass', accuracy: 1, shortest: 1, longest: 2 } },
      '"accuracy" is not a part of dt; expected shortest, longest, step, pairs, parameters',
    ],
    [
      'fixed points that are no list',
      { forces: [gravity()], fixed: 1 },
      '"fixed" expected a list of indices of points, got 1',
    ],
    [
      'a fixed point that is missing',
      { forces: [gravity()], fixed: [0, 2] },
      '"fixed" expected indices of the 2 points, got 2',
    ],
    [
      'a fixed point that moves',
      { forces: [gravity()], fixed: [1], particles: { ...particles, velocity: [0, 0, 0, 0, 1, 0] } },
      '"fixed" expected points without velocity, got point 1, which moves',
    ],
    [
      'velocities in first-order motion',
      {
        forces: [gravity()],
        integrator: firstOrderRungeKutta4,
        particles: { ...particles, velocity: particles.position },
      },
      '"velocity" is computed by the simulation; leave it out of the particles',
    ],
    [
      'laws of velocities in first-order motion',
      { forces: [friction()], integrator: firstOrderRungeKutta4 },
      '"friction" reads velocities, which in first-order motion the forces give',
    ],
    [
      'a motion that there is not',
      { forces: [gravity()], integrator: { ...rungeKutta4, motion: 'third' } },
      '"integrator.motion" expected "second-order" or "first-order", got "third"',
    ],
    [
      'an attribute where the integrator keeps its own',
      { forces: [gravity()], integrator: rungeKutta4, particles: { ...particles, sumVelocity: particles.position } },
      '"integrator.scratch" expected names other than position, velocity, mass, sumVelocity',
    ],
    [
      'a time of a force that is not a number',
      { forces: [gravity()], integrator: { name: 'x', order: 1, stages: [{ kind: 'force', at: '1' }] } },
      '"integrator.stages[0].at" expected number, got "1"',
    ],
  ])('%s', async (_, options, message) => {
    await using engine = await referenceEngine()
    const given = { particles, dt: 0.01, ...options } as unknown as SimulationOptions
    await expect(engine.simulate(given)).rejects.toThrow(message)
  })

  it.each<[name: string, define: () => unknown, message: string]>([
    ['text that does not parse', () => externalForce('-drag*'), 'expected'],
    [
      'no text',
      () => externalPotential(1 as never),
      '"external potential" expected an expression, or a list of one per component, got 1',
    ],
    ['an unknown parameter', () => trap({ k2: 1 } as never), '"k2" is not a parameter of trap; expected k'],
    ['a parameter that is not a number', () => trap({ k: Infinity }), '"k" expected finite number, got Infinity'],
    [
      'a parameter with the name of the time',
      () => externalForce('time', { parameters: { time: 1 } }),
      '"parameters" expected names other than pi, time',
    ],
    [
      'an unknown option',
      () => externalForce('-position', { mass: 'm' } as never),
      '"mass" is not an option of an external force; expected name, parameters, functions, inertia',
    ],
  ])('%s of an external force', (_, define, message) => {
    expect(define).toThrow(message)
  })
})

it('a refused write changes nothing', async () => {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({ forces: [gravity(), trap()], particles, fixed: [0], dt: 0.01 })
  await simulation.step(3)
  const before = await simulation.snapshot()
  const refused: readonly (readonly [string, readonly number[], string])[] = [
    ['acceleration', new Array(6).fill(0), '"name" expected one of position, velocity, mass, got "acceleration"'],
    ['speed', [1, 2], '"name" expected one of position, velocity, mass, got "speed"'],
    ['mass', [1, 2, 3], '"mass" expected length 2, as before, got 3'],
    ['mass', [-1, 1], '"mass" expected numbers >= 0, got -1 at index 0'],
    ['position', [0, 0, 0, NaN, 0, 0], '"position" expected finite numbers, got NaN at index 3'],
    ['velocity', [1, 0, 0, 0, 0, 0], '"fixed" expected points without velocity, got point 0, which moves'],
  ]
  for (const [name, numbers, message] of refused)
    await expect(async () => simulation.write(name, numbers)).rejects.toThrow(message)
  expect(await simulation.snapshot()).toEqual(before)
  await expect(simulation.pressure()).rejects.toThrow(
    '"volume" expected a number, because the forces have no periodic box',
  )
  await expect(simulation.temperature({ boltzmann: 0 })).rejects.toThrow(
    '"boltzmann" expected finite number > 0, got 0',
  )
})

it('a snapshot of several forces and fixed points is checked as typed input is', async () => {
  await using engine = await referenceEngine()
  const simulation = await engine.simulate({ forces: [gravity(), trap()], particles, fixed: [0], dt: 0.01 })
  const good = await simulation.snapshot()
  const changed = { ...good, checksum: undefined }
  await expect(engine.resume({ ...good, fixed: [1] })).rejects.toThrow(
    '"fixed" does not match the checksum of the snapshot',
  )
  await expect(engine.resume({ ...good, forces: [gravity()] })).rejects.toThrow('"forces" does not match the checksum')
  await expect(engine.resume({ ...changed, fixed: [5] })).rejects.toThrow(
    '"fixed" expected indices of the 2 points, got 5',
  )
  await expect(engine.resume({ ...changed, fixed: null as never })).rejects.toThrow(
    '"fixed" expected a list of indices of points, got null',
  )
  const wrong = { ...trap(), kind: 'external field' } as never
  await expect(engine.resume({ ...changed, forces: [gravity(), wrong] })).rejects.toThrow('"force.kind" expected')
})

it('an empty list of bonds exerts no force', async () => {
  await using engine = await referenceEngine()
  const none = await engine.simulate({ forces: [{ law: bond(), bonds: [] }], particles, dt: 0.01 })
  expect(await none.read('acceleration')).toEqual(new Float64Array(6))
  expect((await none.energy()).potential).toBe(0)
})

it('an empty list of bonds may leave vectors that no other law reads', async () => {
  await using engine = await referenceEngine()
  const law = pairPotential('r2*exp(-sqdist(f_i, f_j))', { inertia: 'mass' })()
  const featured = { ...particles, f: [1, 2, 3, 4, 5, 6, 7, 8] }
  const simulation = await engine.simulate({ forces: [gravity(), { law, bonds: [] }], particles: featured, dt: 0.01 })
  await simulation.step(1)
  const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
  expect(await resumed.read('f')).toEqual(Float64Array.from(featured.f))
})

it('points without velocities may have an attribute whose name only begins like theirs', async () => {
  await using engine = await referenceEngine()
  const named = { ...particles, velocityScale: [1, 2] }
  const simulation = await engine.simulate({
    forces: [gravity(), externalForce('velocityScale*position', { inertia: 'mass' })()],
    particles: named,
    dt: 0.01,
  })
  expect(await simulation.read('acceleration')).toHaveLength(6)
})
