// Dihedral angles of four points. Every case runs on every backend.

import { anglePotential, dihedralPotential, type Engine, type Precision, pairPotential, periodic } from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>
type Four = readonly [number, number, number, number]

const torsion = dihedralPotential('k*(1 + cos(n*phi - delta))', {
  name: 'torsion',
  inertia: 'mass',
  parameters: { k: 1, n: 3, delta: 0 },
})
const box = [3.5, 4, 3.25] as const

/** Four points about the z axis with this dihedral, as IUPAC counts it: clockwise from the first to the last, seen along the axis. */
const turned = (phi: number) => [1.25, 0, -0.5, 0, 0, 0, 0, 0, 1.5, 0.75 * Math.cos(phi), 0.75 * Math.sin(phi), 1.75]

/** The angle between the outer legs seen along the middle one, across faces of the box. */
function phiOf(position: ArrayLike<number>, [a, b, c, d]: Four): number {
  const leg = (from: number, to: number) =>
    box.map((length, axis) => {
      const direct = (position[3 * to + axis] as number) - (position[3 * from + axis] as number)
      return direct - length * Math.round(direct / length)
    }) as [number, number, number]
  const dot = (u: readonly number[], v: readonly number[]) => u.reduce((sum, x, n) => sum + x * (v[n] as number), 0)
  const [u, v, w] = [leg(b, a), leg(b, c), leg(c, d)]
  const axis = v.map((x) => x / Math.hypot(...v)) as [number, number, number]
  const across = (leg: readonly number[]) => leg.map((x, n) => x - dot(leg, axis) * (axis[n] as number))
  const [x, y] = [across(u) as [number, number, number], across(w)]
  const side = [axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]]
  return Math.atan2(dot(side, y), dot(x, y))
}

export const dihedralSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'dihedrals have the sign of IUPAC and the energy of their angle',
    async (engine) => {
      const rounding = engine.device.info.precision === 'f64' ? 1e-14 : 1e-6
      const angle = dihedralPotential('phi', { inertia: 'mass' })
      for (const phi of [0, 0.4, -0.4, Math.PI / 2, 2.5, -2.5]) {
        const particles = { position: Float32Array.from(turned(phi)), mass: [1, 1, 1, 1] }
        const simulation = await engine.simulate({
          forces: [{ law: angle(), dihedrals: [[0, 1, 2, 3]] }],
          particles,
          dt: 0.01,
        })
        const { potential } = await simulation.energy()
        expect(Math.abs(potential - phiOf(particles.position, [0, 1, 2, 3]))).toBeLessThan(4 * rounding)
        expect(Math.abs(potential - phi)).toBeLessThan(1e-6)
        simulation.dispose()
      }
    },
  ],
  [
    'dihedrals that share points push along the gradient of their energy, beside bonds and angles',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const dihedrals: readonly Four[] = [
        [0, 1, 2, 3],
        [1, 2, 3, 4],
        [5, 1, 2, 6],
        [3, 2, 1, 0],
      ]
      const [k, n] = [
        [1, 2, 0.5, 1.5],
        [1, 2, 3, 2],
      ]
      const position = Float32Array.from({ length: 21 }, (_, at) => ((at * 37) % 23) / 8)
      const mass = Float32Array.of(1, 2, 0.5, 1, 4, 1, 3)
      const energyOf = (places: ArrayLike<number>) =>
        dihedrals.reduce((sum, four, at) => {
          const angle = (n[at] as number) * phiOf(places, four) - 0.25
          return sum + 0.5 * (k[at] as number) * (1 + Math.cos(angle))
        }, 0)
      const h = 1e-5
      const expected = Array.from(position, (_, at) => {
        const moved = (by: number) => Float64Array.from(position, (x, place) => (place === at ? x + by : x))
        return (energyOf(moved(-h)) - energyOf(moved(h))) / (2 * h * (mass[Math.floor(at / 3)] as number))
      })
      const boundary = periodic(box)
      const listed = { law: torsion({ delta: 0.25 }), dihedrals, attributes: { k, n }, boundary, scale: 0.5 }
      const options = { forces: [listed], particles: { position, mass }, dt: 0.01 }
      const simulation = await engine.simulate(options)
      const found = await simulation.read('acceleration')
      const largest = Math.max(...expected.map(Math.abs))
      expect(largest).toBeGreaterThan(0.5)
      for (const [at, a] of found.entries())
        expect(Math.abs(a - (expected[at] as number)) / largest, `${at}`).toBeLessThan(exact ? 1e-7 : 5e-6)
      const { potential } = await simulation.energy()
      expect(Math.abs(potential - energyOf(position))).toBeLessThan(exact ? 1e-12 : 1e-5)
      expect(await simulation.pressure({ volume: 1 }), 'a dihedral has no virial').toBe(0)
      await simulation.step(3)
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(2), resumed.step(2)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      for (const p of await simulation.momentum()) expect(Math.abs(p)).toBeLessThan(exact ? 1e-13 : 2e-6)
      await simulation.write('dihedrals', [], { attributes: { k: [], n: [] } })
      expect((await simulation.energy()).potential).toBe(0)
      for (const one of [simulation, resumed]) one.dispose()
    },
  ],
  [
    'a chain of four keeps its energy while it turns, and takes other numbers',
    async (engine) => {
      const link = pairPotential('k*(r - rest)^2/2', { inertia: 'mass', parameters: { k: 200, rest: 1 } })
      const bend = anglePotential('k*(theta - 1.9)^2/2', { inertia: 'mass', parameters: { k: 50 } })
      const simulation = await engine.simulate({
        forces: [
          { law: link(), bonds: [[0, 1] as const, [1, 2] as const, [2, 3] as const] },
          { law: bend(), angles: [[0, 1, 2] as const, [1, 2, 3] as const] },
          { law: torsion({ k: 2 }), dihedrals: [[0, 1, 2, 3] as const] },
        ],
        particles: { position: turned(0.7), mass: [1, 2, 2, 1] },
        dt: 0.002,
      })
      const before = await simulation.energy()
      await simulation.step(100)
      const after = await simulation.energy()
      expect(after.kinetic).toBeGreaterThan(0.1 * before.total)
      expect(Math.abs(after.total / before.total - 1)).toBeLessThan(1e-3)
      await simulation.write('forces[2].k', 4)
      const stiffer = await simulation.energy()
      const phi = phiOf(await simulation.read('position'), [0, 1, 2, 3])
      const more = 2 * (1 + Math.cos(3 * phi))
      expect(Math.abs(stiffer.potential - after.potential - more)).toBeLessThan(2e-5)
      simulation.dispose()
    },
  ],
  [
    'a dihedral of points on a line has the angle 0 and no force',
    async (engine) => {
      const position = [
        0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 1, 0, 4, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 9, 9, 9, 9, 9, 9, 9, 8, 9,
      ]
      const dihedrals: readonly Four[] = [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
        [7, 8, 9, 10],
      ]
      const simulation = await engine.simulate({
        forces: [{ law: torsion({ k: 2 }), dihedrals }],
        particles: { position, mass: Array(11).fill(1) },
        dt: 0.01,
      })
      expect([...(await simulation.read('acceleration'))].every((a) => a === 0)).toBe(true)
      expect((await simulation.energy()).potential).toBe(12)
      simulation.dispose()
    },
  ],
]
