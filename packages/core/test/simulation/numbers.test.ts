// Numbers of a running simulation: names that are refused, a device that is lost between changes, numbers that diverge after one.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { DivergedError } from '../../src/ground/errors.ts'
import { pairPotential } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { anglePotential } from '../../src/simulation/forces/angle-law.ts'
import { externalForce } from '../../src/simulation/forces/external-force.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import type { NumberChanges } from '../../src/simulation/numbers/changes.ts'
import { rungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const repel = pairPotential('k*epsilon[kind_i, kind_j]/(r + 0.5)', {
  ...{ name: 'repulsion', inertia: 'mass', parameters: { k: 1 }, minimum: { k: 0 } },
  tables: { epsilon: [[1]] },
})
const spring = pairPotential('k*(r - rest)^2/2', { name: 'spring', parameters: { k: 1, rest: 1 } })
const pull = externalForce(['pull*cos(time)', '0'], { name: 'pull', parameters: { pull: 1 } })
const particles = { position: [0, 0, 1, 0, 0, 1], mass: [1, 2, 1], kind: [0, 0, 0], dimension: 2 }
const options: SimulationOptions = {
  forces: [repel(), { law: spring(), bonds: [[0, 1]], attributes: { rest: [0.5] } }, pull()],
  ...{ particles, dt: 0.125, integrator: rungeKutta4 },
}

describe('a change that is refused names what was expected, and changes nothing', () => {
  it.each<[string, NumberChanges, string]>([
    [
      'an unknown parameter',
      { parameters: { G: 2 } },
      '"G" is not a parameter of this simulation; expected k, rest, pull',
    ],
    [
      'a parameter of two forces',
      { parameters: { k: 2 } },
      '"k" expected the parameter of one, but forces[0] (repulsion) and forces[1] (spring) have it; write forces[0].k',
    ],
    [
      'a parameter of which each bond has a number',
      { parameters: { rest: 2 } },
      '"rest" expected one number, but each link of forces[1] (spring) has its own',
    ],
    [
      'a number below its minimum',
      { parameters: { 'forces[0].k': -1 } },
      '"forces[0].k" expected finite number >= 0, got -1',
    ],
    ['NaN', { parameters: { pull: Number.NaN } }, '"pull" expected finite number, got NaN'],
    [
      'a text without the time',
      { parameters: { pull: '2' } },
      '"pull" expected a number, or an expression of time, such as "1 + 0.1*time", got "2"',
    ],
    [
      'an expression of other names',
      { parameters: { pull: '1 + mass*time' } },
      '"pull" expected an expression of time alone, such as "1 + 0.1*time", but it reads mass; write numbers into the text',
    ],
    [
      'an expression for an unknown parameter',
      { parameters: { G: 'time' } },
      '"G" is not a parameter of this simulation; expected k, rest, pull',
    ],
    [
      'an expression for a parameter that another force has, too',
      { parameters: { 'forces[0].k': 'time' } },
      '"forces[0].k" expected a parameter that no other force has, if it is an expression, but forces[1] (spring) has k, too; rename one of them',
    ],
    [
      'an expression for numbers of bonds',
      { parameters: { rest: 'time' } },
      '"rest" expected one number, but each link of forces[1] (spring) has its own',
    ],
    [
      'an expression without a thermostat',
      { temperature: '1 + time' },
      '"temperature" expected a thermostat, such as langevin(), but the integrator is Runge-Kutta 4th order; call rescale(temperature) for one change of all velocities',
    ],
    ['an unknown table', { tables: { sigma: [[1]] } }, '"sigma" is not a table of this simulation; expected epsilon'],
    [
      'a table of another form',
      { tables: { epsilon: [1] } },
      '"tables.epsilon" expected a row for each kind, as in the law, got numbers',
    ],
    [
      'a temperature without a thermostat',
      { temperature: 2 },
      '"temperature" expected a thermostat, such as langevin(), but the integrator is Runge-Kutta 4th order; call rescale(temperature) for one change of all velocities',
    ],
    ['no length of steps', { dt: 0 }, '"dt" expected a number other than 0, got 0'],
    ['an infinite one', { dt: Number.POSITIVE_INFINITY }, '"dt" expected finite number, got Infinity'],
    [
      'an unknown part',
      { mass: 2 } as never,
      '"mass" is not a part of a change; expected parameters, tables, temperature, pressure, dt',
    ],
  ])('%s', async (_, change, message) => {
    await using engine = await referenceEngine()
    await using simulation = await engine.simulate(options)
    await simulation.step(1)
    const before = await simulation.snapshot()
    await expect(simulation.set({ parameters: { pull: 3 }, ...change })).rejects.toThrow(message)
    expect(await simulation.snapshot()).toEqual(before)
  })

  it('an expression for a cutoff, an angle, a name of an attribute, a force with a tolerance, and some steps alone', async () => {
    await using engine = await referenceEngine()
    const bend = anglePotential('stiff*theta', { name: 'bend', inertia: 'mass', parameters: { stiff: 1 } })
    const heavy = externalForce(['mass', '0'], { parameters: { mass: 1 } })
    const forces = [{ law: gravity(), cutoff: 1 }, { law: bend(), angles: [[0, 1, 2]] }, heavy()] as const
    await using simulation = await engine.simulate({ ...options, forces })
    const write = (name: string) => simulation.write(name, '1 + time')
    await expect(write('cutoff')).rejects.toThrow('"cutoff" expected no text, as it takes no expression of the time')
    await expect(write('stiff')).rejects.toThrow(
      '"stiff" expected a number, as angles and dihedrals read no attributes',
    )
    await expect(write('forces[2].mass')).rejects.toThrow(
      '"forces[2].mass" expected a parameter whose name no attribute has, as an attribute takes its place',
    )
    await expect(simulation.step(1, { parameters: { G: 'time' as never } })).rejects.toThrow('"G" expected number')
    await write('G')
    await expect(simulation.step(1, { parameters: { G: 2 } })).rejects.toThrow(
      `"G" is not a parameter of this simulation; expected softening, stiff, mass, cutoff; G is computed: write('G', 2) or set replaces its expression`,
    )
    await using rough = await engine.simulate({
      ...options,
      forces: [{ law: gravity({ softening: 0.1 }), method: tree({ tolerance: 0.1 }) }],
    })
    await expect(rough.write('G', 'time')).rejects.toThrow('gravity reads G, which is computed; leave out the method')
  })

  it('something that is no change', async () => {
    await using engine = await referenceEngine()
    await using simulation = await engine.simulate(options)
    await expect(simulation.set([1] as never)).rejects.toThrow(
      '"parts of a change" expected an object with parameters, tables, temperature, pressure, dt, got Array',
    )
  })

  it('noise that would be reversed, a cold thermostat, and a length for steps that adapt', async () => {
    await using engine = await referenceEngine()
    const integrator = langevin({ temperature: 1, friction: 1, seed: 1, dimension: 2 })
    await using noisy = await engine.simulate({ ...options, integrator })
    await expect(noisy.set({ dt: -1 })).rejects.toThrow(
      '"dt" expected a number > 0, because noise cannot be reversed, got -1',
    )
    await expect(noisy.set({ temperature: -1 })).rejects.toThrow(
      '"integrator.temperature" expected finite number >= 0, got -1',
    )
    await using adapting = await engine.simulate({ ...options, dt: { step: '0.1', shortest: 0.1, longest: 1 } })
    await expect(adapting.set({ dt: 1 })).rejects.toThrow(
      '"dt" expected nothing, because these steps adapt, got 1; resume a snapshot with another dt',
    )
  })

  it('a number that float32 does not hold', async () => {
    await using engine = await createEngine({ backends: [reference()], precision: 'f32' })
    await using simulation = await engine.simulate(options)
    await simulation.step(1)
    await expect(simulation.write('pull', 1e39)).rejects.toThrow('expected numbers that float32 holds')
    await using usual = await engine.simulate(options)
    for (const steps of [1, 2]) await usual.step(steps)
    await simulation.step(2)
    expect(await simulation.read('position')).toEqual(await usual.read('position'))
  })

  it('a time that was before, and two names of the start', async () => {
    await using engine = await referenceEngine()
    await using simulation = await engine.simulate({ ...options, t0: 3 })
    await expect(simulation.stepUntil(2)).rejects.toThrow(
      '"time" expected a number >= 3, the time reached, got 2; set({ dt: -0.125 }) turns the run round',
    )
    await expect(simulation.stepUntil(Number.NaN)).rejects.toThrow('"time" expected finite number, got NaN')
    await expect(simulation.step(1, { parameters: { G: 1 } })).rejects.toThrow('"G" is not a parameter')
    await expect(simulation.write('pull', [2])).rejects.toThrow('"pull" expected a number, as it is a parameter, got')
    await expect(engine.simulate({ ...options, t0: 1, time: 1 })).rejects.toThrow(
      '"time" is another name of t0; give one of them',
    )
    await expect(engine.simulate({ ...options, t0: Number.NaN })).rejects.toThrow(
      '"t0" expected finite number, got NaN',
    )
    expect(() => simulation.frames({ interval: 0 })).toThrow('"interval" expected finite number > 0, got 0')
    expect(() => simulation.frames({ interval: 1, every: 2 })).toThrow('"every" counts steps between frames')
  })
})

it('what is written is copied at once', async () => {
  await using engine = await referenceEngine()
  await using simulation = await engine.simulate(options)
  const parameters = { pull: 5 }
  const done = simulation.set({ parameters })
  parameters.pull = 7
  await done
  expect((await simulation.snapshot()).forces?.[2]).toMatchObject({ parameters: { pull: 5 } })
})

describe('a device that is lost', () => {
  const law = gravity({ softening: 0.5 })
  const setup = { law, particles: { position: [0, 0, 0, 1, 0, 0, 0, 1, 0], mass: [1, 2, 1] }, dt: 0.0625 }
  /** Changes between steps, at different times. */
  async function run(backends: Parameters<typeof createEngine>[0]['backends']) {
    await using engine = await createEngine({ backends, precision: 'f64' })
    await using simulation = await engine.simulate(setup)
    await simulation.step(3)
    await simulation.write('G', 2)
    await simulation.step(2)
    await simulation.set({ dt: 0.125, parameters: { softening: 0.25 } })
    await simulation.step(2, { parameters: { G: 4 } })
    await simulation.stepUntil(0.8)
    const { clock, law: reached, arrays, steps } = await simulation.snapshot()
    return { found: { clock, law: reached, arrays, steps }, recoveries: simulation.recoveries.length }
  }

  it.each([6, 8, 10, 12, 14, 16, 18])('in run %i, goes on with the numbers of each step', async (at) => {
    const steady = await run([fakeBackend('steady')])
    const lost = await run([fakeBackend('flaky', { losesAt: [proofRuns + at] })])
    expect(lost.recoveries).toBe(1)
    expect(lost.found).toEqual(steady.found)
  })
})

it('numbers that diverge after a change are found at their step', async () => {
  await using engine = await referenceEngine()
  const burst = externalForce(['exp(heat*position_x)', '0'], { inertia: 'mass', parameters: { heat: 1 } })
  await using simulation = await engine.simulate({ ...options, forces: [burst()], dt: 0.25 })
  await simulation.step(3)
  await simulation.write('heat', 900)
  await simulation.step(5)
  const error = await simulation.read('position').then(
    () => undefined,
    (reason) => reason,
  )
  expect(error).toBeInstanceOf(DivergedError)
  expect(error).toMatchObject({ steps: 8, finiteSteps: 3 })
})
