// Test particles: points that feel the first ones, and act on nothing. Every case runs on every backend.

import { type Engine, gravity, type Precision, pairPotential, periodic, type SimulationOptions } from '@manybody/core'
import { expect } from 'vitest'
import { exactly } from '../exactly.ts'

type AnyEngine = Engine<Precision>

const most = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((worst, x, n) => Math.max(worst, Math.abs(x - (b[n] as number))), a.length === b.length ? 0 : 1)

const heavy = 3
const count = 70
const spread = (n: number, scale: number) => Array.from({ length: n }, (_, k) => scale * Math.sin(7.3 * (k + 1) ** 1.3))

/** Points in a cube of side 8. The first are heavy; others weigh nothing. */
const points = {
  position: spread(3 * count, 4),
  velocity: spread(3 * count, 0.2),
  mass: Array.from({ length: count }, (_, n) => (n < heavy ? 1 + n : 0)),
}

const repulsion = pairPotential('strength_i*strength_j*exp(-r)', { inertia: 'mass', name: 'repulsion' })
const strength = Array.from({ length: count }, (_, n) => 0.5 + (n % 3))
const charged = { ...points, mass: new Array(count).fill(1), strength }

/** The energy of heavy points among each other, and of each other point among them. */
function energyOf(position: ArrayLike<number>, length: number, cutoff: number): number {
  const away = (i: number, j: number) => {
    const parts = [0, 1, 2].map((axis) => {
      const direct = (position[3 * j + axis] as number) - (position[3 * i + axis] as number)
      return direct - (Number.isFinite(length) ? length * Math.round(direct / length) : 0)
    })
    return Math.hypot(...parts)
  }
  let energy = 0
  for (let i = 0; i < count; i++)
    for (let j = 0; j < Math.min(i, heavy); j++) {
      const r = away(i, j)
      if (r <= cutoff) energy += (strength[i] as number) * (strength[j] as number) * Math.exp(-r)
    }
  return energy
}

export const testParticleSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] =
  [
    [
      'test particles move as points without mass do, and a snapshot continues bit for bit',
      async (engine) => {
        const options: SimulationOptions = { law: gravity({ softening: 0.3 }), particles: points, dt: 0.02 }
        await using all = await engine.simulate(options)
        await using some = await engine.simulate({ ...options, sources: heavy })
        await all.step(20)
        await some.step(10)
        await using resumed = await engine.resume(structuredClone(await some.snapshot()))
        await some.step(10)
        await resumed.step(10)
        const position = await some.read('position')
        expect(most(position, await all.read('position'))).toBeLessThan(
          engine.device.info.precision === 'f64' ? 1e-13 : 1e-5,
        )
        expect(await resumed.read('position')).toEqual(position)
        const [one, other] = [await some.energy(), await all.energy()]
        expect(Math.abs(one.total - other.total)).toBeLessThan(1e-5 * Math.abs(other.total))
      },
    ],
    [
      'energies count the pairs of test particles with the points that act on them, also within a cutoff in a box',
      async (engine) => {
        const double = engine.device.info.precision === 'f64'
        for (const [length, cutoff] of [
          [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
          [8, 3],
        ] as const) {
          const domain = Number.isFinite(length) && { domain: { boundary: periodic([length, length, length]), cutoff } }
          await using simulation = await engine.simulate({
            ...{ law: repulsion(), particles: charged, sources: heavy, dt: 0.02, ...domain },
          })
          const start = (await simulation.energy()).potential
          const expected = energyOf(points.position, length, cutoff)
          expect(Math.abs(start - expected)).toBeLessThan((double ? 1e-12 : 1e-5) * expected)
          // Work on points that do not act is lost to their sources, so only the places tell the energy.
          await simulation.step(5)
          const later = energyOf(await simulation.read('position'), length, cutoff)
          expect(Math.abs((await simulation.energy()).potential - later)).toBeLessThan((double ? 1e-12 : 1e-5) * later)
          const volume = 512
          const virial = 3 * volume * (await simulation.pressure({ volume })) - 2 * (await simulation.energy()).kinetic
          expect(virial).toBeGreaterThan(0)
        }
      },
    ],
    [
      'points that act and test particles come and go',
      async (engine) => {
        for (const capacity of [undefined, count + 2]) {
          await using simulation = await engine.simulate({
            ...{ law: repulsion(), particles: charged, sources: heavy, dt: 0.02, ...(capacity && { capacity }) },
          })
          await simulation.step(2)
          await simulation.remove([1, 50])
          await simulation.add({ position: [0.5, 0.5, 0.5], mass: [1], strength: [2] })
          const { sources, arrays, dt, law } = await simulation.snapshot()
          expect(sources).toBe(heavy - 1)
          const { strength, mass } = arrays
          const particles = {
            ...{ strength, mass, position: await exactly(simulation, 'position') },
            velocity: await exactly(simulation, 'velocity'),
          }
          await using fresh = await engine.simulate({
            law: law as ReturnType<typeof repulsion>,
            particles,
            dt,
            sources: 2,
          })
          await fresh.step(3)
          await simulation.step(3)
          expect(most(await simulation.read('position'), await fresh.read('position'))).toBeLessThan(1e-6)
        }
      },
    ],
  ]
