// Attributes that a simulation computes before its forces. Every case runs on every backend.

import {
  type Engine,
  externalPotential,
  forces,
  type Precision,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  sum,
} from '@manybody/core'
import { expect } from 'vitest'
import { type Spline, spline } from '../spline.ts'

type AnyEngine = Engine<Precision>

const kernel = pairTerm('mass_j*max(0, h^2 - r2)^3/h^9', { name: 'kernel', parameters: { h: 0.25 } })
const pressed = pairForce('-stiffness*(pressure_i + pressure_j)/(density_i*density_j)*max(0, h - r)^2/r', {
  name: 'pressed',
  inertia: 'mass',
  parameters: { h: 0.25, stiffness: 2000 },
})

const count = 60
const particles = (dimension: 2 | 3) => ({
  position: Float32Array.from({ length: dimension * count }, (_, n) => ((n * 37 + (n % 7) * 11) % 97) / 97),
  mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 3)),
  dimension,
})

/** The largest difference, relative to the largest number. */
function off(found: ArrayLike<number>, wanted: ArrayLike<number>): number {
  const size = Math.max(...Array.from(wanted, Math.abs))
  return Math.max(...Array.from(found, (x, n) => Math.abs(x - (wanted[n] as number)))) / size
}

const fluid = (h: number) => ({
  computed: {
    density: { law: kernel({ h }), cutoff: h, self: 'include' },
    pressure: 'max(0, density - 2)',
  } as const,
  forces: [{ law: pressed({ h }), cutoff: h }],
})

export const computedSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'forces read densities and pressures of their moment',
    async (engine) => {
      const rounding = engine.device.info.precision === 'f64' ? 1e-13 : 2e-6
      for (const dimension of [2, 3] as const) {
        const simulation = await engine.simulate({ ...fluid(0.25), particles: particles(dimension), dt: 0.002 })
        const requireRight = async (h: number) => {
          const [position, density, pressure, acceleration] = [
            await simulation.read('position'),
            await simulation.read('density'),
            await simulation.read('pressure'),
            await simulation.read('acceleration'),
          ]
          const { mass } = particles(dimension)
          const points = { position, mass, dimension }
          const { value } = await engine.run(sum(kernel({ h }), { cutoff: h, self: 'include' }), points)
          expect(off(density, value)).toBeLessThan(rounding)
          const squeezed = Array.from(density, (x) => Math.max(0, x - 2))
          expect(off(pressure, squeezed)).toBeLessThan(rounding)
          const { force } = await engine.run(forces(pressed({ h }), { cutoff: h }), { ...points, density, pressure })
          const wanted = Array.from(force, (f, n) => f / (mass[Math.floor(n / dimension)] as number))
          expect(Math.max(...wanted)).toBeGreaterThan(0.1)
          expect(off(acceleration, wanted)).toBeLessThan(10 * rounding)
        }
        await requireRight(0.25)
        await simulation.step(5)
        await requireRight(0.25)
        await simulation.write('position', await simulation.read('position'), {})
        await simulation.write('position', Array(dimension).fill(0.5), { first: 3 })
        await requireRight(0.25)
        await simulation.write('computed.density.h', 0.2)
        await simulation.write('forces[0].h', 0.2)
        const density = await simulation.read('density')
        const points = { ...particles(dimension), position: await simulation.read('position') }
        const { value } = await engine.run(sum(kernel({ h: 0.2 }), { cutoff: 0.25, self: 'include' }), points)
        expect(off(density, value)).toBeLessThan(rounding)
        simulation.dispose()
      }
    },
  ],
  [
    'a run with computed attributes is resumed bit for bit, and its points come and go',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const options = { ...fluid(0.25), dt: 0.002, capacity: count + 5, fixed: [0] }
      const simulation = await engine.simulate({ ...options, particles: particles(3) })
      await simulation.step(3)
      const snapshot = structuredClone(await simulation.snapshot())
      const resumed = await engine.resume(snapshot)
      expect(await resumed.read('density')).toEqual(await simulation.read('density'))
      await Promise.all([simulation.step(2), resumed.step(2)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      expect(await resumed.read('density')).toEqual(await simulation.read('density'))
      await simulation.add({ position: [0.5, 0.5, 0.5], mass: [2] })
      await simulation.remove([7])
      await simulation.step(1)
      const [position, velocity] = [await simulation.read('position'), await simulation.read('velocity')]
      const mass = await simulation.read('mass')
      const again = await engine.simulate({ ...options, particles: { position, velocity, mass } })
      expect(off(await again.read('density'), await simulation.read('density'))).toBeLessThan(exact ? 1e-13 : 2e-6)
      expect((await simulation.read('density')).length).toBe(count)
      for (const one of [simulation, resumed, again]) one.dispose()
    },
  ],
  [
    'sums of a single law in a box are over its nearest images, and later attributes read earlier ones',
    async (engine) => {
      const spring = pairPotential('(r - 0.2)^2', { inertia: 'mass' })
      const boundary = periodic([1, 1])
      const simulation = await engine.simulate({
        ...{ law: spring(), domain: { boundary, cutoff: 0.3 } },
        computed: {
          near: { law: pairTerm('1')(), cutoff: 0.3 },
          heavy: { law: pairTerm('mass_j*near_j')(), cutoff: 0.3 },
          share: 'heavy/(1 + near)',
        },
        particles: particles(2),
        dt: 0.001,
      })
      const { position, mass } = particles(2)
      const near = (a: number, b: number) => {
        const d = [0, 1].map((axis) => (position[2 * a + axis] as number) - (position[2 * b + axis] as number))
        return a !== b && Math.hypot(...d.map((x) => x - Math.round(x))) < 0.3
      }
      const all = [...mass.keys()]
      const counts = all.map((a) => all.filter((b) => near(a, b)).length)
      const heavy = all.map((a) =>
        all.filter((b) => near(a, b)).reduce((sum, b) => sum + (mass[b] as number) * (counts[b] as number), 0),
      )
      expect([...(await simulation.read('near'))]).toEqual(counts)
      expect([...(await simulation.read('heavy'))]).toEqual(heavy)
      const share = heavy.map((x, n) => x / (1 + (counts[n] as number)))
      expect(off(await simulation.read('share'), share)).toBeLessThan(1e-6)
      const { most } = await simulation.total({ most: 'near' })
      expect(most).toBe(counts.reduce((a, b) => a + b, 0))
      simulation.dispose()
    },
  ],
  [
    'a potential of a density pushes along the gradient of its energy, as embedded atoms do',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const [length, reach, depth] = [2, 0.9, 1.5]
      const { position, mass } = particles(3)
      const spread = position.map((x) => 2 * x)
      const embed = externalPotential('-depth*well + 0.01*mass*position_x^2', {
        inertia: 'mass',
        parameters: { depth: 1 },
      })
      const spring = pairPotential('(0.4 - r)^2', { inertia: 'mass' })
      const decay = pairTerm('mass_j*exp(-rate*r2)', { parameters: { rate: 2 } })
      const options = {
        computed: {
          density: { law: decay({ rate: 2 }), cutoff: reach, switchDistance: 0.5 },
          well: 'sqrt(1 + density)',
        },
        forces: [{ law: spring(), boundary: periodic([length, length, length]), cutoff: 0.4 }, embed({ depth })],
        dt: 0.002,
      }
      const simulation = await engine.simulate({ ...options, particles: { position: spread, mass } })
      const switched = (r: number) => {
        const t = Math.max(0, (r - 0.5) / (reach - 0.5))
        return 1 - 10 * t ** 3 + 15 * t ** 4 - 6 * t ** 5
      }
      const energyOf = (places: ArrayLike<number>, scale = 1, rate = 2) => {
        const box = length * scale
        let sum = 0
        for (let a = 0; a < count; a++) {
          let density = 0
          for (let b = 0; b < count; b++) {
            const d = [0, 1, 2].map((axis) => (places[3 * a + axis] as number) - (places[3 * b + axis] as number))
            const r = Math.hypot(...d.map((x) => x - box * Math.round(x / box)))
            if (a === b || r >= reach) continue
            density += (mass[b] as number) * Math.exp(-rate * r * r) * switched(r)
            if (r < 0.4) sum += (0.4 - r) ** 2 / 2
          }
          sum += -depth * Math.sqrt(1 + density) + 0.01 * (mass[a] as number) * (places[3 * a] as number) ** 2
        }
        return sum
      }
      const { potential } = await simulation.energy()
      expect(Math.abs(potential / energyOf(spread) - 1)).toBeLessThan(exact ? 1e-12 : 1e-5)
      const h = 1e-5
      const slopeAt = (n: number) => {
        const moved = (by: number) => Float64Array.from(spread, (x, at) => (at === n ? x + by : x))
        return (energyOf(moved(-h)) - energyOf(moved(h))) / (2 * h * (mass[Math.floor(n / 3)] as number))
      }
      const found = await simulation.read('acceleration')
      const some = [0, 1, 2, 31, 62, 93, 124, 155, 176]
      const wanted = some.map(slopeAt)
      expect(
        off(
          some.map((n) => found[n] as number),
          wanted,
        ),
      ).toBeLessThan(exact ? 1e-6 : 2e-5)
      await simulation.set({ parameters: { rate: 3, depth } })
      expect(Math.abs((await simulation.energy()).potential / energyOf(spread, 1, 3) - 1)).toBeLessThan(
        exact ? 1e-12 : 1e-5,
      )
      const before = await simulation.energy()
      await simulation.step(50)
      const after = await simulation.energy()
      expect(Math.abs(after.total / before.total - 1)).toBeLessThan(2e-3)
      simulation.dispose()
    },
  ],
  [
    'embedded atoms push along the gradient of tabulated energies of tabulated densities, by kind',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const [length, reach, scale] = [3, 1.3, 0.5]
      const { position } = particles(3)
      const spread = position.map((x) => 3 * x)
      const mass = new Float32Array(count).fill(1)
      const kind = Float32Array.from({ length: count }, (_, n) => (n * 5 + Math.floor(n / 3)) % 2)
      // Few nodes, so that steps differ: with 0 as the end, splines are smooth there up to the second derivative.
      const spoken = (k: number) => ({
        ...{ from: 0, to: reach, outside: 'zero' as const },
        values: Array.from({ length: 9 + 4 * k }, (_, n) => (k + 1) * (1 - n / (8 + 4 * k)) ** 4),
      })
      const embedding = (k: number) => ({
        ...{ from: -1, to: 40 + 10 * k },
        values: Array.from({ length: 30 - 3 * k }, (_, n) => -(k + 2) * Math.sqrt(2 + n) + 0.1 * (n % 3)),
      })
      const law = pairTerm('(1 + 0.5*kind_i)*rho[kind_j](r)', { functions: { rho: [spoken(0), spoken(1)] } })
      const embed = externalPotential(
        'weight*F[kind](scale*(band + extra)) - G(position_x) + F[kind](scale*(band + extra))',
        {
          inertia: 'mass',
          functions: {
            F: [embedding(0), embedding(1)],
            G: { from: -1, to: 4, values: [0, 1, 3, -1, 2, 0], outside: 'edge' },
          },
          parameters: { scale: 1, weight: 1 },
        },
      )
      const options = {
        computed: { density: { law: law(), cutoff: reach }, band: '0.5 + density' },
        forces: [
          {
            law: pairPotential('max(0, 0.4 - r)^2', { inertia: 'mass' })(),
            boundary: periodic([length, length, length]),
            cutoff: 0.4,
          },
          embed({ scale, weight: 2 }),
        ],
        dt: 0.0005,
      }
      const extra = new Float32Array(count).fill(0.25)
      const made = { ...options, particles: { position: spread, mass, kind, extra }, capacity: count + 3 }
      const simulation = await engine.simulate(made)
      const F = [0, 1].map((k) => spline(embedding(k)))
      const rho = [0, 1].map((k) => spline(spoken(k)))
      const G = spline({ from: -1, to: 4, values: [0, 1, 3, -1, 2, 0] })
      const energyOf = (places: ArrayLike<number>, weight = 2) => {
        let sum = 0
        for (let a = 0; a < count; a++) {
          let density = 0
          for (let b = 0; b < count; b++) {
            const d = [0, 1, 2].map((axis) => (places[3 * a + axis] as number) - (places[3 * b + axis] as number))
            const r = Math.hypot(...d.map((x) => x - length * Math.round(x / length)))
            if (a === b || r >= reach) continue
            density += (1 + 0.5 * (kind[a] as number)) * (rho[kind[b] as number] as Spline)(r)
            if (r < 0.4) sum += (0.4 - r) ** 2 / 2
          }
          const own = F[kind[a] as number] as Spline
          sum += (weight + 1) * own(scale * (0.5 + density + 0.25)) - G(places[3 * a] as number)
        }
        return sum
      }
      const { potential } = await simulation.energy()
      expect(Math.abs(potential / energyOf(spread) - 1)).toBeLessThan(exact ? 1e-12 : 1e-5)
      const slopesAt = (places: ArrayLike<number>, some: readonly number[]) =>
        some.map((n) => {
          const moved = (by: number) => Float64Array.from(places, (x, at) => (at === n ? x + by : x))
          return (energyOf(moved(-1e-5)) - energyOf(moved(1e-5))) / 2e-5
        })
      const requireRight = async () => {
        const places = await simulation.read('position')
        const some = [0, 1, 2, 31, 62, 93, 124, 155, 176]
        const found = await simulation.read('acceleration')
        const wanted = slopesAt(places, some)
        const right = off(
          some.map((n) => found[n] as number),
          wanted,
        )
        expect(right).toBeLessThan(exact ? 1e-6 : 1e-4)
      }
      await requireRight()
      const before = await simulation.energy()
      await simulation.step(20)
      const after = await simulation.energy()
      expect(Math.abs(after.total / before.total - 1)).toBeLessThan(1e-3)
      await requireRight()
      await simulation.write('weight', 3)
      expect(
        Math.abs((await simulation.energy()).potential / energyOf(await simulation.read('position'), 3) - 1),
      ).toBeLessThan(exact ? 1e-12 : 1e-5)
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(3), resumed.step(3)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      await simulation.write('position', Array(3).fill(1.5), { first: 7 })
      const fresh = await engine.simulate({
        ...made,
        forces: [made.forces[0] as never, embed({ scale, weight: 3 })],
        particles: { ...made.particles, position: await simulation.read('position') },
      })
      expect(Math.abs((await simulation.energy()).potential / (await fresh.energy()).potential - 1)).toBeLessThan(1e-6)
      await simulation.add({ position: [0.5, 0.5, 0.5], mass: [1], kind: [1], extra: [0.25] })
      await simulation.step(1)
      await simulation.remove([count])
      await simulation.write('position', spread)
      expect(Math.abs((await simulation.energy()).potential / energyOf(spread, 3) - 1)).toBeLessThan(
        exact ? 1e-12 : 1e-5,
      )
      for (const one of [simulation, resumed, fresh]) one.dispose()
    },
  ],
  [
    'attributes of the time alone change laws of pairs as time goes on, with their energies',
    async (engine) => {
      const rounding = engine.device.info.precision === 'f64' ? 1e-12 : 1e-6
      const spring = pairPotential('strength_i*r2/2', { inertia: 'mass' })
      const simulation = await engine.simulate({
        computed: { swing: 'sin(3*time)', strength: '2 + swing' },
        forces: [spring()],
        particles: { position: [0, 0, 0, 1, 0, 0], mass: [1, 1] },
        fixed: [1],
        ...{ dt: 0.01, t0: 40 },
      })
      const requireRight = async (time: number) => {
        expect(simulation.time).toBeCloseTo(time, 10)
        const strength = 2 + Math.sin(3 * time)
        const [x = 0] = await simulation.read('position')
        expect(Math.abs(((await simulation.read('strength'))[0] as number) - strength)).toBeLessThan(rounding)
        expect(Math.abs(((await simulation.read('acceleration'))[0] as number) - strength * (1 - x))).toBeLessThan(
          rounding,
        )
        expect(Math.abs((await simulation.energy()).potential - (strength * (1 - x) ** 2) / 2)).toBeLessThan(rounding)
      }
      await requireRight(40)
      await simulation.step(100)
      await requireRight(41)
      await simulation.set({ dt: 0.02 })
      await simulation.step(50)
      await requireRight(42)
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(3), resumed.step(3)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      for (const one of [simulation, resumed]) one.dispose()
    },
  ],
]
