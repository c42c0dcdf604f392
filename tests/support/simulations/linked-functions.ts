// Tabulated functions of bonds, angles and dihedrals. Every case runs on every backend.

import {
  anglePotential,
  dihedralPotential,
  type Engine,
  externalPotential,
  type Force,
  type Precision,
  pairPotential,
  periodic,
} from '@manybody/core'
import { expect } from 'vitest'
import { type Spline, spline } from '../spline.ts'

type AnyEngine = Engine<Precision>
type Point = readonly [number, number, number]

const box = [3.5, 4, 3.25] as const
const stretched = (k: number) => ({
  from: 0.2,
  to: 3.5,
  values: Array.from({ length: 12 + k }, (_, n) => (k + 1) * (0.3 * n - 1) ** 2 + (n % 3)),
})
const bent = { from: 0, to: 3.5, values: [2, 1, 0.5, 1.5, 1, 2, 3, 2] }
// The values and, by their symmetry, the slopes agree at both ends of the turn.
const twisted = {
  from: -4,
  to: 4,
  values: Array.from({ length: 33 }, (_, n) => Math.cos((3 * Math.PI * (n - 16)) / 16) + 0.3 * n * (32 - n)),
}
const bond = pairPotential('k*u[kind_i, kind_j](r) + v(r)', {
  inertia: 'mass',
  parameters: { k: 1 },
  functions: {
    u: [
      [stretched(0), stretched(1)],
      [stretched(1), stretched(2)],
    ],
    v: { ...stretched(3), outside: 'zero' },
  },
})
const bend = anglePotential('k*w(theta + rest) + w(theta)', {
  inertia: 'mass',
  parameters: { k: 1, rest: 0 },
  functions: { w: bent },
})
const torsion = dihedralPotential('k*t(phi)', { inertia: 'mass', parameters: { k: 1 }, functions: { t: twisted } })

const bonds: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 4],
  [5, 1],
  [6, 0],
]
const angles: readonly Point[] = [
  [0, 1, 2],
  [1, 2, 3],
  [5, 1, 6],
]
const dihedrals: readonly (readonly [number, number, number, number])[] = [
  [0, 1, 2, 3],
  [1, 2, 3, 4],
  [5, 1, 2, 6],
]
const [stiffness, rest] = [
  [1, 2, 0.5, 1.5, 1, 3],
  [0.1, -0.05, 0.2],
]
const kind = [0, 1, 0, 1, 1, 0, 1]
const mass = Float32Array.of(1, 2, 0.5, 1, 4, 1, 3)

const dot = (u: readonly number[], v: readonly number[]) => u.reduce((sum, x, n) => sum + x * (v[n] as number), 0)

function energyOf(places: ArrayLike<number>, listed: number = bonds.length): number {
  const leg = (from: number, to: number) =>
    box.map((length, axis) => {
      const direct = (places[3 * to + axis] as number) - (places[3 * from + axis] as number)
      return direct - length * Math.round(direct / length)
    }) as [number, number, number]
  const u = [0, 1, 2].map((k) => spline(stretched(k)))
  const [v, w, t] = [spline(stretched(3)), spline(bent), spline(twisted)]
  const ofBonds = bonds.slice(0, listed).map(([a, b], n) => {
    const r = Math.hypot(...leg(a, b))
    const own = u[(kind[a] as number) + (kind[b] as number)] as Spline
    return (stiffness[n] as number) * own(r) + v(r)
  })
  const ofAngles = angles.map(([a, b, c], n) => {
    const [x, y] = [leg(b, a), leg(b, c)]
    const theta = Math.acos(dot(x, y) / Math.hypot(...x) / Math.hypot(...y))
    return 0.5 * (2 * w(theta + (rest[n] as number)) + w(theta))
  })
  const ofDihedrals = dihedrals.map(([a, b, c, d]) => {
    const [x, y, z] = [leg(b, a), leg(b, c), leg(c, d)]
    const axis = y.map((part) => part / Math.hypot(...y)) as [number, number, number]
    const across = (one: readonly number[]) => one.map((part, n) => part - dot(one, axis) * (axis[n] as number))
    const [p, q] = [across(x) as [number, number, number], across(z)]
    const side = [axis[1] * p[2] - axis[2] * p[1], axis[2] * p[0] - axis[0] * p[2], axis[0] * p[1] - axis[1] * p[0]]
    return 1.5 * t(Math.atan2(dot(side, q), dot(p, q)))
  })
  return [...ofBonds, ...ofAngles, ...ofDihedrals].reduce((sum, one) => sum + one, 0)
}

export const linkedFunctions: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'tabulated bonds by kind, angles and dihedrals push along the gradient of their energy',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const position = Float32Array.from({ length: 21 }, (_, at) => ((at * 37) % 23) / 8)
      const boundary = periodic(box)
      const simulation = await engine.simulate({
        forces: [
          { law: bond(), bonds, attributes: { k: stiffness }, boundary },
          { law: bend({ k: 2 }), angles, attributes: { rest }, scale: 0.5 },
          { law: torsion({ k: 1.5 }), dihedrals },
        ],
        particles: { position, mass, kind },
        dt: 0.002,
      })
      const requireRight = async () => {
        const places = await simulation.read('position')
        const h = 1e-5
        const expected = Array.from(places, (_, at) => {
          const moved = (by: number) => Float64Array.from(places, (x, place) => (place === at ? x + by : x))
          return (energyOf(moved(-h)) - energyOf(moved(h))) / (2 * h * (mass[Math.floor(at / 3)] as number))
        })
        const largest = Math.max(...expected.map(Math.abs))
        expect(largest).toBeGreaterThan(0.5)
        for (const [at, a] of (await simulation.read('acceleration')).entries())
          expect(Math.abs(a - (expected[at] as number)) / largest, `${at}`).toBeLessThan(exact ? 1e-6 : 2e-5)
        const { potential } = await simulation.energy()
        expect(Math.abs(potential / energyOf(places) - 1)).toBeLessThan(exact ? 1e-12 : 1e-5)
      }
      await requireRight()
      await simulation.step(5)
      await requireRight()
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(2), resumed.step(2)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      await simulation.write('position', position)
      await requireRight()
      for (const p of await simulation.momentum()) expect(Math.abs(p)).toBeLessThan(1e-4)
      await simulation.write('bonds', bonds.slice(0, 2), { attributes: { k: stiffness.slice(0, 2) } })
      const fewer = await simulation.energy()
      await simulation.write('bonds', [...bonds], { attributes: { k: [...stiffness] } })
      const expected = energyOf(await simulation.read('position'), 2)
      expect(Math.abs(fewer.potential / expected - 1)).toBeLessThan(exact ? 1e-12 : 1e-5)
      await requireRight()
      for (const one of [simulation, resumed]) one.dispose()
    },
  ],
  [
    'bonds of length 0 push by the difference of two tabulated functions, alone and by kinds, where these begin at 0',
    async (engine) => {
      const line = (slope: number, from = 0) => ({ from, to: 4, values: [slope * from, slope * 4] })
      const apart = pairPotential('u(r) - v(r)', { inertia: 'mass', functions: { u: line(1), v: line(3) } })()
      const byKind = pairPotential('u[kind_i](r) - v[kind_i](r) + w[kind_j](r) - w[kind_i](r)', {
        inertia: 'mass',
        functions: { u: [line(1), line(2)], v: [line(3), line(7)], w: [line(-2), line(-2)] },
      })()
      const later = pairPotential('u[kind_i](r)', { inertia: 'mass', functions: { u: [line(1, 1), line(2, 0.5)] } })()
      const pair = [[0, 1] as const]
      for (const [law, force] of [
        [apart, 2],
        [byKind, 5],
        [later, 0],
      ] as const) {
        const simulation = await engine.simulate({
          forces: [{ law, bonds: pair }],
          particles: { position: [1, 2, 3, 1, 2, 3], mass: [1, 1], kind: [1, 1] },
          dt: 0.01,
        })
        const acceleration = await simulation.read('acceleration')
        expect([...acceleration].map(Math.abs), law.name).toEqual([force, 0, 0, force, 0, 0])
        expect((acceleration[0] as number) + (acceleration[3] as number)).toBe(0)
        simulation.dispose()
      }
    },
  ],
  [
    'functions beyond their ends, and those of a number that is none, have no value and are named',
    async (engine) => {
      const mass = { inertia: 'mass' } as const
      const far = { from: 0, to: 1.25, values: [0, 1, 3, 4, 2, 1] }
      const near = { ...far, from: 1.75, to: 8 }
      const zero = { ...far, outside: 'zero' } as const
      const angles = [[0, 1, 2] as const]
      const bonds = [[0, 1] as const]
      const position = [0, 0, 0, 1.5, 0, 0, 1.5, 1.5, 0]
      const cases: readonly (readonly [force: Force, message: string])[] = [
        [pairPotential('u(r)', { ...mass, functions: { u: far } })(), 'the function u is tabulated from 0 to 1.25'],
        [pairPotential('u(r)', { ...mass, functions: { u: near } })(), 'the function u is tabulated from 1.75 to 8'],
        [
          { law: pairPotential('u[kind_i](r)', { ...mass, functions: { u: [far, far] } })(), bonds },
          'the function u is tabulated from 0 to 1.25',
        ],
        [
          externalPotential('F(position_x)', { ...mass, functions: { F: far } })(),
          'at point 1, the function F is tabulated from 0 to 1.25, and position_x is 1.5',
        ],
        [
          externalPotential('F[kind](2 - position_x)', {
            ...mass,
            functions: { F: [near, { ...near, from: 0.75 }] },
          })(),
          'at point 1, the function F is tabulated from 0.75 to 8, and 2 - position_x is 0.5',
        ],
        [
          { law: anglePotential('w(theta)', { ...mass, functions: { w: far } })(), angles },
          'the function w is tabulated from 0 to 1.25, and theta is 1.57',
        ],
        [
          { law: anglePotential('w(theta)', { ...mass, functions: { w: near } })(), angles },
          'the function w is tabulated from 1.75 to 8, and theta is 1.57',
        ],
        [
          externalPotential('F(position_x + sqrt(charge))', { ...mass, functions: { F: zero } })(),
          'sqrt(charge) is NaN for an operand of -1',
        ],
        [
          externalPotential('F(position_x + sqrt(charge))', {
            ...mass,
            functions: { F: { ...far, outside: 'edge' } },
          })(),
          'sqrt(charge) is NaN for an operand of -1',
        ],
        [
          { law: anglePotential('w(theta + sqrt(1 - theta))', { ...mass, functions: { w: zero } })(), angles },
          'is NaN for an operand of -0.5708',
        ],
      ]
      for (const [force, message] of cases) {
        const simulation = await engine.simulate({
          forces: [force],
          particles: { position, mass: [1, 1, 1], kind: [0, 1, 0], charge: [-1, -1, -1] },
          dt: 0.01,
        })
        await expect(simulation.read('acceleration')).rejects.toThrow(message)
        await expect(simulation.energy()).rejects.toThrow(message)
        simulation.dispose()
      }
    },
  ],
  [
    'straight angles with a tabulated slope bend, and bonds of length 0 with one part',
    async (engine) => {
      const line = { from: 0, to: 4, values: [0, 4] }
      const simulation = await engine.simulate({
        forces: [
          {
            law: anglePotential('w(theta)', { inertia: 'mass', functions: { w: line } })(),
            angles: [[0, 1, 2] as const],
          },
          {
            law: pairPotential('-u(r)', { inertia: 'mass', functions: { u: { ...line, outside: 'error' } } })(),
            bonds: [[3, 4] as const],
          },
        ],
        particles: { position: [0, 0, 0, 1, 0, 0, 2, 0, 0, 5, 5, 5, 5, 5, 5], mass: [1, 1, 1, 1, 1] },
        dt: 0.01,
      })
      const acceleration = await simulation.read('acceleration')
      expect(Math.hypot(acceleration[1] as number, acceleration[2] as number)).toBeCloseTo(1, 5)
      expect(Math.abs(acceleration[9] as number)).toBeCloseTo(1, 5)
      expect((acceleration[9] as number) + (acceleration[12] as number)).toBe(0)
      simulation.dispose()
    },
  ],
]
