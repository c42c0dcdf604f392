// Tabulated functions of external forces: values with no pairs, wrong input, and messages. `tests/support/simulations/computed.ts` has embedded
// atoms on every backend.

import { describe, expect, test } from 'vitest'
import { overLinks } from '../../src/engine/links/over-links.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { anglePotential } from '../../src/simulation/forces/angle-law.ts'
import { externalForce, externalPotential } from '../../src/simulation/forces/external-force.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const mass = { inertia: 'mass' } as const
/** A spline through points of a line is the line. */
const line = (slope: number, from = -2, to = 6) => ({ from, to, values: [slope * from, slope * to] })
const particles = { position: [0, 0, 0, 1, 0, 0, 2.5, 0, 0], mass: [1, 2, 1], kind: [0, 1, 0] }
const near = { law: pairTerm('mass_j*max(0, 2 - r)')(), cutoff: 2 }
const spring = pairPotential('0.1*(r - 1)^2', mass)

const simulationOf = async (options: Record<string, unknown>) => {
  const engine = await referenceEngine()
  return engine.simulate({ forces: [spring()], particles, dt: 0.01, ...options } as unknown as SimulationOptions)
}

test('functions read a coordinate, another function, a parameter, the kind and the time', async () => {
  const force = externalForce(['k*F[kind](position_x + time)', '0', 'H(F[kind](position_x))'], {
    ...{ ...mass, parameters: { k: 1 } },
    functions: { F: [line(1), line(-3)], H: line(10, -20, 20) },
  })
  const simulation = await simulationOf({ forces: [force({ k: 2 })], t0: 1 })
  const acceleration = await simulation.read('acceleration')
  const wanted = [0, 1, 2.5].map((x, n) => {
    const F = (at: number) => (n === 1 ? -3 : 1) * at
    return [2 * F(x + 1), 0, 10 * F(x)].map((f) => f / (particles.mass[n] as number))
  })
  for (const [n, a] of wanted.flat().entries()) expect(acceleration[n]).toBeCloseTo(a, 12)
})

test('two forces with one function keep their parameters', async () => {
  const pull = externalForce(['k*0 + F(k*position_x)', '0', '0'], {
    ...mass,
    parameters: { k: 1 },
    functions: { F: line(1) },
  })
  const simulation = await simulationOf({ forces: [pull({ k: 1 }), pull({ k: 2 })] })
  const acceleration = await simulation.read('acceleration')
  expect([acceleration[3], acceleration[6]]).toEqual([expect.closeTo(1.5, 12), expect.closeTo(7.5, 12)])
  await simulation.write('forces[1].k', 0.5)
  expect((await simulation.read('acceleration'))[6]).toBeCloseTo(3.75, 12)
})

test('an argument reads any attribute, whatever its name', async () => {
  const squares = { from: -2, to: 6, values: [4, 1, 0, 1, 4, 9, 16, 25, 36] }
  const cubes = { from: -3, to: 4, values: [-27, -8, -1, 0, 1, 8, 27, 64] }
  for (const name of ['offrom', 'ofto', 'ofscale', 'oflast', 'offirst', 'ofx', 'curvefrom', 'curvex', 'from', 'step']) {
    const force = externalForce([`F[kind](${name}) + H(${name})`, '0', '0'], {
      ...mass,
      functions: { F: [squares, cubes], H: cubes },
    })
    const simulation = await simulationOf({ forces: [force()], particles: { ...particles, [name]: [3, -2, 4] } })
    const acceleration = await simulation.read('acceleration')
    const wanted = [9 + 27, (-8 - 8) / 2, 16 + 64]
    for (const [point, a] of wanted.entries()) expect(acceleration[3 * point], name).toBeCloseTo(a, 12)
  }
})

test('points on a line have kinds', async () => {
  const force = externalForce(['F[kind](position_x)'], { ...mass, functions: { F: [line(1), line(-3)] } })
  const simulation = await simulationOf({
    forces: [force()],
    particles: { dimension: 1, position: [1, 2, 3], mass: [1, 1, 2], kind: [0, 1, 0] },
  })
  expect([...(await simulation.read('acceleration'))]).toEqual([1, -6, 1.5].map((a) => expect.closeTo(a, 12)))
})

test('survive JSON', () => {
  const force = externalPotential('F(position_x)', { ...mass, functions: { F: line(1) } })()
  expect(JSON.parse(JSON.stringify(force))).toEqual({ ...force, functions: { F: { ...line(1), outside: 'error' } } })
})

test('a number beyond the ends is named', async () => {
  const law = externalPotential('F(s*density)', { ...mass, functions: { F: line(1, 0, 3) }, parameters: { s: 1 } })
  const simulation = await simulationOf({ computed: { density: near }, forces: [spring(), law({ s: 2 })] })
  await expect(simulation.energy()).rejects.toThrow(
    'in F(s*density), at point 0, the function F is tabulated from 0 to 3, and s * density is 4',
  )
})

describe('what is not finite is named:', () => {
  const F = line(1, 0, 2)
  const E = { ...F, outside: 'edge' }
  const angles = [[0, 1, 2]]
  const potential = (text: string, functions: object) =>
    externalPotential(text, { ...mass, functions: functions as never })()
  const bend = (text: string, functions: object) => ({
    law: anglePotential(text, { ...mass, functions: functions as never })(),
    angles,
  })
  test.each<[string, unknown, string]>([
    [
      'a function by kind, not the one with an edge',
      potential('E(2*position_x) + K[kind](position_x)', { E, K: [F, line(1, 0, 4)] }),
      ', at point 2, the function K is tabulated from 0 to 2, and position_x is 2.5',
    ],
    [
      'a function of a function',
      potential('F(H(position_x))', { F, H: line(1) }),
      ', at point 2, the function F is tabulated from 0 to 2, and its argument is 2.5',
    ],
    ['an operation beside a function', potential('E(position_x)*sqrt(negative)', { E }), 'sqrt(negative) is NaN'],
    ['an argument', potential('position_x*F(sqrt(negative))', { F }), 'sqrt(negative) is NaN for an operand of -1'],
    [
      'a function of an angle',
      bend('F(theta/4) + F(theta)', { F }),
      'which is 3.142, has no finite value: the function F is tabulated from 0 to 2, and theta is 3.141593',
    ],
    [
      'a bond by kinds',
      {
        law: pairPotential('u[kind_i, kind_j](r)', {
          ...mass,
          functions: {
            u: [
              [F, F],
              [F, line(1, 0, 1.25)],
            ],
          },
        })(),
        bonds: [
          [0, 1],
          [0, 2],
        ],
      },
      'points 0 and 2 of bond 1, which are 2.5 apart: the function u is tabulated from 0 to 2',
    ],
  ])('%s', async (_, force, message) => {
    const negative = [-1, -1, -1]
    const simulation = await simulationOf({ forces: [force], particles: { ...particles, negative } })
    await expect(simulation.read('acceleration')).rejects.toThrow(message)
    await expect(simulation.energy()).rejects.toThrow(message)
  })

  test.each<[string, unknown, string]>([
    [
      'bonds of a run',
      { law: pairPotential('u[kind_i](r)', { functions: { u: [line(1, 0, 1.25), F] } })(), bonds: [[0, 1]] },
      ': the function u is tabulated from 0 to 1.25, and r is 1.5',
    ],
    [
      'angles of a run',
      bend('F(H(theta)) + F(2*theta/4)', { F, H: line(1) }),
      ': the function F is tabulated from 0 to 2, and its argument is 3.141593',
    ],
  ])('%s', async (_, links, message) => {
    const engine = await referenceEngine()
    const set = { ...particles, position: [0, 0, 0, 1.5, 0, 0, 2.5, 0, 0] }
    const { report } = await engine.run(overLinks('each', links as never), set)
    expect(report.notes?.[0]).toMatch(message)
    await expect(engine.run(overLinks('energy', links as never), set)).rejects.toThrow(message)
  })
})

describe('refused:', () => {
  const F = line(1)
  const of =
    (text: string, functions: unknown, more: object = {}) =>
    () =>
      externalPotential(text, { ...mass, functions: functions as never, ...more })
  test.each<[() => unknown, string]>([
    [of('F', { F }), 'expected "(", because a tabulated function takes a number: F(x), got end of text'],
    [of('F()', { F }), 'expected a number, a name, a function or "("'],
    [of('F(1 < 2)', { F }), 'expected a number'],
    [of('F[kind](1)', { F }), 'expected "(", because a tabulated function takes a number: F(x), got "["'],
    [of('F(1)', { F: [F] }), 'expected "[", because kinds choose a function: F[kind](x), got "("'],
    [
      of('F(1)', { F: [[F]] }),
      '"functions.F" expected a function, or one for each kind of a point, got a row of functions',
    ],
    [of('F(1)', { F: 3 }), '"functions.F" expected { from: 1, to: 5, values: [...] }'],
    [of('F(1)', { F }, { parameters: { F: 1 } }), '"functions" expected names other than'],
    [of('exp(1)', { exp: F }), '"functions" expected names other than'],
    [of('time', { time: F }), '"functions" expected names other than'],
  ])('%#', (make, message) => expect(make).toThrow(message))

  const turn = (text: string, functions: unknown) => () => anglePotential(text, { functions: functions as never })
  test.each<[() => unknown, string]>([
    [turn('w', { w: F }), 'expected "(", because a tabulated function takes a number: w(x), got end of text'],
    [
      turn('w[kind](theta)', { w: [F] }),
      '"functions.w" expected one function, because an angle has no kind, got a function for each kind',
    ],
    [turn('theta(1)', { theta: F }), '"functions" expected names other than'],
  ])('of angles, %#', (make, message) => expect(make).toThrow(message))

  const used = (text: string, functions: unknown) => [
    externalPotential(text, { ...mass, functions: functions as never })(),
  ]
  test.each<[string, Record<string, unknown>, string]>([
    ['an attribute that no point has', { forces: used('F(charge)', { F }) }, '"charge" expected an attribute'],
    [
      'a vector',
      { forces: [externalForce('F(velocity)', { ...mass, functions: { F } })()] },
      'expected numbers as arguments of tabulated functions, got the vector velocity',
    ],
    [
      'a kind that no point has',
      { forces: used('F[sort](mass)', { F: [F] }) },
      '"sort" expected an attribute of the particles, because F[sort](mass) reads a function for each, got nothing',
    ],
    [
      'a kind without a function',
      { forces: used('F[kind](mass)', { F: [F] }) },
      '"kind" expected whole numbers from 0 to 0, because F[kind](mass) has 1 function, got 1 at index 1',
    ],
    [
      'a vector as the kind',
      { forces: used('F[velocity](mass)', { F: [F] }) },
      '"velocity" expected one number per point, because F[velocity](mass) reads a function for each, got the vector velocity; give an attribute with the kind of each point',
    ],
    [
      'the position as the kind',
      { forces: used('F[position](mass)', { F: [F] }) },
      '"position" expected one number per point',
    ],
    ['an attribute of an energy alone', { forces: used('F(mass) + charge', { F }) }, '"charge" expected an attribute'],
  ])('%s', async (_, options, message) => {
    await expect(simulationOf(options)).rejects.toThrow(message)
  })
})
