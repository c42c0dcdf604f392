// Cutoffs that change while a simulation runs. It must go on as one that is resumed with the new cutoffs, also where these need other
// programs: images of a small box, or a pass of its own for one of two laws. Every case runs on every backend.

import {
  type Engine,
  externalPotential,
  type Force,
  lennardJones,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
  type Simulation,
  type SimulationState,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const [side, spacing] = [6, 1.15]
const count = side ** 3
const ones = new Float32Array(count).fill(1)
/** Points near a grid. No distance in it is one of the cutoffs. */
const particles = {
  position: Float32Array.from({ length: 3 * count }, (_, k) => {
    const at = Math.floor(Math.floor(k / 3) / side ** (k % 3)) % side
    return spacing * at + 0.03 * Math.sin(12.9898 * k * k)
  }),
  ...{ mass: ones, sigma: ones, epsilon: ones },
}
const boundary = periodic([side * spacing, side * spacing, side * spacing])
const dt = 0.002
const repel = pairPotential('k*exp(-r)', { inertia: 'mass', parameters: { k: 1 } })

/** Its places and potential energy. */
async function reached(simulation: Simulation<Precision>) {
  return { places: await simulation.read('position'), potential: (await simulation.energy()).potential }
}

/** Changes cutoffs between steps, and compares with simulations that are resumed with them. */
async function compare(
  engine: AnyEngine,
  simulation: Simulation<Precision>,
  changes: readonly (readonly [Readonly<Record<string, number>>, Partial<SimulationState>])[],
): Promise<void> {
  const exact = engine.device.info.precision === 'f64'
  for (const [parameters, described] of changes) {
    await simulation.step(3)
    const before = await reached(simulation)
    await using other = await engine.resume({ ...(await simulation.snapshot()), ...described, checksum: undefined })
    await simulation.set({ parameters })
    const snapshot = await simulation.snapshot()
    for (const [part, value] of Object.entries(described)) expect(snapshot).toHaveProperty(part, value)
    expect((await simulation.energy()).potential).not.toBeCloseTo(before.potential, 2)
    for (const one of [simulation, other]) await one.step(3)
    const [got, expected] = [await reached(simulation), await reached(other)]
    expect(got.potential).toBeCloseTo(expected.potential, exact ? 9 : 2)
    const off = got.places.map((x, n) => Math.abs(x - (expected.places[n] as number)))
    expect(Math.max(...off), JSON.stringify(parameters)).toBeLessThan(exact ? 1e-12 : 2e-5)
  }
}

export const cutoffSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'the cutoff of a law changes between steps, also to one beyond half the box',
    async (engine) => {
      const domain = (cutoff: number) => ({ self: 'exclude', boundary, exclusions: [], cutoff }) as const
      await using simulation = await engine.simulate({ law: lennardJones(), domain: domain(1.8), particles, dt })
      const to = (cutoff: number) => [{ cutoff }, { domain: domain(cutoff) }] as const
      await compare(engine, simulation, [to(2.9), to(1.4), to(4), to(2)])
    },
  ],
  [
    'a switch moves with its cutoff, and two laws of one pass part',
    async (engine) => {
      const forces = (one: number, other: number): readonly Force[] => [
        { law: lennardJones(), boundary, cutoff: one, switchDistance: one - 0.25 },
        { law: repel(), boundary, cutoff: other, switchDistance: other - 0.25 },
      ]
      await using simulation = await engine.simulate({ forces: forces(2, 2), particles, dt })
      await using checked = await engine.simulate({ forces: forces(2, 2), particles, dt })
      const to = async (one: number, other: number) => {
        await using made = await engine.simulate({ forces: forces(one, other), particles, dt })
        const { forces: described } = await made.snapshot()
        const numbers = [one, other].flatMap((cutoff, n) => [
          [`forces[${n}].cutoff`, cutoff],
          [`forces[${n}].switchDistance`, cutoff - 0.25],
        ])
        return [Object.fromEntries(numbers) as Record<string, number>, { forces: described } as object] as const
      }
      await compare(engine, simulation, [await to(2.5, 2.5), await to(2.5, 1.5), await to(3, 1.75)])
      await using usual = await engine.simulate({ forces: forces(2, 2), particles, dt })
      const [longer] = await to(2.5, 2.5)
      const { forces: before } = await checked.snapshot()
      await checked.step(2, { parameters: longer })
      await usual.set({ parameters: longer })
      await usual.step(2)
      expect(await checked.read('position')).toEqual(await usual.read('position'))
      expect((await checked.snapshot()).forces).toEqual(before)
    },
  ],
  [
    'a computed sum takes another cutoff',
    async (engine) => {
      const law = pairTerm('(1 - r2/9)^2')()
      const crowd = externalPotential('density^2/100', { inertia: 'mass' })
      await using simulation = await engine.simulate({
        forces: [crowd()],
        computed: { density: { law, boundary, cutoff: 1.5 } },
        ...{ particles, dt },
      })
      const { computed } = await simulation.snapshot()
      const { density } = computed as { density: object }
      const to = (cutoff: number) => [{ cutoff }, { computed: { density: { ...density, cutoff } } } as object] as const
      await compare(engine, simulation, [to(2.5), to(1.25)])
    },
  ],
]
