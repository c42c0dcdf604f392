// Sums through a mesh over points in a plane: constants of lattices, theta functions, slabs without thickness, plain sums and all pairs.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  coulomb,
  type Engine,
  energy,
  forces,
  mesh,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  sum,
  virial,
} from '../../src/index.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'
import { torus } from '../support/torus.ts'

const next = random(53)
const exact = mesh({ tolerance: 1e-10 })
const dimension = 2
/** The potential of a line in space, or of a point where space has two dimensions. */
const logarithm = pairPotential('-q_i*q_j*log(r)')()

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

/** The largest difference by the largest of the numbers. */
function apart(found: ArrayLike<number>, truth: ArrayLike<number>): number {
  expect(found).toHaveLength(truth.length)
  const [numbers, wanted] = [Array.from(found), Array.from(truth)]
  return Math.max(...numbers.map((x, n) => Math.abs(x - (wanted[n] as number)))) / Math.max(...wanted.map(Math.abs))
}

describe('constants of lattices', () => {
  it('of ions of both signs on a square lattice', async () => {
    const salt = energy(coulomb(), { boundary: periodic([2, 2]), method: exact })
    const ions = { position: Float64Array.of(0, 0, 1, 0, 0, 1, 1, 1), charge: [1, -1, -1, 1], dimension } as const
    const { energy: total, report } = await engine.run(salt, ions)
    expect(-total / 2).toBeCloseTo(1.6155426267, 9)
    expect(report.error).toMatchObject({ ok: true, tolerance: 1e-10 })
    expect(report.mean).toBeUndefined()
    // A flat grid has two sizes.
    expect(report.variant).toMatch(/grid \d+ x \d+ on the host\)/)
  })

  it.each([
    ['square', periodic([1, 1]), 1, -1.95013246],
    ['triangular', periodic({ a: [1, 0], b: [0.5, Math.sqrt(0.75)] }), Math.sqrt(0.75), -1.9605157891],
  ] as const)('of a %s Wigner crystal of 1/r, with its background', async (_, boundary, area, constant) => {
    const wigner = energy(coulomb(), { boundary, method: exact })
    const point = { position: Float64Array.of(7.3, -0.4), charge: [1], dimension } as const
    const { energy: total, report } = await engine.run(wigner, point)
    expect(total * Math.sqrt(area)).toBeCloseTo(constant, 9)
    expect(report.mean?.name).toBe('neutralising background')
    expect(report.mean?.density.charge_j).toBeCloseTo(-1 / area, 12)
  })
})

describe('the logarithm, which is gravity in a plane', () => {
  it.each([
    ['a right-angled box', periodic([1.3, 0.8]), torus(1.3, [0, 0.8])],
    ['a tiny box', periodic([2 ** -7, 2 ** -7]), torus(2 ** -7, [0, 2 ** -7])],
    ['an oblique box', periodic({ a: [1.3, 0], b: [0.4, 0.8] }), torus(1.3, [0.4, 0.8])],
  ] as const)('in %s is a theta function', async (_, boundary, { at, itself }) => {
    const count = 9
    // Also outside the box.
    const position = numbersBetween(next, 2 * count, -3, 3)
    const q = numbersBetween(next, count, -1, 2)
    const truth = Float64Array.from(q, (own, i) =>
      q.reduce((all, other, j) => {
        const [dx, dy] = [0, 1].map((axis) => (position[2 * i + axis] as number) - (position[2 * j + axis] as number))
        return all + own * other * (i === j ? itself : at(dx as number, dy as number))
      }, 0),
    )
    const points = { position, q, dimension } as const
    const options = { boundary, method: exact }
    const { potential, report } = await engine.run(potentials(logarithm, options), points)
    expect(apart(potential, truth)).toBeLessThan(1e-9)
    expect(report.mean?.name).toBe('neutralising background')
    const { energy: total } = await engine.run(energy(logarithm, options), points)
    expect(total).toBeCloseTo(truth.reduce((a, b) => a + b, 0) / 2, 8)
    // A larger box changes the sums of a point with its own images alone.
    const { virial: found } = await engine.run(virial(logarithm, options), points)
    expect(found).toBeCloseTo(-q.reduce((all, x) => all + x * x, 0) / 2, 8)
  })

  it.each([8e5, 1e6, 1.1e6])('in a box with edges of %d, where it is 0 near contact', async (side) => {
    const { at, itself } = torus(side, [0, side])
    const position = Float64Array.of(0, 0, 0.3 * side, 0.1 * side)
    const options = { boundary: periodic([side, side]), method: exact }
    const { potential } = await engine.run(potentials(logarithm, options), { position, q: [1, 1], dimension } as const)
    const whole = itself + at(0.3 * side, 0.1 * side)
    expect(apart(potential, [whole, whole])).toBeLessThan(1e-9)
  })

  it('may be 0 anywhere', async () => {
    const small = pairPotential('-q_i*q_j*log(r/1e-6)')()
    const points = { position: Float64Array.of(0, 0, 0.3, 0.1), q: [1, 0.5], dimension } as const
    const options = { boundary: periodic([1, 1]), method: exact }
    const { potential } = await engine.run(potentials(small, options), points)
    const { potential: plain } = await engine.run(potentials(logarithm, options), points)
    // The mean takes the constant out, but for that of each point with itself, which does not count.
    const truth = plain.map((x, n) => x - (points.q[n] as number) ** 2 * Math.log(1e-6))
    expect(apart(potential, truth)).toBeLessThan(1e-9)
  })

  it('has the slope of the theta function as its force', async () => {
    const { at } = torus(1.3, [0.4, 0.8])
    const position = Float64Array.of(0.2, 0.1, 0.55, 0.7)
    const h = 1e-4
    const slope = (dx: number, dy: number) => {
      const [x, y] = [(0.35 + dx) as number, 0.6 + dy]
      return at(x, y)
    }
    const along = (dx: number, dy: number) =>
      (8 * (slope(dx, dy) - slope(-dx, -dy)) - (slope(2 * dx, 2 * dy) - slope(-2 * dx, -2 * dy))) / (12 * h)
    const boundary = periodic({ a: [1.3, 0], b: [0.4, 0.8] })
    const { force } = await engine.run(forces(logarithm, { boundary, method: exact }), {
      ...{ position, q: [1, 1], dimension },
    } as const)
    for (const [n, x] of [along(h, 0), along(0, h), -along(h, 0), -along(0, h)].entries())
      expect(force[n]).toBeCloseTo(x, 8)
  })
})

describe('sums in a plane', () => {
  const count = 7
  const lengths = [1, 1.2] as const
  const position = numbersBetween(next, 2 * count, -2, 2)
  const q = numbersBetween(next, count, -1, 1)
  const points = { position, q, dimension } as const
  const flat = {
    position: Float64Array.from({ length: 3 * count }, (_, n) =>
      n % 3 === 2 ? 0 : (position[2 * Math.floor(n / 3) + (n % 3)] as number),
    ),
    q,
  }
  const [boundary, slab] = [periodic(lengths), periodic([...lengths, Number.POSITIVE_INFINITY])]

  it.each([
    ['1/r', '1/r'],
    ['a typed law', 'tanh(r)*r^-1.7*(1 + 0.5/r)'],
    ['r^-6', 'r^-6'],
  ])('are those of a slab without thickness: %s', async (_, text) => {
    const law = pairPotential(`q_i*q_j*${text}`)()
    const options = { method: exact }
    const { potential } = await engine.run(potentials(law, { ...options, boundary }), points)
    const { potential: inSlab } = await engine.run(potentials(law, { ...options, boundary: slab }), flat)
    expect(apart(potential, inSlab)).toBeLessThan(2e-9)
    const { force } = await engine.run(forces(law, { ...options, boundary }), points)
    const { force: ofSlab } = await engine.run(forces(law, { ...options, boundary: slab }), flat)
    expect(
      apart(
        force,
        ofSlab.filter((_, n) => n % 3 < 2),
      ),
    ).toBeLessThan(2e-9)
  })

  it('are plain sums over images, with their mean, if a law falls fast', async () => {
    const law = pairTerm('q_j*exp(-3*r)*(1 + 1/r)')()
    const { value, report } = await engine.run(sum(law, { boundary, method: exact }), points)
    const truth = new Float64Array(count)
    for (let i = 0; i < count; i++)
      for (let j = 0; j < count; j++)
        for (let x = -12; x <= 12; x++)
          for (let y = -12; y <= 12; y++) {
            const d = [x, y].map((image, axis) => {
              const length = lengths[axis] as number
              const along = (position[2 * j + axis] as number) - (position[2 * i + axis] as number)
              return along - length * Math.round(along / length) + image * length
            })
            const r = Math.hypot(...d)
            if (r > 0) truth[i] = (truth[i] as number) + (q[j] as number) * Math.exp(-3 * r) * (1 + 1 / r)
          }
    expect(apart(value, truth)).toBeLessThan(1e-9)
    expect(report.mean).toBeUndefined()
  })

  it('have velocities around point vortices, targets of their own, and pairs that do not count', async () => {
    const law = pairTerm({ u: 'q_j*dy/(r2 + 0.0001)', v: '-q_j*dx/(r2 + 0.0001)' })()
    const attraction = pairForce('q_j/(r2 + 0.0001)')()
    const options = { boundary, method: exact }
    const { value: velocity } = await engine.run(sum(law, options), points)
    const { force } = await engine.run(forces(attraction, options), points)
    expect(
      apart(
        velocity,
        force.map((_, n) => (n % 2 === 0 ? (force[n + 1] as number) : -(force[n - 1] as number))),
      ),
    ).toBeLessThan(1e-9)
    const targets = { position: numbersBetween(next, 6, -1, 1), dimension } as const
    const { value } = await engine.run(sum(law, options), { targets, sources: points })
    const all = {
      position: Float64Array.from([...position, ...targets.position]),
      q: [...q, 0, 0, 0],
      dimension,
    } as const
    const { value: together } = await engine.run(sum(law, options), all)
    expect(apart(value, together.subarray(2 * count))).toBeLessThan(1e-9)
    // An exclusion leaves out the nearest image.
    const { potential } = await engine.run(potentials(logarithm, options), points)
    const { potential: without } = await engine.run(potentials(logarithm, { ...options, exclusions: [[0, 3]] }), points)
    const d = lengths.map((length, axis) => {
      const along = (position[6 + axis] as number) - (position[axis] as number)
      return along - length * Math.round(along / length)
    })
    const term = -(q[0] as number) * (q[3] as number) * Math.log(Math.hypot(...d))
    expect((potential[0] as number) - (without[0] as number)).toBeCloseTo(term, 8)
  })

  it('leave out the nearest image of an excluded pair in an oblique box', async () => {
    const oblique = { boundary: periodic({ a: [1, 0], b: [0.3, 1] }), method: exact }
    // By shares of the vectors, an image at (0.585, 0.45) would be the nearest one.
    const two = { position: Float64Array.of(0, 0, 0.585, 0.45), q: [1, 1], dimension } as const
    const { potential } = await engine.run(potentials(logarithm, oblique), two)
    const { potential: without } = await engine.run(potentials(logarithm, { ...oblique, exclusions: [[0, 1]] }), two)
    expect((potential[0] as number) - (without[0] as number)).toBeCloseTo(-Math.log(Math.hypot(0.415, 0.45)), 8)
  })

  it('without a boundary are those over all pairs', async () => {
    const method = mesh({ tolerance: 1e-8 })
    const many = { position: numbersBetween(next, 600, -3, 5), q: numbersBetween(next, 300, 0, 1), dimension } as const
    for (const law of [logarithm, pairPotential('q_i*q_j/r')()]) {
      const { force, report } = await engine.run(forces(law, { method }), many)
      const { force: pairs } = await engine.run(forces(law), many)
      expect(apart(force, pairs)).toBeLessThan(1e-7)
      expect(report.error).toMatchObject({ ok: true })
      const { potential } = await engine.run(potentials(law, { method }), many)
      const { potential: ofPairs } = await engine.run(potentials(law), many)
      expect(apart(potential, ofPairs)).toBeLessThan(1e-7)
    }
    const verified = await engine.verify(potentials(logarithm, { method: mesh({ tolerance: 1e-5 }) }), many)
    expect(verified.ok).toBe(true)
  })

  it('may follow those of the same workload in space, and come before them', async () => {
    const workload = forces(pairPotential('q_i*q_j/r')(), { method: mesh({ tolerance: 1e-6 }) })
    const places = numbersBetween(next, 360, 0, 1)
    const given = { position: places, q: numbersBetween(next, 120, 0, 1) }
    const plane = { position: places.subarray(0, 240), q: given.q, dimension } as const
    const exactly = forces(pairPotential('q_i*q_j/r')())
    for (const points of [plane, given, plane]) {
      const { force, report } = await engine.run(workload, points)
      expect(report.error).toMatchObject({ ok: true })
      expect(apart(force, (await engine.run(exactly, points)).force)).toBeLessThan(1e-5)
    }
  })

  it('need images along both axes or none, and a slope that falls', async () => {
    const run = (text: string, given: object = { boundary }) =>
      engine.run(sum(pairTerm(text)(), { method: exact, ...given }), points)
    await expect(run('q_j*r')).rejects.toThrow('its slope does not fall with the distance')
    await expect(run('q_j*exp(r)')).rejects.toThrow('its slope does not fall')
    await expect(run('q_j/r', { boundary: periodic([1, Number.POSITIVE_INFINITY]) })).rejects.toThrow(
      'a mesh sums images along two axes or three, and the box is open along y; give finite lengths that leave wide gaps',
    )
    await expect(run('q_j*r^-2')).rejects.toThrow('the mean that a periodic sum leaves out is infinite at contact')
  })
})

describe('a simulation in a plane', () => {
  it.each([
    ['a box', { boundary: periodic([2, 2]) }],
    ['open space', {}],
  ] as const)('in %s keeps its energy', async (_, place) => {
    const side = 6
    const count = side ** 2
    const position = Float64Array.from({ length: 2 * count }, (_, n) => {
      const cell = Math.floor(n / 2)
      return ((n % 2 ? Math.floor(cell / side) : cell % side) + 0.5 + 0.2 * next()) * (2 / side)
    })
    const q = Float64Array.from({ length: count }, (_, n) => (n % 2 ? 0.1 : -0.1))
    const law = pairPotential('-q_i*q_j*log(r2 + 0.01)/2', { inertia: 'mass' })()
    const simulation = await engine.simulate({
      particles: {
        ...{ position, q, mass: new Float64Array(count).fill(1), velocity: new Float64Array(2 * count) },
        dimension,
      },
      forces: [{ law, ...place, method: mesh({ tolerance: 1e-8 }) }],
      dt: 0.02,
    })
    const before = await simulation.energy()
    await simulation.step(25)
    const after = await simulation.energy()
    expect(after.kinetic).toBeGreaterThan(1e-5)
    expect(Math.abs(after.total - before.total)).toBeLessThan(1e-4 * after.kinetic)
    const [error] = await simulation.forceErrors()
    expect(error).toMatchObject({ ok: true })
    const options = { ...place, method: mesh({ tolerance: 1e-10 }) }
    const { force } = await engine.run(forces(law, options), {
      ...{ position: await simulation.read('position'), q, mass: new Float64Array(count).fill(1), dimension },
    } as never)
    expect(apart(await simulation.read('acceleration'), force)).toBeLessThan(1e-6)
    simulation.dispose()
  })
})
