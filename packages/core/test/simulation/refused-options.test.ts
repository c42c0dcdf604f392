// Options that a simulation refuses before anything moves.

import { describe, expect, it } from 'vitest'
import { pairForce } from '../../src/problem/interactions/define.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { SimulationOptions } from '../../src/simulation/state.ts'
import { count, particles, setup } from '../support/eight-points.ts'
import { referenceEngine } from '../support/reference-engine.ts'

describe('before anything moves, a simulation refuses', () => {
  it.each<[name: string, options: object, message: string]>([
    ['no dt', { dt: undefined }, '"dt" expected number, got undefined'],
    ['dt 0', { dt: 0 }, '"dt" expected a number other than 0, got 0'],
    ['dt infinite', { dt: Infinity }, '"dt" expected finite number, got Infinity'],
    [
      'a short velocity',
      { particles: { ...particles, velocity: new Float64Array(count) } },
      '"velocity" expected length 24, 3 numbers per point, got 8',
    ],
    [
      'a velocity that is undefined, such as that of an object without one',
      { particles: { ...particles, velocity: undefined as never } },
      '"velocity" expected Float32Array, Float64Array or a list of numbers, got undefined; leave the name out if the points begin at rest',
    ],
    [
      'a velocity of another length',
      { particles: { ...particles, velocity: new Float64Array(2 * count) } },
      '"velocity" expected length 24, 3 numbers per point, got 16',
    ],
    [
      'two sets',
      { particles: { targets: particles, sources: particles } },
      '"particles" expected one set, as all of them move, got targets and sources',
    ],
    [
      'a NaN',
      { particles: { ...particles, position: particles.position.with(3, NaN) } },
      '"position" expected finite numbers, got NaN at index 3',
    ],
    [
      'no mass',
      { particles: { ...particles, mass: undefined } },
      '"mass" expected Float32Array, Float64Array or a list of numbers, as gravity reads it, got nothing',
    ],
    [
      'a law without inertia',
      { law: pairForce('1', { name: 'push' })() },
      '"forces" expected a force with inertia; define one with',
    ],
    [
      'an acceleration',
      { particles: { ...particles, acceleration: particles.velocity } },
      '"acceleration" is computed by the simulation; leave it out of the particles',
    ],
    ['a name', { integrator: 'rk4' }, '"integrator" expected an imported one, such as yoshida4, got "rk4"'],
    ['no such stage', { integrator: { stages: [{ kind: 'drift' }] } }, '"integrator.stages[0].kind" expected "map" or'],
    [
      'a stage without its part of the step',
      { integrator: { stages: [{ kind: 'map', outputs: { velocity: 'velocity' } }] } },
      '"integrator.stages[0].fraction" expected number, got undefined',
    ],
    [
      'a stage that reads what is not there',
      { integrator: { stages: [{ kind: 'map', outputs: { velocity: 'velocty' }, fraction: 1 }] } },
      '"velocty" expected an attribute or a parameter; given attributes: position, velocity, mass, acceleration',
    ],
    [
      'a stage that writes what is not there',
      { integrator: { stages: [{ kind: 'map', outputs: { speed: 'velocity_x' }, fraction: 1 }] } },
      '"integrator.stages[0].outputs" expected names of arrays that the particles have, got "speed"',
    ],
    [
      'a vector into an array of one number per point',
      { integrator: { stages: [{ kind: 'map', outputs: { mass: 'velocity' }, fraction: 1 }] } },
      '"integrator.stages[0].outputs.mass" expected 1 per point, as many numbers as the array "mass" has, got 3',
    ],
    [
      'one number per point into a vector',
      { integrator: { stages: [{ kind: 'force' }, { kind: 'map', outputs: { velocity: 'mass' }, fraction: 1 }] } },
      '"integrator.stages[1].outputs.velocity" expected 3 per point, as many numbers as the array "velocity" has, got 1',
    ],
    [
      'too few components for a vector',
      { integrator: { stages: [{ kind: 'map', outputs: { position: ['1', '2'] }, fraction: 1 }] } },
      '"integrator.stages[0].outputs.position" expected 3 components, as the points are in 3-D, got 2; make the integrator for 3-D',
    ],
    [
      'an attribute of another length',
      { particles: { ...particles, k1: new Float64Array(2 * count) } },
      '"k1" expected length 8, one number per point, got 16',
    ],
    [
      'a box that is too small beside exclusions',
      { domain: { boundary: periodic([1, 1, 1]), cutoff: 1, exclusions: [[0, 1]] } },
      '"cutoff" expected at most half the shortest box length',
    ],
  ])('%s', async (_, options, message) => {
    await using engine = await referenceEngine()
    await expect(engine.simulate({ ...setup, ...options } as SimulationOptions)).rejects.toThrow(message)
  })

  it.each([-1, 1.5, NaN])('%d steps', async (steps) => {
    await using engine = await referenceEngine()
    await expect((await engine.simulate(setup)).step(steps)).rejects.toThrow('"count" expected integer >= 0')
  })

  it('the energy of a law without one', async () => {
    await using engine = await referenceEngine()
    const simulation = await engine.simulate({ ...setup, law: pairForce('1', { name: 'push', inertia: 'mass' })() })
    await simulation.step(1)
    await expect(simulation.energy()).rejects.toThrow('"energy" expected a potential, got push')
    expect(simulation.steps).toBe(1)
    await simulation.step(1)
    expect(simulation.steps).toBe(2)
  })
})
