// Points in one place, with laws that are finite for some of them only. Every case runs on every backend.

import {
  type Engine,
  energy,
  forces,
  type Precision,
  pairPotential,
  pairTerm,
  potentials,
  sum,
  tree,
  virial,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from '../numbers.ts'

type AnyEngine = Engine<Precision>

/** Gravity between points of different sizes; some sizes are 0. */
const soft = pairPotential('-mass_i*mass_j/sqrt(r2 + size_i^2 + size_j^2)', { inertia: 'mass' })

/** Places with 8 points each. Half of the points in each place have no size. */
const crowd = (count: number) => {
  const places = numbers((3 * count) / 8, 11)
  return {
    position: Float32Array.from({ length: 3 * count }, (_, k) => {
      const place = Math.floor(k / 24)
      return 4 * (places[3 * place + (k % 3)] as number)
    }),
    mass: numbers(count, 12).map((x) => (0.5 + x) / count),
    size: Float32Array.from({ length: count }, (_, point) => (point % 2) * 0.25),
  }
}

/** The energy of each point, in a plain loop. */
function potentialsOf({ position, mass, size }: ReturnType<typeof crowd>): readonly number[] {
  const at = (array: Float32Array, n: number) => array[n] as number
  return Array.from(mass, (own, i) =>
    mass.reduce((total, other, j) => {
      const along = [0, 1, 2].map((axis) => at(position, 3 * j + axis) - at(position, 3 * i + axis))
      const distance = Math.hypot(...along, at(size, i), at(size, j))
      return i === j || distance === 0 ? total : total - (own * other) / distance
    }, 0),
  )
}

const near = (got: number, want: number, tolerance: number) =>
  expect(Math.abs(got - want)).toBeLessThanOrEqual(tolerance * Math.abs(want))

export const coincidentSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'two points in one place, and a law whose exponent is an attribute',
    async (engine) => {
      const law = sum(pairTerm('w_j*r^(-n_i)')())
      const position = [1, 2, 3, 1, 2, 3]
      for (const [n, value] of [
        [
          [0, 0],
          [5, 7],
        ],
        [
          [0, 1],
          [5, 0],
        ],
        [
          [-2, 0],
          [0, 7],
        ],
      ] as const) {
        const result = await engine.run(law, { position, w: [7, 5], n: [...n] } as never)
        expect([...(result.value as ArrayLike<number> & Iterable<number>)]).toEqual([...value])
        expect((await engine.verify(law, { position, w: [7, 5], n: [...n] } as never)).ok).toBe(true)
      }
    },
  ],
  [
    'softening lengths of 0: energies and virials are finite, and right by verify',
    async (engine) => {
      const data = crowd(200)
      const want = potentialsOf(data)
      const { potential } = await engine.run(potentials(soft()), data as never)
      for (const [n, value] of want.entries()) near(potential[n] as number, value, 1e-5)
      const total = await engine.run(energy(soft()), data as never)
      near(total.energy, want.reduce((a, b) => a + b, 0) / 2, 1e-5)
      for (const make of [forces, potentials, energy, virial]) {
        const { ok, bound } = await engine.verify(make(soft()), data as never)
        expect([make.name, ok]).toEqual([make.name, true])
        expect(bound).toBeLessThan(1e-4)
      }
    },
  ],
  [
    'softening lengths whose squares float32 does not hold: results are finite, and verify allows for the lost terms',
    async (engine) => {
      const data = { ...crowd(16), size: new Float32Array(16).fill(1e-30) }
      const { potential } = await engine.run(potentials(soft()), data as never)
      expect(Array.from(potential).every(Number.isFinite)).toBe(true)
      expect((await engine.verify(potentials(soft()), data as never)).ok).toBe(true)
    },
  ],
  [
    'a simulation has a finite energy, and conserves it',
    async (engine) => {
      const data = crowd(48)
      const simulation = await engine.simulate({
        law: soft(),
        particles: { ...data, velocity: new Float32Array(144) },
        dt: 1e-3,
      })
      const { potential, total } = await simulation.energy()
      near(potential, potentialsOf(data).reduce((a, b) => a + b, 0) / 2, 1e-5)
      await simulation.step(10)
      near((await simulation.energy()).total, total, 1e-5)
    },
  ],
  [
    'bonds of length 0, some of which have a size of 0',
    async (engine) => {
      const law = pairPotential('-k/sqrt(r2 + size^2)', { parameters: { k: 1, size: 1 }, inertia: 'mass' })
      const simulation = await engine.simulate({
        forces: [
          {
            law: law(),
            bonds: [
              [0, 1],
              [1, 2],
              [3, 4],
            ],
            attributes: { size: [0, 0.5, 0] },
          },
        ],
        particles: {
          position: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0],
          velocity: new Float32Array(15),
          mass: new Float32Array(5).fill(1),
        },
        dt: 1e-3,
      } as never)
      near((await simulation.energy()).potential, -2 - 0.5, 1e-6)
      const acceleration = await simulation.read('acceleration')
      for (const [k, x] of [0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0, 0, -0.25, 0, 0].entries())
        expect(Math.abs((acceleration[k] as number) - x)).toBeLessThan(1e-6)
    },
  ],
  [
    'a sum with a tolerance',
    async (engine) => {
      const data = crowd(engine.device.info.backend === 'reference' ? 400 : 2000)
      const term = pairTerm('mass_j/sqrt(r2 + size_i^2)')
      const exact = await engine.run(sum(term()), data as never)
      const { value, report } = await engine.run(sum(term(), { method: tree({ tolerance: 1e-3 }) }), data as never)
      expect(report.error).toMatchObject({ ok: true })
      const errors = Array.from(value, (x, n) => Math.abs(x / (exact.value[n] as number) - 1)).sort((a, b) => a - b)
      expect(errors[Math.ceil(0.99 * errors.length) - 1]).toBeLessThan(1e-3)
      expect(errors.every(Number.isFinite)).toBe(true)
    },
  ],
]
