// Forces of energies that depend on the places of points through several computed attributes, one after the other. Every case runs on every backend.
// Energies are written out here in float64, and forces are their central differences.

import {
  type Engine,
  externalPotential,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
  type SimulationOptions,
} from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>

const count = 30
const given = {
  mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 3)),
  q: Float32Array.from({ length: count }, (_, n) => (n % 2 ? 1 : -1) * (0.5 + (n % 5) / 8)),
  h: Float32Array.from({ length: count }, (_, n) => 0.5 + (n % 4) / 8),
  kind: Float32Array.from({ length: count }, (_, n) => n % 2),
}
const places = Float32Array.from({ length: 3 * count }, (_, n) => ((n * 37 + (n % 7) * 11) % 97) / 48.5)

/** A pair of points at a distance. */
type Term = (a: number, b: number, r: number, d: readonly number[]) => number

interface Domain {
  readonly box?: number
  readonly cutoff?: (a: number) => number
  readonly from?: number
  readonly self?: boolean
}

/** The sum of a term over the points near each. */
function sums(at: ArrayLike<number>, term: Term, { box = Infinity, cutoff, from, self = false }: Domain): number[] {
  return Array.from({ length: count }, (_, a) => {
    let total = 0
    for (let b = 0; b < count; b++) {
      const plain = [0, 1, 2].map((axis) => (at[3 * b + axis] as number) - (at[3 * a + axis] as number))
      const d = plain.map((x) => (box < Infinity ? x - box * Math.round(x / box) : x))
      const r = Math.hypot(...d)
      const reach = cutoff?.(a) ?? Infinity
      if ((a === b && !self) || r >= reach) continue
      const t = from === undefined ? 0 : Math.max(0, (r - from) / (reach - from))
      total += term(a, b, r, d) * (1 - 10 * t ** 3 + 15 * t ** 4 - 6 * t ** 5)
    }
    return total
  })
}

const num = (list: ArrayLike<number>, n: number) => list[n] as number
const inertia = { inertia: 'mass' } as const
type Described = Pick<SimulationOptions, 'computed' | 'forces'>
type Energy = (at: ArrayLike<number>, scale?: number, weight?: number) => number

/** Born's energy of charges in a solvent: radii follow from a sum over all other points. */
const born = {
  described: (weight: number): Described => ({
    computed: {
      crowd: { law: pairTerm('weight*exp(-r2)', { parameters: { weight: 1 } })({ weight }) },
      radius: '1/(1 + 0.5*tanh(crowd))',
    },
    forces: [
      {
        law: pairPotential('-q_i*q_j/sqrt(r2 + radius_i*radius_j*exp(-r2/(4*radius_i*radius_j)))', inertia)(),
        scale: 1.5,
        self: 'include',
      },
      externalPotential('-0.25*q^2/radius', inertia)(),
    ],
  }),
  energy: ((at, _, weight = 1) => {
    const crowd = sums(at, (_a, _b, r) => weight * Math.exp(-r * r), {})
    const radius = crowd.map((x) => 1 / (1 + 0.5 * Math.tanh(x)))
    const { q } = given
    const u: Term = (a, b, r) => {
      const product = num(radius, a) * num(radius, b)
      return (-num(q, a) * num(q, b)) / Math.sqrt(r * r + product * Math.exp((-r * r) / (4 * product)))
    }
    const ofPairs = sums(at, u, { self: true }).reduce((x, y) => x + y / 2, 0)
    return 1.5 * ofPairs - radius.reduce((sum, x, n) => sum + (0.25 * num(q, n) ** 2) / x, 0)
  }) as Energy,
}

/** Three sums, each of the one before, in a box, with switches, a table, a direction and excluded pairs. */
const chain = {
  described: (weight: number): Described => ({
    computed: {
      near: { law: pairTerm('0.2*exp(-r2)')(), cutoff: 0.9, switchDistance: 0.6 },
      pull: {
        law: pairTerm('0.05*weight*(1 + near_j*near_i)*q_j*exp(-2*r2)*t[kind_i, kind_j]', {
          parameters: { weight: 1 },
          tables: {
            t: [
              [1, 0.5],
              [2, 0.75],
            ],
          },
        })({ weight }),
        ...{ cutoff: 0.8, switchDistance: 0.3, self: 'include' as const },
      },
      both: '0.2*near*pull + 0.1*near',
      last: { law: pairTerm('both_i*both_j + 0.5*pull_j*dx')(), cutoff: 0.7, switchDistance: 0.2 },
    },
    forces: [
      {
        law: pairPotential('last_i*last_j*exp(-r)*pull_i*pull_j', inertia)(),
        ...{ boundary: periodic([2, 2, 2]), cutoff: 0.9, switchDistance: 0.4, exclusions: excluded },
      },
      externalPotential('sin(last) + both^2', inertia)(),
    ],
  }),
  energy: ((at, scale = 1, weight = 1) => {
    const box = 2 * scale
    const { q, kind } = given
    const near = sums(at, (_a, _b, r) => 0.2 * Math.exp(-r * r), { box, cutoff: () => 0.9, from: 0.6 })
    const t = [1, 0.5, 2, 0.75]
    const pulls: Term = (a, b, r) =>
      0.05 *
      weight *
      (1 + num(near, a) * num(near, b)) *
      num(q, b) *
      Math.exp(-2 * r * r) *
      num(t, 2 * num(kind, a) + num(kind, b))
    const pull = sums(at, pulls, { box, cutoff: () => 0.8, from: 0.3, self: true })
    const both = near.map((x, n) => 0.2 * x * num(pull, n) + 0.1 * x)
    const lasts: Term = (a, b, _r, d) => num(both, a) * num(both, b) + 0.5 * num(pull, b) * num(d, 0)
    const last = sums(at, lasts, { box, cutoff: () => 0.7, from: 0.2 })
    const u: Term = (a, b, r) =>
      excluded.some(([c, d]) => a === c && b === d)
        ? 0
        : num(last, a) * num(last, b) * Math.exp(-r) * num(pull, a) * num(pull, b)
    const ofPairs = sums(at, u, { box, cutoff: () => 0.9, from: 0.4 }).reduce((x, y) => x + y / 2, 0)
    return ofPairs + last.reduce((sum, x, n) => sum + Math.sin(x) + num(both, n) ** 2, 0)
  }) as Energy,
}
const excluded: readonly (readonly [number, number])[] = [
  [0, 1],
  [1, 0],
  [4, 9],
  [9, 4],
]

/** Sums over points nearer than a length of the target, and then of the source. */
const lengths = {
  described: (weight: number): Described => ({
    computed: {
      own: { law: pairTerm('weight*(h_i - r)^3', { parameters: { weight: 1 } })({ weight }), cutoff: 'h_i' },
      other: { law: pairTerm('own_j*(1 + (h_j - r)^3)*(h_j - r)^3')(), cutoff: 'h_j' },
    },
    forces: [pairPotential('other_i*other_j*exp(-r2)', inertia)(), externalPotential('own^2', inertia)()],
  }),
  energy: ((at, _, weight = 1) => {
    const { h } = given
    const own = sums(at, (a, _b, r) => weight * (num(h, a) - r) ** 3, { cutoff: (a) => num(h, a) })
    const near = (b: number, r: number) => Math.max(0, num(h, b) - r) ** 3
    const other = sums(at, (_a, b, r) => num(own, b) * (1 + near(b, r)) * near(b, r), {})
    const u: Term = (a, b, r) => num(other, a) * num(other, b) * Math.exp(-r * r)
    return sums(at, u, {}).reduce((x, y) => x + y / 2, 0) + own.reduce((sum, x) => sum + x * x, 0)
  }) as Energy,
}

/** Seven potentials of one sum. Both points of a pair share each, in forms that look different with the points exchanged. */
const many = {
  described: (weight: number): Described => ({
    computed: { c: { law: pairTerm('weight*h_j*exp(-2*r2)', { parameters: { weight: 1 } })({ weight }) } },
    forces: [
      pairPotential('max(c_i, c_j)*exp(-r2)', inertia)(),
      pairPotential('0.5*min(c_j, c_i)*exp(-r)', inertia)(),
      pairPotential('abs(c_i - c_j)*exp(-2*r2)', inertia)(),
      pairPotential('0.2*log(c_i/c_j)^2*exp(-r2)', inertia)(),
      pairPotential('select(c_i < c_j, (c_j - c_i)*h_j, (c_i - c_j)*h_i)*exp(-r)', inertia)(),
      { law: pairPotential('0.3*min(c_i, c_j)*exp(-r2)', inertia)(), self: 'include' },
      { law: pairPotential('c_i*c_j*(max(h_i, h_j) - r)^3', inertia)(), cutoff: 'max(h_i, h_j)' },
    ],
  }),
  energy: ((at, _, weight = 1) => {
    const { h } = given
    const c = sums(at, (_a, b, r) => weight * num(h, b) * Math.exp(-2 * r * r), {})
    const u: Term = (a, b, r) => {
      const [one, other] = [num(c, a), num(c, b)]
      const near = Math.max(0, Math.max(num(h, a), num(h, b)) - r)
      const ofExtremes = Math.max(one, other) * Math.exp(-r * r) + 0.5 * Math.min(one, other) * Math.exp(-r)
      const ofRatio = 0.2 * Math.log(one / other) ** 2 * Math.exp(-r * r)
      const ofGreater = Math.abs(one - other) * num(h, one < other ? b : a) * Math.exp(-r)
      return ofExtremes + Math.abs(one - other) * Math.exp(-2 * r * r) + ofRatio + ofGreater + one * other * near ** 3
    }
    const withItself: Term = (a, b, r) => 0.3 * Math.min(num(c, a), num(c, b)) * Math.exp(-r * r)
    return [...sums(at, u, {}), ...sums(at, withItself, { self: true })].reduce((x, y) => x + y / 2, 0)
  }) as Energy,
}

/** The acceleration along some components. */
function slopes(energy: Energy, at: ArrayLike<number>, weight: number): number[] {
  const step = 1e-5
  return some.map((n) => {
    const moved = (by: number) => Float64Array.from(at, (x, k) => (k === n ? x + by : x))
    return (
      (energy(moved(-step), 1, weight) - energy(moved(step), 1, weight)) / (2 * step * num(given.mass, (n / 3) | 0))
    )
  })
}
const some = [0, 1, 2, 13, 31, 44, 62, 75, 89]

const cases = { born, chain, lengths, many }

export const nestedSums: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] =
  Object.entries(cases).map(([name, { described, energy }]) => [
    `an energy over several computed sums pushes along its gradient: ${name}`,
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const options = { ...described(1), dt: 2e-4, capacity: count + 3 }
      const simulation = await engine.simulate({ ...options, particles: { ...given, position: places } })
      const requireRight = async (weight = 1) => {
        const at = await simulation.read('position')
        const wanted = slopes(energy, at, weight)
        const found = await simulation.read('acceleration')
        const size = Math.max(...wanted.map(Math.abs))
        const worst = Math.max(...some.map((n, k) => Math.abs(num(found, n) - num(wanted, k))))
        expect(size).toBeGreaterThan(0.05)
        expect(worst / size).toBeLessThan(exact ? 1e-7 : 2e-5)
        const { potential } = await simulation.energy()
        expect(Math.abs(potential / energy(at, 1, weight) - 1)).toBeLessThan(exact ? 1e-12 : 1e-5)
      }
      await requireRight()
      const before = await simulation.energy()
      await simulation.step(20)
      const after = await simulation.energy()
      expect(Math.abs(after.total - before.total)).toBeLessThan(1e-5 * Math.abs(before.total))
      await requireRight()
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(3), resumed.step(3)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      resumed.dispose()
      await simulation.set({ parameters: { weight: 1.25 } })
      await requireRight(1.25)
      await simulation.write('position', Array(3).fill(0.5), { first: 7 })
      await requireRight(1.25)
      await simulation.add({ position: [0.5, 0.75, 0.5], mass: [1], kind: [1], q: [2], h: [0.75] })
      await simulation.step(1)
      await simulation.remove([count])
      await requireRight(1.25)
      await simulation.write('position', places)
      const size = 1e-5
      const bigger = (by: number) =>
        energy(
          Float64Array.from(places, (x) => x * by),
          by,
          1.25,
        )
      const wanted = -(bigger(1 + size) - bigger(1 - size)) / (2 * size)
      const volume = name === 'chain' ? {} : { volume: 8 }
      const found = 3 * 8 * (await simulation.pressure(volume)) - 2 * (await simulation.energy()).kinetic
      expect(Math.abs(found / wanted - 1)).toBeLessThan(exact ? 1e-6 : 1e-3)
      simulation.dispose()
    },
  ])
