// Events that are refused, their listener, and a device that is lost after bodies have merged.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { added } from '../../src/ground/arrays/added.ts'
import { nonzeroIn, numbersAt } from '../../src/ground/arrays/some-numbers.ts'
import type { FloatArray } from '../../src/ground/checks.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { EventReport, SimulationEvent } from '../../src/simulation/events/events.ts'
import { firstOrderRungeKutta4 } from '../../src/simulation/runge-kutta.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const touch = 'r < radius_i + radius_j'
const merge = { pairs: touch, resolve: 'merge', rules: { radius: 'max', spin: 'sum' } } as const
const particles = {
  position: [0, 0, 1, 0, 2, 0, 3, 0],
  mass: [1, 2, 1, 0],
  radius: [0.6, 0.6, 0.1, 0.1],
  spin: [1, 2, 3, 4, 5, 6, 7, 8],
  dimension: 2,
}
const options = { law: gravity({ G: 0.001, softening: 1 }), particles, dt: 0.125 }
const events = (...list: object[]) => ({ ...options, events: list as unknown as SimulationEvent[] })

it('bounces go on after there were no points', async () => {
  await using engine = await referenceEngine()
  const bounce = { pairs: touch, resolve: 'bounce' } as const
  const { spin: _, ...others } = particles
  await using simulation = await engine.simulate({ ...options, particles: others, events: [bounce], capacity: 8 })
  await simulation.remove([0, 1, 2, 3])
  await simulation.step(1)
  const two = { position: [0, 0, 1, 0], velocity: [1, 0, -1, 0], mass: [1, 1], radius: [0.6, 0.6], dimension: 2 }
  await simulation.add(two)
  await simulation.step(1)
  const [vx = 0] = await simulation.read('velocity')
  expect(vx).toBeLessThan(0)
})

describe('events that are refused', () => {
  it.each<[string, object, string]>([
    ['no condition', { resolve: 'merge' }, '"events[0]" expected { pairs: a condition, ... } or { points: a condition'],
    ['two conditions', { pairs: touch, points: 'mass > 1' }, '"events[0]" expected { pairs: a condition, ... } or'],
    ['an unknown part', { pairs: touch, rule: {} }, '"rule" is not a part of events[0]'],
    ['an unknown resolution', { pairs: touch, resolve: 'stick' }, '"events[0].resolve" expected'],
    ['a merger of points', { points: 'mass > 1', resolve: 'merge' }, '"events[0].resolve" expected'],
    ['no step', { pairs: touch, every: 0 }, '"events[0].every" expected integer >= 1, got 0'],
    ['a function', { pairs: () => true }, '"events[0].pairs" expected a condition'],
    ['one order alone', { pairs: 'r < radius_i' }, '"events[0].pairs" expected a condition that is the same for both'],
    ['an unknown attribute', { pairs: 'r < size_i + size_j' }, 'for each of the particles, mass, radius, got size'],
    ['velocities', { pairs: 'velocity_x_i*velocity_x_j > r' }, 'got velocity_x; compare velocities in onEvent'],
    ['a wrong condition', { pairs: 'r <' }, 'expected'],
    ['a point without such an attribute', { points: 'size > 1' }, 'size'],
    ['a parameter that is NaN', { points: 'mass > m', parameters: { m: Number.NaN } }, '"events[0].parameters.m"'],
    [
      'rules of a bounce',
      { pairs: touch, resolve: 'bounce', rules: {} },
      '"events[0].rules" belongs to resolve: \'merge\'',
    ],
    ['more than all energy', { pairs: touch, resolve: 'bounce', restitution: 2 }, 'expected at most 1'],
    [
      'a missing rule',
      { ...merge, rules: { radius: 'max' } },
      '"events[0].rules" expected a rule for each attribute, got none for spin',
    ],
    [
      'a rule for no attribute',
      { ...merge, rules: { ...merge.rules, size: 'max' } },
      '"events[0].rules.size" expected an attribute of the particles, radius, spin',
    ],
    [
      'a rule for the mass',
      { ...merge, rules: { ...merge.rules, mass: 'max' } },
      '"events[0].rules.mass" expected no rule: masses add up',
    ],
    [
      'a rule that is no text',
      { ...merge, rules: { ...merge.rules, radius: 2 } },
      '"events[0].rules.radius" expected sum, mean',
    ],
    [
      'an expression of a vector',
      { ...merge, rules: { ...merge.rules, spin: 'mass_i' } },
      '"events[0].rules.spin" expected one of sum, mean, first, max, min, as it has 2 numbers a point',
    ],
    ['a rule of a missing attribute', { ...merge, rules: { ...merge.rules, radius: 'size_i' } }, 'got size'],
    ['a cutoff of 0', { pairs: touch, cutoff: 0 }, '"events[0].cutoff" expected finite number > 0, got 0'],
  ])('%s', async (_, event, message) => {
    const engine = await referenceEngine()
    await expect(engine.simulate(events(event))).rejects.toThrow(message)
  })

  it('of points without a momentum', async () => {
    const engine = await referenceEngine()
    const { law } = options
    const first: SimulationOptions = { law, particles, dt: 1, integrator: firstOrderRungeKutta4, events: [merge] }
    await expect(engine.simulate(first)).rejects.toThrow(`got 'merge' in first-order motion`)
    await expect(engine.simulate({ ...options, events: 'all' as never })).rejects.toThrow('"events" expected a list')
  })
})

describe('bodies that merge', () => {
  const merged = async (others: Partial<Omit<SimulationOptions, 'particles'>> & { particles?: object }) => {
    const engine = await referenceEngine()
    return engine.simulate({ ...options, events: [merge], ...others, particles: { ...particles, ...others.particles } })
  }

  it('keep numbers of vectors and of bodies without mass', async () => {
    const simulation = await merged({ particles: { mass: [0, 0, 1, 1], position: [0, 0, 1, 0, 7, 0, 9, 0] } })
    await simulation.step()
    expect([...(await simulation.read('spin'))]).toEqual([4, 6, 5, 6, 7, 8])
    expect((await simulation.read('position'))[0]).toBeCloseTo(0.5, 3)
  })

  it('join the one that is fixed, and two fixed ones stay apart', async () => {
    const simulation = await merged({ fixed: [1, 2], particles: { radius: [0.6, 0.6, 0.6, 0.1] } })
    await simulation.step(2)
    expect([...(await simulation.read('position'))].slice(0, 4)).toEqual([1, 0, 2, 0])
    expect([...(await simulation.read('mass'))]).toEqual([3, 1, 0])
  })

  it('meet across the faces of a slab, and not along its open axis', async () => {
    // The first two touch through a face, and the other two lie apart along the open axis.
    const position = [0.1, 0, 5.9, 0.2, 3, -2, 3, 4]
    const simulation = await merged({
      domain: { boundary: periodic([6, Infinity]) },
      particles: { position, mass: [1, 1, 1, 1], radius: [0.3, 0.3, 0.3, 0.3] },
    })
    await simulation.step()
    const [x, y, ...others] = await simulation.read('position')
    expect(others.length).toBe(4)
    expect([Math.abs((x as number) - 6 * Math.round((x as number) / 6)), y]).toEqual([
      expect.closeTo(0, 3),
      expect.closeTo(0.1, 3),
    ])
  })

  it('are refused with a bond, and nothing has changed', async () => {
    const spring = pairPotential('(r - 1)^2', { inertia: 'mass' })
    const simulation = await merged({
      ...{ law: undefined, forces: [options.law, { law: spring(), bonds: [[1, 2]] }] },
      particles: { mass: [1, 2, 1, 1] },
    })
    await expect(simulation.step()).rejects.toThrow('"forces[1].bonds[0]" expected points that stay, got point 1')
    expect([simulation.steps, (await simulation.read('mass')).length]).toEqual([1, 4])
  })

  it('are refused by a rule that gives no number', async () => {
    const rules = { ...merge.rules, radius: '(radius_i - 1)^0.5' }
    const simulation = await merged({ events: [{ ...merge, rules }] })
    await expect(simulation.step()).rejects.toThrow(
      '"rules.radius" expected a finite number for the merged points 0, 1, got NaN',
    )
    expect((await simulation.read('mass')).length).toBe(4)
  })

  it('are no closer than the given cutoff', async () => {
    const simulation = await merged({ events: [{ ...merge, cutoff: 0.5 }] })
    await simulation.step()
    expect((await simulation.read('mass')).length).toBe(4)
  })
})

describe('a listener', () => {
  const bouncing = async () => {
    const engine = await referenceEngine()
    return engine.simulate(events({ pairs: touch, every: 2 }))
  }

  it('hears of pairs every so many steps, and may read, write and remove', async () => {
    const simulation = await bouncing()
    const heard: EventReport[] = []
    simulation.onEvent(async (event) => {
      heard.push(event)
      expect((await simulation.read('position')).length).toBe(8)
      await simulation.write('radius', [0.1], { indices: [1] })
      await simulation.remove([3])
    })
    const steps = simulation.step(5)
    const count = simulation.read('mass')
    await steps
    expect((await count).length).toBe(3)
    expect(heard).toMatchObject([{ event: 0, steps: 2, time: 0.25, pairs: [[0, 1]], points: [0, 1] }])
    simulation.onEvent(undefined)
    await simulation.step(3)
    expect(simulation.steps).toBe(8)
  })

  it('may not take steps, and what it throws rejects the steps', async () => {
    const simulation = await bouncing()
    simulation.onEvent(() => simulation.step())
    await expect(simulation.step(4)).rejects.toThrow('Cannot call step in a listener of events')
    simulation.onEvent(() => simulation.set({ dt: 1 }))
    await expect(simulation.step(4)).rejects.toThrow('Cannot call set({ dt }) in a listener of events')
    simulation.onEvent(() => {
      throw new RangeError('enough')
    })
    await expect(simulation.step(4)).rejects.toThrow('enough')
    expect(simulation.steps).toBe(6)
    simulation.onEvent(undefined)
    await simulation.step(4)
    expect(simulation.steps).toBe(10)
  })

  it('may throw after the step that ends at a time, which then is the time', async () => {
    const engine = await referenceEngine()
    const simulation = await engine.simulate(events({ pairs: touch, every: 3 }))
    simulation.onEvent(() => {
      throw new RangeError('enough')
    })
    await expect(simulation.stepUntil(0.3)).rejects.toThrow('enough')
    expect([simulation.steps, simulation.time]).toEqual([3, 0.3])
    simulation.onEvent(undefined)
    await simulation.step(2)
    expect(simulation.time).toBeCloseTo(0.55, 12)
  })

  it('may dispose of the simulation', async () => {
    const simulation = await bouncing()
    simulation.onEvent(() => simulation.dispose())
    await expect(simulation.step(4)).rejects.toThrow('the simulation was disposed')
  })

  it('needs events, and to be a function', async () => {
    const simulation = await bouncing()
    expect(() => simulation.onEvent('log' as never)).toThrow('"listener" expected a function, got "log"')
    const plain = await (await referenceEngine()).simulate(options)
    expect(() => plain.onEvent(() => {})).toThrow('"onEvent" expected a simulation with events')
  })
})

describe('a device that is lost', () => {
  async function run(backend: ReturnType<typeof fakeBackend>) {
    await using engine = await createEngine({ backends: [backend], precision: 'f64' })
    const radius = [0.4, 0.4, 0.1, 0.1]
    const given = { ...particles, radius, velocity: [0.5, 0, 0, 0, 0, 0, -1, 0] }
    await using simulation = await engine.simulate({ ...options, particles: given, events: [merge] })
    let heard = 0
    simulation.onEvent(() => {
      heard++
    })
    await simulation.step(20)
    const { arrays } = await simulation.snapshot()
    return { found: { arrays, heard }, recoveries: simulation.recoveries.length }
  }

  it.each([8, 20, 40, 60, 80])('in run %i, merges the same bodies again, and tells them once', async (at) => {
    const steady = await run(fakeBackend('steady'))
    const lost = await run(fakeBackend('flaky', { losesAt: [proofRuns + at] }))
    expect(lost.recoveries).toBe(1)
    expect(lost.found).toEqual(steady.found)
    expect(steady.found.arrays.mass?.length).toBeLessThan(4)
  })
})

it('bodies merge where a computed attribute says so, and the attribute follows', async () => {
  await using engine = await referenceEngine()
  const close = pairTerm('mass_j', { name: 'close' })()
  await using simulation = await engine.simulate({
    ...options,
    law: pairForce('(near_i + near_j)*0.001', { inertia: 'mass' })(),
    computed: { near: { law: close, cutoff: 1.5 } },
    particles: { ...particles, mass: [1, 2, 1, 1] },
    events: [{ ...merge, pairs: 'r < select(near_i + near_j < 5.5, radius_i + radius_j, 0)' }],
  })
  await simulation.step(1)
  expect([...(await simulation.read('mass'))]).toEqual([3, 1, 1])
  // The merged body is in the centre of mass, at about 2/3.
  expect([...(await simulation.read('near'))]).toEqual([1, 4, 1])
})

it('reads only the points that meet a condition, where the device lists them', async () => {
  const backend = fakeBackend('listing')
  let read = 0
  const counted = <T extends ArrayLike<number>>(numbers: T): T => {
    read += numbers.length
    return numbers
  }
  const open: typeof backend.open = async (options) => {
    const device = await backend.open(options)
    const buffer: typeof device.buffer = async (length) => {
      const made = await device.buffer(length)
      const whole = made.read.bind(made)
      return Object.assign(made, {
        read: async (into?: FloatArray) => counted(await whole(into)),
        total: async () => added(await whole()),
        nonzero: async () => counted(nonzeroIn(await whole())),
        readAt: async (points: Uint32Array, width: number) => counted(numbersAt(await whole(), points, width)),
      })
    }
    return Object.assign(Object.create(device), { buffer })
  }
  await using engine = await createEngine({ backends: [{ ...backend, open }], precision: 'f64' })
  const count = 1000
  // Two pairs of a long row touch.
  const position = Array.from({ length: count }, (_, n) => [n - (n === 401 || n === 900 ? 0.25 : 0), 0]).flat()
  const ones = new Float64Array(count).fill(1)
  const row = { position, mass: ones, radius: ones.map(() => 0.4), spin: ones, dimension: 2 }
  await using simulation = await engine.simulate({ ...options, particles: row, events: [merge], capacity: count })
  const pairs: EventReport['pairs'][] = []
  simulation.onEvent((event) => pairs.push(event.pairs))
  read = 0
  await simulation.step(1)
  expect(pairs).toEqual([[[400, 401], [899, 900]]]) // biome-ignore format: pairs
  // Four points: their places, and position, velocity, mass, radius and spin of each.
  expect(read).toBe(4 * (1 + 2 + 2 + 3))
})
