// Positions and velocities in two floats: many short steps add up in float32, too. Every case runs on every backend.

import {
  type Engine,
  externalForce,
  firstOrderRungeKutta4,
  gravity,
  langevin,
  leapfrog,
  type Precision,
  rungeKutta4,
  yoshida4,
} from '@manybody/core'
import { expect } from 'vitest'
import { effort } from './physics/effort.ts'

type AnyEngine = Engine<Precision>

const isFloat32 = (engine: AnyEngine) => engine.device.info.precision === 'f32'

/** Sun, earth and moon, in astronomical units, days and solar masses. */
const moon = (() => {
  const [G, earth, moon, axis] = [2.959122082855911e-4, 3.003e-6, 3.69e-8, 0.00257]
  const [around, along] = [Math.sqrt(G), Math.sqrt((G * (earth + moon)) / axis)]
  return {
    law: gravity({ G }),
    particles: {
      position: Float64Array.of(0, 0, 1, 0, 1 + axis, 0),
      velocity: Float64Array.of(0, 0, 0, around, 0, around + along),
      mass: Float64Array.of(1, earth, moon),
      dimension: 2,
    },
    dt: 0.01,
  }
})()

export const lowPartSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'a slow point far from the origin moves, and one that is written there has all its digits',
    async (engine) => {
      const nothing = externalForce(['0', '0'], { inertia: 'mass' })
      const particles = { position: [20_000, -7], velocity: [0.5, 0.25], mass: [1], dimension: 2 }
      for (const [integrator, dt] of [
        [leapfrog, 2 ** -10],
        [leapfrog, { step: '0.001*mass', shortest: 2 ** -10, longest: 2 ** -10 }],
        [rungeKutta4, 2 ** -10],
      ] as const) {
        await using simulation = await engine.simulate({ forces: [nothing()], particles, integrator, dt })
        await simulation.step(64)
        expect(Array.from(await simulation.read('position'))).toEqual([20_000.03125, -6.984375])
        await simulation.write('position', Float64Array.of(20_000.1, 0.1), { first: 0 })
        await simulation.step(64)
        const snapshot = await simulation.snapshot()
        const { position, positionLow = new Float32Array(2) } = snapshot.arrays
        for (const [n, expected] of [20_000.13125, 0.115625].entries())
          expect(Math.abs((position[n] as number) + (positionLow[n] as number) - expected)).toBeLessThan(1e-7)
        await using again = await engine.resume(snapshot)
        for (const one of [simulation, again]) await one.step(3)
        expect((await again.snapshot()).arrays).toEqual((await simulation.snapshot()).arrays)
      }
    },
  ],
  [
    'points that crawl and are slowed down by drag move far from the origin',
    async (engine) => {
      const allowed = isFloat32(engine) ? 2e-6 : 1e-7
      const drag = externalForce('-friction*velocity', { inertia: 'mass', parameters: { friction: 0.25 } })
      const slowed = { position: [20_000, -7], velocity: [0.5, 0.25], mass: [1], dimension: 2 as const }
      await using simulation = await engine.simulate({ forces: [drag()], particles: slowed, dt: 2 ** -10 })
      const flow = externalForce(['0.5 - 0.125*time', '0.25'])
      const { velocity: _, ...carried } = slowed
      const crawling = { forces: [flow()], particles: carried, integrator: firstOrderRungeKutta4, dt: 2 ** -10 }
      await using flowing = await engine.simulate(crawling)
      for (const [one, moved] of [
        [simulation, 2 * (1 - Math.exp(-1 / 16))],
        [flowing, 0.5 * 0.25 - 0.0625 * 0.25 ** 2],
      ] as const) {
        await one.step(256)
        const { position, positionLow = new Float32Array(2) } = (await one.snapshot()).arrays
        expect(Math.abs((position[0] as number) - 20_000 + (positionLow[0] as number) - moved)).toBeLessThan(allowed)
      }
    },
  ],
  [
    "a moon keeps its orbit beside a planet's",
    async (engine) => {
      await using simulation = await engine.simulate(moon)
      // The sun changes the axis with time.
      const far = { steps: 2000, axis: 2.5304938e-3 }
      const { steps, axis: expected } = effort(engine, {
        deep: far,
        fast: far,
        slow: { steps: 500, axis: 2.5351949e-3 },
      })
      await simulation.step(steps)
      const [places, speeds] = [await simulation.read('position'), await simulation.read('velocity')]
      const apart = (of: ArrayLike<number>) =>
        Math.hypot((of[4] as number) - (of[2] as number), (of[5] as number) - (of[3] as number))
      const { law, particles } = moon
      const pull = (law.parameters.G as number) * ((particles.mass[1] as number) + (particles.mass[2] as number))
      const axis = 1 / (2 / apart(places) - apart(speeds) ** 2 / pull)
      expect(Math.abs(axis / expected - 1)).toBeLessThan(isFloat32(engine) ? 5e-5 : 1e-6)
    },
  ],
  [
    'low parts stay with their points when others come and go',
    async (engine) => {
      const position = Float64Array.from({ length: 10 }, (_, n) => 10 * Math.sin(n + 1))
      const particles = { position, velocity: position.map((x) => x / 3), mass: [1, 1, 1, 1, 1], dimension: 2 }
      const options = { law: gravity({ softening: 1 }), particles, dt: 0.01, integrator: yoshida4 }
      for (const capacity of [undefined, 7]) {
        await using simulation = await engine.simulate({ ...options, ...(capacity && { capacity }) })
        await simulation.step(3)
        const before = (await simulation.snapshot()).arrays
        await simulation.remove([0, 3])
        await simulation.add({ position: Float64Array.of(0.1, 0.3), mass: [1], dimension: 2 })
        const { arrays } = await simulation.snapshot()
        expect('positionLow' in arrays).toBe(isFloat32(engine))
        for (const name of Object.keys(arrays).filter((name) => /^(position|velocity)/.test(name))) {
          const kept = Array.from(before[name] ?? []).filter((_, n) => ![0, 3].includes(Math.floor(n / 2)))
          expect(Array.from(arrays[name] ?? []).slice(0, 6), name).toEqual(kept)
        }
        if (!isFloat32(engine)) continue
        expect(Array.from(arrays.positionLow ?? []).slice(6)).toEqual(
          [0.1, 0.3].map((x) => Math.fround(x - Math.fround(x))),
        )
      }
    },
  ],
  [
    'a thermostat keeps low parts of positions alone',
    async (engine) => {
      const integrator = langevin({ temperature: 1, friction: 1, seed: 3, dimension: 2 })
      const particles = { position: [0, 0, 3, 0], mass: [1, 1], dimension: 2 }
      for (const [given, lows] of [
        [integrator, ['positionLow']],
        [leapfrog, ['positionLow', 'velocityLow']],
      ] as const) {
        const forces = [gravity({ softening: 1 })]
        await using simulation = await engine.simulate({ forces, particles, dt: 0.1, integrator: given })
        await simulation.step(2)
        const { arrays } = await simulation.snapshot()
        expect(Object.keys(arrays).filter((name) => name.endsWith('Low'))).toEqual(isFloat32(engine) ? lows : [])
      }
    },
  ],
]
