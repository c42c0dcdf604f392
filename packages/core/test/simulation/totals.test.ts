// Sums over the points of a simulation, whole and by group, and refused requests.

import { describe, expect, it } from 'vitest'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Simulation } from '../../src/simulation/simulation.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const particles = {
  position: Float64Array.of(0, 0, 0, 1, 2, 0, -3, 1, 2, 4, 0, 1, 2, 2, 2),
  velocity: Float64Array.of(1, 0, 0, 0, -2, 0, 1, 1, 1, 0, 0, 3, 2, 0, 1),
  mass: Float64Array.of(1, 2, 3, 4, 5),
  galaxy: Float64Array.of(0, 1, 1, 0, 7),
}
const engine = await referenceEngine()
const begun = (): Promise<Simulation<'f64'>> => engine.simulate({ law: gravity(), particles, dt: 0.01 })

describe('the total of a simulation', () => {
  it('is one number for each expression', async () => {
    const simulation = await begun()
    const { mass, heat, count, x, y } = await simulation.total(
      {
        mass: 'mass',
        heat: 'scale*mass*(velocity_x^2 + velocity_y^2 + velocity_z^2)/2',
        count: '1',
        x: 'position_x',
        y: '0',
      },
      { parameters: { scale: 10 } },
    )
    const { kinetic } = await simulation.energy()
    expect({ mass, count, x, y }).toEqual({ mass: 15, count: 5, x: 4, y: 0 })
    expect(heat).toBeCloseTo(10 * kinetic, 12)
  })

  it('is that of the points as they are now', async () => {
    const simulation = await begun()
    const outputs = { x: 'position_x' }
    await simulation.total(outputs)
    await simulation.step(3)
    const position = await simulation.read('position')
    const expected = position.filter((_, n) => n % 3 === 0).reduce((sum, x) => sum + x, 0)
    expect((await simulation.total(outputs)).x).toBeCloseTo(expected, 12)
  })

  it('has one number for each group, which every point must have', async () => {
    const simulation = await begun()
    const { mass, count } = await simulation.total({ mass: 'mass', count: '1' }, { by: 'min(galaxy, 2)', groups: 3 })
    expect([...mass]).toEqual([5, 5, 5])
    expect([...count]).toEqual([2, 2, 1])
    const cells = await simulation.total({ mass: 'mass' }, { by: 'floor((position_x + 3)/2)', groups: 4 })
    expect([...cells.mass]).toEqual([3, 1, 7, 4])
    const sevenGroups = simulation.total({ mass: 'mass' }, { by: 'galaxy', groups: 7 })
    await expect(sevenGroups).rejects.toThrow(
      '"by" expected a whole number from 0 to 6 for each point, got 7 for point 4; raise "groups", or let "by"',
    )
    await expect(simulation.total({ count: '1' }, { by: 'log(position_x)', groups: 2 })).rejects.toThrow(
      'got -Infinity for point 0',
    )
    expect(
      (await simulation.total({ mass: 'mass' }, { by: 'galaxy', groups: 8 })).mass[7],
      'and can still be asked',
    ).toBe(5)
  })

  it.each([
    [{}, {}, '"outputs" expected expressions by name, { mass: \'mass\' }, got Object'],
    [{ p: 'mass*velocity' }, {}, '"p" expected one number per point, got an expression of vectors'],
    [{ p: ['mass', 'mass'] }, {}, '"p" expected one expression, got'],
    [{ p: 'charge' }, {}, 'charge'],
    [{ p: '1' }, { by: 'galaxy' }, '"groups" is missing'],
    [{ p: '1' }, { by: 'galaxy', groups: 0 }, '"groups" expected integer >= 1, got 0'],
    [{ p: '1' }, { each: 2 }, '"each" is not an option of total'],
    [{ p: '1/(mass - 1)' }, {}, '"p" expected expressions and a sum that are finite for these points, got Infinity'],
  ])('refuses %j with %j', async (outputs, options, message) => {
    const simulation = await begun()
    await expect((async () => simulation.total(outputs as never, options as never))()).rejects.toThrow(message)
    expect((await simulation.total({ mass: 'mass' })).mass, 'and can still be asked').toBe(15)
  })

  it('is right however many different totals were requested before', async () => {
    const simulation = await begun()
    for (let n = 0; n < 20; n++) expect((await simulation.total({ m: `mass*${n}` })).m).toBe(15 * n)
    expect((await simulation.total({ m: 'mass*0' })).m).toBe(0)
  })
})
