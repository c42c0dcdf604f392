// Simulations with forces that may be approximated. Every case runs on every backend; one without a tree computes all pairs.

import {
  accelerations,
  type Engine,
  energy,
  externalForce,
  externalPotential,
  forces,
  gravity,
  type Interaction,
  type Precision,
  pairForce,
  pairPotential,
  pairTerm,
  type SimulationOptions,
  sum,
  tree,
  virial,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from '../numbers.ts'

type AnyEngine = Engine<Precision>

const repulsion = pairPotential('-mass_i*mass_j*log(r2 + 1e-4)/2', { name: 'repulsion', inertia: 'mass' })
/** The size of one source's acceleration. */
const size = pairTerm('mass_j*r/(r2 + 1e-4)')
const trap = externalPotential('mass*(position_x^2 + position_y^2)/2', { inertia: 'mass' })
const tolerance = 5e-2
/** On devices that compute pairs fast, a tree needs more points to pay. */
const countOn = ({ device }: AnyEngine) =>
  device.info.backend === 'reference' ? 500 : device.info.kind === 'hardware' ? 100_000 : 3000
const options = (count: number): SimulationOptions => ({
  forces: [{ law: repulsion(), scale: 0.5, method: tree({ tolerance }) }, trap()],
  particles: {
    position: numbers(2 * count, 3),
    mass: numbers(count, 7).map((x) => (0.5 + x) / count),
    dimension: 2,
  },
  dt: 0.01,
})

const still = (count: number) => ({
  count,
  position: numbers(3 * count, 4),
  mass: numbers(count, 5).map((x) => 0.5 + x),
})
const inertia = 'mass'
/** Laws with terms of 0 for all pairs, whatever their energy. */
const forceless: Readonly<Record<string, Interaction>> = {
  'a constant energy': pairPotential('2', { inertia })(),
  'an energy of the source': pairPotential('mass_j', { inertia })(),
  'an energy of both points': pairPotential('mass_i*mass_j', { inertia })(),
  'no force': pairForce('0', { inertia })(),
  'components without a force': pairForce({ x: '0', y: '0', z: '0' }, { inertia })(),
  'parts that cancel': pairPotential('mass_i*r - r*mass_i', { inertia })(),
  'a term of 0': pairTerm('0')(),
  'two terms of 0': pairTerm({ a: '0', b: '0' })(),
}

export const approximatedSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] =
  [
    [
      'a force with a tolerance beside an exact one: its error is told, and a snapshot continues bit for bit',
      async (engine) => {
        const count = countOn(engine)
        const simulation = await engine.simulate(options(count))
        const pulled = await simulation.read('acceleration')
        const { position, mass } = options(count).particles as Record<string, Float32Array>
        const data = { position, mass, dimension: 2 } as never
        const { acceleration: repelled } = await engine.run(accelerations(repulsion()), data)
        // The promise is relative to the sum of the sizes of the terms. It is not relative to the force, because terms cancel there.
        const { value: sizes } = await engine.run(sum(size()), data)
        const errors: number[] = []
        let changed = 0
        for (let point = 0; point < count; point++) {
          const own = [2 * point, 2 * point + 1].map(
            (at) => (pulled[at] as number) + ((position as Float32Array)[at] as number) - (repelled[at] as number) / 2,
          )
          errors.push(Math.hypot(...own) / ((sizes[point] as number) / 2))
        }
        const p99 = errors.sort((a, b) => a - b)[Math.ceil(0.99 * count) - 1] as number
        expect(p99).toBeLessThan(tolerance)
        await simulation.step(3)
        const [error] = await simulation.forceErrors()
        expect(error).toMatchObject({ force: 0, step: 3, tolerance, ok: true })
        expect(error?.net).toBeLessThan(tolerance)
        const [setting] = (await simulation.snapshot()).settings ?? []
        if (engine.device.info.backend === 'webgl') expect(setting).toBeNull()
        else {
          expect(error?.variant).toMatch(/^tree \(simplex, opening 0\.\d+\)/)
          expect(setting).toMatchObject({ proxies: 'simplex' })
          // The steps were computed by a tree.
          expect(errors.at(-1)).toBeGreaterThan(1e-4)
        }
        const { potential } = await simulation.energy()
        const now = { position: await simulation.read('position'), mass, dimension: 2 } as never
        const exact = await engine.run(energy(repulsion()), now)
        let trapped = 0
        for (const [n, x] of (await simulation.read('position')).entries())
          trapped += ((mass as Float32Array)[n >> 1] as number) * x * x * 0.5
        expect(Math.abs(potential - exact.energy / 2 - trapped)).toBeLessThan(0.5 * tolerance * Math.abs(exact.energy))
        const resumed = await engine.resume(await simulation.snapshot())
        for (const one of [simulation, resumed]) await one.step(2)
        const [one, other] = [await simulation.read('velocity'), await resumed.read('velocity')]
        for (const [n, v] of one.entries()) if (v !== other[n]) changed++
        expect(changed).toBe(0)
        for (const one of [simulation, resumed]) one.dispose()
      },
    ],
    [
      'a law that no tree can approximate is refused before anything moves',
      async (engine) => {
        const { particles, dt } = options(9)
        const method = tree({ tolerance: 1e-2 })
        const simulated = (law: object) => engine.simulate({ ...law, particles, dt } as never)
        const sized = pairPotential('exp(-r/mass_j - r/mass_i)', { name: 'sized', inertia: 'mass' })
        await expect(simulated({ law: sized(), domain: { method } })).rejects.toThrow('"method" does not suit sized')
        await expect(simulated({ law: gravity(), domain: { method, cutoff: 1 } })).rejects.toThrow('cutoff')
        await expect(simulated({ forces: [{ law: gravity(), method: 'tree' }] })).rejects.toThrow(
          '"method" expected tree({ tolerance: 1e-3 })',
        )
        await expect(simulated({ forces: [{ law: gravity(), method: { kind: 'tree' } }] })).rejects.toThrow(
          '"tolerance"',
        )
        const bonded = { law: gravity(), bonds: [[0, 1]], method }
        await expect(simulated({ forces: [bonded] })).rejects.toThrow('method')
      },
    ],
    [
      'laws without a force: sums with a tolerance are 0, and points move as without the law',
      async (engine) => {
        const { count, ...data } = still(300)
        const method = tree({ tolerance })
        for (const [name, law] of Object.entries(forceless)) {
          const workloads = law.kind === 'term' ? [sum] : [forces, accelerations, virial]
          for (const make of workloads) {
            const workload = make(law, { method })
            const { report, ...results } = await engine.run(workload, data as never)
            const [numbers] = Object.values(results as Record<string, number | ArrayLike<number>>)
            const sizes =
              typeof numbers === 'number' ? [Math.abs(numbers)] : Array.from(numbers ?? [Number.NaN], Math.abs)
            expect([name, Math.max(...sizes), sizes.length > 0]).toEqual([name, 0, true])
            expect(report).toMatchObject({ interactions: count * count, evaluated: 0 })
            expect(report.error).toMatchObject({ largest: 0, ok: true, note: 'no pairs: every term is 0' })
          }
          if (law.kind === 'term') continue
          const velocity = numbers(3 * count, 6)
          const simulation = await engine.simulate({
            forces: [{ law, method }, externalForce(['2*mass', '0', '0'], { inertia: 'mass' })()],
            particles: { ...data, velocity },
            dt: 0.5,
          })
          await simulation.step(2)
          const moved = await simulation.read('position')
          for (const [k, x] of moved.entries())
            expect(
              Math.abs(x - (data.position[k] as number) - (velocity[k] as number) - (k % 3 === 0 ? 1 : 0)),
            ).toBeLessThan(1e-5)
          expect(await simulation.read('acceleration')).toEqual(moved.map((_, k) => (k % 3 === 0 ? 2 : 0)))
        }
      },
    ],
  ]
