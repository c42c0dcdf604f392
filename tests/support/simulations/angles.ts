// Angles between bonds. Every case runs on every backend.

import { anglePotential, type Engine, externalPotential, gravity, type Precision, periodic } from '@manybody/core'
import { expect } from 'vitest'

type AnyEngine = Engine<Precision>
type Triple = readonly [number, number, number]

const bend = anglePotential('k*(theta - rest)^2/2', { name: 'bend', inertia: 'mass', parameters: { k: 1, rest: 2 } })
const box = [3.5, 4, 3.25] as const

const cross = ([a = 0, b = 0, c = 0]: readonly number[], [x = 0, y = 0, z = 0]: readonly number[]) => [
  b * z - c * y,
  c * x - a * z,
  a * y - b * x,
]
const plus = (...vectors: readonly (readonly number[])[]) =>
  [0, 1, 2].map((axis) => vectors.reduce((sum, vector) => sum + (vector[axis] ?? 0), 0))

/** Directions all over a circle or a sphere, an axis and two diagonals. */
function directions(dimension: 2 | 3): readonly (readonly number[])[] {
  const count = 7
  const spread = Array.from({ length: count }, (_, n) => {
    const [z, turn] = dimension === 2 ? [0, (2 * Math.PI * (n + 0.5)) / count] : [1 - (2 * n + 1) / count, 2.4 * n]
    const r = Math.sqrt(1 - z * z)
    return [r * Math.cos(turn), r * Math.sin(turn), z]
  })
  const even = [dimension === 2 ? [0, 1, 0] : [0, 0, -1], [-1, 1, 0], [1, 1, dimension - 2]]
  return [...spread, ...even.map((vector) => vector.map((c) => c / Math.hypot(...vector)))]
}

/** Angles of three points each, far from each other, that differ slightly from 0 or pi. */
function nearlyStraight(dimension: 2 | 3, deviations: readonly number[]) {
  const [position, angles]: [number[], Triple[]] = [[], []]
  for (const u of directions(dimension))
    for (const sense of [1, -1])
      for (const deviation of deviations) {
        const side = Math.abs(u[2] ?? 0) < 0.75 ? cross([0, 0, 1], u) : cross([1, 0, 0], u)
        const v = u.map((c, n) => 1.25 * (sense * c + (deviation * (side[n] as number)) / Math.hypot(...side)))
        for (const point of [u, [0, 0, 0], v]) position.push(...point.slice(0, dimension))
        const first = 3 * angles.length
        angles.push([first, first + 1, first + 2])
      }
  const particles = { position, mass: angles.flatMap(() => [1, 2, 1.5]), dimension }
  return { particles, angles }
}

/** The angle at the middle point, across faces of the box. */
function angleOf(position: ArrayLike<number>, [a, vertex, b]: Triple): number {
  const leg = (point: number) =>
    box.map((length, axis) => {
      const direct = (position[3 * point + axis] as number) - (position[3 * vertex + axis] as number)
      return direct - length * Math.round(direct / length)
    })
  const [u, v] = [leg(a), leg(b)]
  const dot = u.reduce((sum, x, n) => sum + x * (v[n] as number), 0)
  return Math.acos(dot / (Math.hypot(...u) * Math.hypot(...v)))
}

export const angleSimulations: readonly (readonly [name: string, run: (engine: AnyEngine) => Promise<void>])[] = [
  [
    'angles that share points push along the gradient of their energy, beside other forces',
    async (engine) => {
      const exact = engine.device.info.precision === 'f64'
      const count = 7
      // Point 1 is at the vertex of two, and at the outer end of two more.
      const angles: readonly Triple[] = [
        [0, 1, 2],
        [3, 1, 0],
        [1, 2, 4],
        [5, 4, 1],
      ]
      const k = [1, 2, 0.5, 1.5]
      const position = Float32Array.from({ length: 3 * count }, (_, n) => ((n * 37) % 23) / 8)
      const mass = Float32Array.of(1, 2, 0.5, 1, 4, 1, 3)
      const energyOf = (places: ArrayLike<number>) =>
        angles.reduce((sum, angle, n) => sum + (0.5 * (k[n] as number) * (angleOf(places, angle) - 1.75) ** 2) / 2, 0)
      const h = 1e-5
      const expected = Array.from(position, (_, n) => {
        const moved = (by: number) => Float64Array.from(position, (x, at) => (at === n ? x + by : x))
        return (energyOf(moved(-h)) - energyOf(moved(h))) / (2 * h * (mass[Math.floor(n / 3)] as number))
      })
      const listed = { law: bend({ rest: 1.75 }), angles, attributes: { k }, boundary: periodic(box), scale: 0.5 }
      const options = { forces: [listed], particles: { position, mass }, dt: 0.01 }
      const simulation = await engine.simulate(options)
      const found = await simulation.read('acceleration')
      expect(Math.max(...expected.map(Math.abs))).toBeGreaterThan(0.5)
      for (const [n, a] of found.entries())
        expect(Math.abs(a - (expected[n] as number)), `${n}`).toBeLessThan(exact ? 1e-8 : 5e-6)
      const { potential } = await simulation.energy()
      expect(Math.abs(potential - energyOf(position))).toBeLessThan(exact ? 1e-12 : 1e-5)
      expect(await simulation.pressure({ volume: 1 }), 'an angle has no virial').toBe(0)
      await simulation.step(3)
      const resumed = await engine.resume(structuredClone(await simulation.snapshot()))
      await Promise.all([simulation.step(2), resumed.step(2)])
      expect(await resumed.read('position')).toEqual(await simulation.read('position'))
      for (const p of await simulation.momentum()) expect(Math.abs(p)).toBeLessThan(exact ? 1e-14 : 1e-6)
      const both = await engine.simulate({ ...options, forces: [gravity({ softening: 0.5 }), listed], fixed: [1] })
      const alone = await engine.simulate({
        ...options,
        forces: [{ law: gravity({ softening: 0.5 }), boundary: periodic(box) }],
        fixed: [1],
      })
      const [sums, pulls] = [await both.read('acceleration'), await alone.read('acceleration')]
      for (const [n, a] of sums.entries()) {
        const own = Math.floor(n / 3) === 1 ? 0 : (expected[n] as number)
        expect(Math.abs(a - (pulls[n] as number) - own), `${n}`).toBeLessThan(exact ? 1e-8 : 5e-6)
      }
      for (const one of [simulation, resumed, both, alone]) one.dispose()
    },
  ],
  [
    'a molecule of three in the plane bends with its period, and a straight one stays straight',
    async (engine) => {
      // The outer points are light and at a distance of 1. Springs hold them to circles, so theta oscillates with 2 k/m.
      const hold = externalPotential('1250*(position_x^2 + position_y^2 - 1)^2*light', { inertia: 'mass' })
      const at = (angle: number) => [Math.cos(angle), Math.sin(angle)]
      const particles = (half: number) => ({
        position: Float64Array.of(...at(half), 0, 0, ...at(-half)),
        mass: [1, 4096, 1],
        light: [1, 0, 1],
        dimension: 2 as const,
      })
      const options = {
        dt: 0.005,
        forces: [hold(), { law: bend({ k: 2 }), angles: [[0, 1, 2]] as const }],
      }
      const simulation = await engine.simulate({ ...options, particles: particles(1.05) })
      // After half a period, pi/sqrt(2 k/m), the angle of 2.1 has become 1.9.
      await simulation.step(Math.round(Math.PI / 2 / 0.005))
      const [x = 0, y = 0] = await simulation.read('position')
      expect(Math.abs(2 * Math.atan2(y, x) - 1.9)).toBeLessThan(2e-3)
      const straight = await engine.simulate({ ...options, particles: particles(Math.PI / 2) })
      const forces = await straight.read('acceleration')
      expect([...forces].every(Number.isFinite)).toBe(true)
      for (const one of [simulation, straight]) one.dispose()
    },
  ],
  [
    'an angle on a line, or nearly, bends across it without a net force or torque, and keeps its energy',
    async (engine) => {
      const rounding = engine.device.info.precision === 'f64' ? 1e-14 : 4e-6
      for (const dimension of [2, 3] as const) {
        const { particles: exact, angles } = nearlyStraight(dimension, [0, 3e-7, 1e-3])
        // Ends of two angles lie nearer to each other than float32 can tell. A float32 engine accepts that only in rounded positions.
        const isExact = engine.device.info.precision === 'f64'
        const particles = isExact ? exact : { ...exact, position: Float32Array.from(exact.position) }
        const options = { particles, dt: 0.005 }
        const simulation = await engine.simulate({ ...options, forces: [{ law: bend({ k: 3 }), angles }] })
        const [a, x] = [await simulation.read('acceleration'), await simulation.read('position')]
        const at = (array: ArrayLike<number>, point: number) =>
          Array.from({ length: dimension }, (_, axis) => array[dimension * point + axis] as number)
        for (const [n, angle] of angles.entries()) {
          const places = angle.map((point) => [...at(x, point), 0].slice(0, 3))
          const forces = angle.map((point) => at(a, point).map((c) => c * (particles.mass[point] as number)))
          const where = `angle ${n} in ${dimension}-D`
          expect(Math.hypot(...plus(...forces)), where).toBeLessThan(rounding)
          const torques = places.map((place, end) => cross(place, forces[end] as number[]))
          expect(Math.hypot(...plus(...torques)), where).toBeLessThan(rounding)
          // At theta = pi the slope is 3 (pi - 2); at 0 it is -6. The distances are 1 and 1.25.
          const slope = n % 6 < 3 ? 6 : 3 * (Math.PI - 2)
          for (const [end, distance] of [
            [0, 1],
            [2, 1.25],
          ] as const) {
            const force = forces[end] as number[]
            expect(Math.abs(Math.hypot(...force) - slope / distance), where).toBeLessThan(4e-3)
            const inward = force.reduce((sum, c, axis) => sum + c * (places[end]?.[axis] as number), 0)
            expect(Math.abs(inward), where).toBeLessThan(rounding)
          }
        }
        const before = await simulation.energy()
        await simulation.step(100)
        const after = await simulation.energy()
        expect(after.kinetic).toBeGreaterThan(0.2 * before.total)
        expect(Math.abs(after.total / before.total - 1)).toBeLessThan(5e-5)
        simulation.dispose()
      }
    },
  ],
  [
    'an angle on a line that its law leaves there gets no force at all',
    async (engine) => {
      const turn = anglePotential('k*(1 + cos(theta))', { inertia: 'mass', parameters: { k: 1 } })
      for (const dimension of [2, 3] as const) {
        const { particles, angles } = nearlyStraight(dimension, [0])
        const straight = angles.filter((_, n) => n % 2 === 1)
        const rest = straight.map(() => Math.PI)
        for (const forces of [
          [{ law: bend({ k: 3, rest: Math.PI }), angles: straight }],
          [{ law: bend({ k: 3 }), angles: straight, attributes: { rest } }],
          [{ law: turn({ k: 3 }), angles }],
        ]) {
          const simulation = await engine.simulate({ forces, particles, dt: 0.01 })
          expect([...(await simulation.read('acceleration'))].every((a) => a === 0)).toBe(true)
          simulation.dispose()
        }
      }
    },
  ],
]
