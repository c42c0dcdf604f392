// Sums over all images of a periodic box, through the engine: constants of crystals, Ewald's sum, sums over many images, and two splits.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  accelerations,
  biotSavart,
  coulomb,
  createEngine,
  type Engine,
  energy,
  forces,
  gravity,
  lennardJones,
  mesh,
  pairForce,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  reference,
  sum,
  virial,
} from '../../src/index.ts'
import { ewald } from '../support/ewald.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const next = random(23)
const exact = mesh({ tolerance: 1e-10 })

let engine: Engine<'f64'>
beforeAll(async () => {
  engine = await referenceEngine()
})
afterAll(() => engine.dispose())

/** Ions at places in a cell, in units of its edges. */
const crystal = (edges: readonly number[], places: readonly (readonly [charge: number, ...place: number[]])[]) => ({
  position: Float64Array.from(places.flatMap(([, ...place]) => place.map((x, axis) => x * (edges[axis] as number)))),
  charge: Float64Array.from(places, ([charge]) => charge),
})
const centred = (charge: number, [x, y, z]: readonly [number, number, number]) =>
  [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ].map(([a, b, c]) => [charge, x + (a as number), y + (b as number), z + (c as number)] as const)
const quarters = [0.25, 0.75]
const eight = quarters.flatMap((x) => quarters.flatMap((y) => quarters.map((z) => [x, y, z] as const)))

describe('constants of crystals', () => {
  /** The energy of a formula unit times the distance of nearest neighbours. */
  const crystals = {
    'rock salt': {
      edge: 2,
      units: 4,
      constant: 1.747564594633182,
      ions: [...centred(1, [0, 0, 0]), ...centred(-1, [0.5, 0, 0])],
    },
    'caesium chloride': {
      edge: 2 / Math.sqrt(3),
      units: 1,
      constant: 1.762674773070988,
      ions: [[1, 0, 0, 0] as const, [-1, 0.5, 0.5, 0.5] as const],
    },
    'zinc blende': {
      edge: 4 / Math.sqrt(3),
      units: 4,
      constant: 1.6380550533887894,
      ions: [...centred(1, [0, 0, 0]), ...centred(-1, [0.25, 0.25, 0.25])],
    },
    fluorite: {
      edge: 4 / Math.sqrt(3),
      units: 4,
      constant: 5.038784879,
      ions: [...centred(2, [0, 0, 0]), ...eight.map((place) => [-1, ...place] as const)],
    },
  }
  it.each(Object.entries(crystals))('%s', async (_, { edge, units, constant, ions }) => {
    const edges = [edge, edge, edge]
    const workload = energy(coulomb(), { boundary: periodic(edges), method: exact })
    const { energy: found, report } = await engine.run(workload, crystal(edges, ions))
    expect(-found / units).toBeCloseTo(constant, constant > 5 ? 8 : 9)
    expect(report.error).toMatchObject({ ok: true, tolerance: 1e-10, of: 'terms' })
    expect(report.mean).toBeUndefined()
  })

  it.each([
    ['simple', 1, [[1, 0, 0, 0] as const], -0.880059442],
    ['body-centred', 2, [[1, 0, 0, 0] as const, [1, 0.5, 0.5, 0.5] as const], -0.895929255682],
    ['face-centred', 4, centred(1, [0, 0, 0]), -0.895873615195],
  ] as const)('%s Wigner crystal, with its background', async (_, count, ions, constant) => {
    const edges = [2, 2, 2]
    const workload = energy(coulomb(), { boundary: periodic(edges), method: exact })
    const { energy: found, report } = await engine.run(workload, crystal(edges, ions))
    // In units of the radius of a sphere with the volume of an ion.
    const radius = Math.cbrt((3 * 8) / (4 * Math.PI * count))
    expect((found / count) * radius).toBeCloseTo(constant, 9)
    expect(report.mean).toEqual({ name: 'neutralising background', density: { charge_j: -count / 8 } })
  })
})

describe('Ewald sums of random charges', () => {
  it.each([
    ['a cube', [1, 1, 1], false],
    ['an oblong box', [1.3, 0.9, 1.1], false],
    ['an oblong box with a net charge', [0.8, 1, 1.4], true],
  ] as const)('in %s', async (_, lengths, charged) => {
    const count = 24
    // Also outside the box, by many lengths, and at its faces.
    const position = numbersBetween(next, 3 * count, -9, 9)
    position.set([0, 0, 0, lengths[0], 0.25, -lengths[2]])
    const charge = Float64Array.from({ length: count }, (_, n) => (charged ? 1 + n / 20 : n % 2 ? -1 : 1))
    const expected = ewald(position, charge, lengths)
    const options = { boundary: periodic(lengths), method: exact }
    const { force } = await engine.run(forces(coulomb(), options), { position, charge })
    const { potential } = await engine.run(potentials(coulomb(), options), { position, charge })
    const { energy: total } = await engine.run(energy(coulomb(), options), { position, charge })
    const { virial: pressure } = await engine.run(virial(coulomb(), options), { position, charge })
    const scale = Math.max(...expected.potential.map(Math.abs))
    for (const [n, x] of expected.potential.entries())
      expect(Math.abs((potential[n] as number) - x) / scale).toBeLessThan(1e-10)
    const largest = Math.max(...expected.force.map(Math.abs))
    for (const [n, x] of expected.force.entries())
      expect(Math.abs((force[n] as number) - x) / largest).toBeLessThan(1e-9)
    const sumOf = (numbers: Float64Array) => numbers.reduce((a, b) => a + b, 0)
    expect(total).toBeCloseTo(sumOf(expected.potential) / 2, 8)
    // For 1/r, the virial is the energy.
    expect(pressure).toBeCloseTo(total, 8)
  })
})

/** A sum over the images of a box that are near, pair by pair. */
function overImages(
  position: Float64Array,
  length: number,
  images: number,
  add: (i: number, j: number, d: readonly number[], r: number) => void,
): void {
  const count = position.length / 3
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++)
      for (let x = -images; x <= images; x++)
        for (let y = -images; y <= images; y++)
          for (let z = -images; z <= images; z++) {
            const d = [x, y, z].map((n, axis) => {
              const along = (position[3 * j + axis] as number) - (position[3 * i + axis] as number)
              return along - length * Math.round(along / length) + n * length
            })
            const r = Math.hypot(...d)
            if (r > 0) add(i, j, d, r)
          }
}

describe('laws of any kind', () => {
  const count = 8
  const position = numbersBetween(next, 3 * count, 0, 1)
  const q = numbersBetween(next, count, -1, 1)
  const boundary = periodic([1, 1, 1])

  it('sum over images as plain sums do, if they fall fast', async () => {
    const text = 'q_i*q_j*exp(-6*r)*(1 + 0.5/(r + 0.1))'
    const { potential } = await engine.run(potentials(pairPotential(text)(), { boundary, method: exact }), {
      position,
      q,
    })
    const expected = new Float64Array(count)
    overImages(position, 1, 6, (i, j, _, r) => {
      expected[i] =
        (expected[i] as number) + (q[i] as number) * (q[j] as number) * Math.exp(-6 * r) * (1 + 0.5 / (r + 0.1))
    })
    for (const [n, x] of expected.entries()) expect(potential[n]).toBeCloseTo(x, 10)
  })

  it('keep their mean if they fall fast', async () => {
    const law = pairTerm('w_j/(1 + 40*r2)^6')()
    const w = new Float64Array(count).fill(1)
    const { value, report } = await engine.run(sum(law, { boundary, method: exact }), { position, w })
    const expected = new Float64Array(count)
    overImages(position, 1, 7, (i, _j, _, r) => {
      expected[i] = (expected[i] as number) + (1 + 40 * r * r) ** -6
    })
    for (const [n, x] of expected.entries()) expect(Math.abs((value[n] as number) / x - 1)).toBeLessThan(1e-9)
    expect(report.mean).toBeUndefined()
  })

  it('have components along displacements, as Biot and Savart have', async () => {
    const vortices = ['wx', 'wy', 'wz'].map((name) => [name, numbersBetween(next, count, -1, 1)] as const)
    const points = { position, ...Object.fromEntries(vortices) }
    const { value } = await engine.run(sum(biotSavart({ softening: 0.1 }), { boundary, method: exact }), points)
    // Another split, and the parts one by one: u = w x grad(phi) / 4 pi, where phi is a potential of the same strength.
    const field = async (w: Float64Array) =>
      (
        await engine.run(
          forces(pairForce('w_j/(r2 + 0.01)^(3/2)')(), { boundary, method: mesh({ tolerance: 1e-8 }) }),
          { position, w },
        )
      ).force
    const [x, y, z] = (await Promise.all(vortices.map(([, w]) => field(w)))) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ]
    for (let n = 0; n < count; n++) {
      const at = (of: Float64Array, axis: number) => of[3 * n + axis] as number
      const curl = [at(z, 1) - at(y, 2), at(x, 2) - at(z, 0), at(y, 0) - at(x, 1)]
      for (const [axis, c] of curl.entries()) expect(value[3 * n + axis]).toBeCloseTo(c / (4 * Math.PI), 7)
    }
  })

  it('divide by inertia, and take parameters of a run', async () => {
    const mass = numbersBetween(next, count, 0.5, 2)
    const workload = accelerations(gravity({ G: 1, softening: 0.05 }), { boundary, method: exact })
    const { acceleration, report } = await engine.run(workload, { position, mass }, { parameters: { G: 3 } })
    const { force } = await engine.run(
      forces(gravity({ G: 1, softening: 0.05 }), { boundary, method: mesh({ tolerance: 1e-8 }) }),
      { position, mass },
    )
    for (let n = 0; n < 3 * count; n++)
      expect(acceleration[n]).toBeCloseTo((3 * (force[n] as number)) / (mass[Math.floor(n / 3)] as number), 5)
    const total = mass.reduce((a, b) => a + b, 0)
    expect(report.mean?.density.mass_j).toBeCloseTo(-total, 12)
  })

  it('act between two sets, on targets without a charge of their own', async () => {
    const law = pairTerm('q_j/r')()
    const options = { boundary, method: exact }
    const targets = { position: numbersBetween(next, 15, 0, 1) }
    const { value } = await engine.run(sum(law, options), { targets, sources: { position, q } })
    // A test charge that is too small to matter, in one set.
    const all = {
      position: Float64Array.from([...position, ...targets.position]),
      q: Float64Array.from([...q, 0, 0, 0, 0, 0]),
    }
    const one = await engine.run(sum(law, options), all)
    for (let n = 0; n < 5; n++) expect(value[n]).toBeCloseTo(one.value[count + n] as number, 9)
  })
})

describe('pairs that do not count', () => {
  const position = Float64Array.of(0.1, 0.1, 0.1, 0.3, 0.15, 0.1, 0.8, 0.9, 0.05, 0.4, 0.7, 0.6)
  const q = Float64Array.of(1, -2, 3, -2)
  const law = pairPotential('q_i*q_j/r')()
  const boundary = periodic([1, 1, 1])

  it('are excluded as nearest images, and their other images count', async () => {
    const exclusions = [
      [0, 1],
      [2, 0],
    ] as const
    const all = await engine.run(forces(law, { boundary, method: exact }), { position, q })
    const some = await engine.run(forces(law, { boundary, method: exact, exclusions }), { position, q })
    const expected = all.force.slice()
    for (const [a, b] of exclusions)
      for (const [i, j] of [
        [a, b],
        [b, a],
      ] as const) {
        const d = [0, 1, 2].map((axis) => {
          const along = (position[3 * j + axis] as number) - (position[3 * i + axis] as number)
          return along - Math.round(along)
        })
        const r = Math.hypot(...d)
        for (const [axis, x] of d.entries())
          expected[3 * i + axis] =
            (expected[3 * i + axis] as number) + ((q[i] as number) * (q[j] as number) * x) / r ** 3
      }
    for (const [n, x] of expected.entries()) expect(some.force[n]).toBeCloseTo(x, 7)
  })

  it('are those at one place, if their term is infinite', async () => {
    const two = { position: Float64Array.of(0.5, 0.5, 0.5, 0.5, 0.5, 1.5, 0.2, 0.5, 0.5), q: Float64Array.of(1, 1, -2) }
    const one = { position: Float64Array.of(0.5, 0.5, 0.5, 0.2, 0.5, 0.5), q: Float64Array.of(2, -2) }
    const options = { boundary, method: exact }
    const found = await engine.run(potentials(law, options), two)
    const expected = await engine.run(potentials(law, options), one)
    // The images of the other point count, but not the point itself: so do those of a point of twice the charge.
    expect(found.potential[2]).toBeCloseTo(expected.potential[1] as number, 9)
    expect(2 * (found.potential[0] as number)).toBeCloseTo(expected.potential[0] as number, 9)
  })

  it('are not those of a point with itself where these are asked for', async () => {
    const soft = pairTerm('q_j/sqrt(r2 + 0.01)')()
    const without = await engine.run(sum(soft, { boundary, method: exact }), { position, q })
    const itself = await engine.run(sum(soft, { boundary, method: exact, self: 'include' }), { position, q })
    for (const [n, x] of without.value.entries()) expect(itself.value[n]).toBeCloseTo(x + 10 * (q[n] as number), 8)
  })
})

describe('sets of unusual shape', () => {
  const workload = (lengths: readonly number[], tolerance = 1e-6) =>
    potentials(coulomb(), { boundary: periodic(lengths), method: mesh({ tolerance }) })

  it('one point is among its own images', async () => {
    const { potential } = await engine.run(workload([1, 1, 1], 1e-11), {
      position: Float64Array.of(7, -3, 0.5),
      charge: Float64Array.of(1),
    })
    expect(potential[0]).toBeCloseTo(-2.837297479480619, 10)
  })
  it('no points, and points without terms, have empty sums', async () => {
    const nothing = await engine.run(workload([1, 1, 1]), {
      position: new Float64Array(0),
      charge: new Float64Array(0),
    })
    expect(nothing.potential).toHaveLength(0)
    const zero = pairTerm('0*q_j')()
    const { value, report } = await engine.run(sum(zero, { boundary: periodic([1, 1, 1]), method: exact }), {
      position: Float64Array.of(0, 0, 0, 0.5, 0, 0),
      q: Float64Array.of(1, 2),
    })
    expect([...value]).toEqual([0, 0])
    expect(report.error).toMatchObject({ ok: true, targets: 0, note: 'every sum is 0' })
  })
  it('all points at one place', async () => {
    const position = new Float64Array(60).fill(0.3)
    const { force, report } = await engine.run(
      forces(coulomb(), { boundary: periodic([1, 1, 1]), method: mesh({ tolerance: 1e-6 }) }),
      { position, charge: new Float64Array(20).fill(1) },
    )
    for (const x of force) expect(Math.abs(x)).toBeLessThan(1e-6)
    expect(report.mean?.density).toEqual({ charge_j: -20 })
  })
  it('a box like a needle', async () => {
    const lengths = [1, 1, 6]
    const position = numbersBetween(next, 24, 0, 1).map((x, n) => x * (lengths[n % 3] as number))
    const charge = Float64Array.from({ length: 8 }, (_, n) => (n % 2 ? 1 : -1))
    const { potential, report } = await engine.run(workload(lengths), { position, charge })
    expect(report.error?.ok).toBe(true)
    const expected = ewald(position, charge, lengths).potential
    for (const [n, x] of expected.entries()) expect(potential[n]).toBeCloseTo(x, 4)
    await expect(engine.run(workload([1, 1, 1e9]), { position, charge })).rejects.toThrow(
      '"boundary" expected a box that a grid of at most 67108864 numbers covers, got 1 x 1 x 1000000000, which needs',
    )
  })
})

describe('the error', () => {
  it.each([1e-2, 1e-4, 1e-6, 1e-8])('is within a tolerance of %f, and its report is right', async (tolerance) => {
    const count = 300
    const position = numbersBetween(next, 3 * count, 0, 1)
    const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? 1 : -1))
    const options = { boundary: periodic([1, 1, 1]) }
    const truth = await engine.run(forces(coulomb(), { ...options, method: mesh({ tolerance: 1e-11 }) }), {
      position,
      charge,
    })
    const rough = forces(coulomb(), { ...options, method: mesh({ tolerance }) })
    const { force, report } = await engine.run(rough, { position, charge })
    const relative = Array.from({ length: count }, (_, i) => {
      let size = 0
      for (let j = 0; j < count; j++) {
        if (i === j) continue
        const d = [0, 1, 2].map((axis) => {
          const along = (position[3 * j + axis] as number) - (position[3 * i + axis] as number)
          return along - Math.round(along)
        })
        size += d.reduce((sum, x) => sum + x * x, 0) ** -1
      }
      const off = [0, 1, 2].map((axis) => (force[3 * i + axis] as number) - (truth.force[3 * i + axis] as number))
      return Math.hypot(...off) / size
    }).sort((a, b) => a - b)
    expect(report.error?.largest).toBeLessThanOrEqual(tolerance)
    expect(relative[296]).toBeLessThanOrEqual(tolerance)
    // All targets were measured, by another split.
    expect(report.error?.targets).toBe(count)
    expect(report.error?.largest).toBeGreaterThan(0.9 * (relative.at(-1) as number))
    expect(report.error?.largest).toBeLessThan(1.1 * (relative.at(-1) as number))
    expect(report.variant).toMatch(/^mesh \(reach 0\.\d+, window \d+, grid \d+ x \d+ x \d+ on the host\), plain$/)
    const again = await engine.run(rough, { position, charge })
    expect(again.force).toEqual(force)
    expect(again.report.error?.targets).toBe(32)
  })
  it('may be one of the results', async () => {
    const count = 200
    const position = numbersBetween(next, 3 * count, 0, 1)
    const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? 1 : -1))
    const method = mesh({ tolerance: 1e-5, of: 'result' })
    const { report } = await engine.run(potentials(coulomb(), { boundary: periodic([1, 1, 1]), method }), {
      position,
      charge,
    })
    expect(report.error).toMatchObject({ of: 'result', ok: true })
    expect(report.error?.ofResults).toBeLessThanOrEqual(1e-5)
  })
})

describe('refuses', () => {
  const points = { position: Float64Array.of(0, 0, 0, 0.5, 0.5, 0.2), q: Float64Array.of(1, 2) }
  const boundary = periodic([1, 1, 1])
  const term = (text: string) => engine.run(sum(pairTerm(text)(), { boundary, method: exact }), points)

  it('laws, with the part that does not fit', async () => {
    await expect(term('exp(-r*q_j)')).rejects.toThrow(
      '"exp(-(sqrt(r2) * q_j))" is not a product of a function of the source',
    )
    await expect(term('q_j*exp(-r*q_i)')).rejects.toThrow('is not a product of a function of the target')
    await expect(term('q_j*dx*dy/r^5')).rejects.toThrow(
      'a mesh takes radial functions, alone or times one of dx, dy, dz',
    )
    await expect(term('q_j*sin(dx)/r')).rejects.toThrow('its term has the factor "sin(dx)"')
    await expect(term('q_j')).rejects.toThrow('it does not fall with the distance')
    await expect(term('q_j*log(r)')).rejects.toThrow('it does not fall with the distance')
    await expect(term('q_j*sin(20*r)/r')).rejects.toThrow('it oscillates or has a kink beyond')
    await expect(term('q_j*r^-3')).rejects.toThrow(
      'with the total 3.00 of q_j: the mean that a periodic sum leaves out is infinite at contact; give numbers that add up to 0',
    )
    await expect(
      engine.run(energy(lennardJones(), { boundary, method: exact }), {
        ...points,
        epsilon: points.q,
        sigma: points.q,
      } as never),
    ).rejects.toThrow('needs 13 numbers of each source that can be added up, and a mesh takes at most 8')
    const members = Array.from({ length: 20 }, (_, n) => `t${n + 2} = 2*x*t${n + 1} - t${n}`)
    await expect(term(`q_j*t21*exp(-r); x = exp(-r2); t0 = 1; t1 = x; ${members.join('; ')}`)).rejects.toThrow(
      'its expressions are too long for a mesh; use a cutoff',
    )
  })
  it('other domains and wrong options', async () => {
    const law = pairTerm('q_j/r')()
    const run = (options: object) => engine.run(sum(law, options), points)
    await expect(run({ boundary, cutoff: 0.3, method: exact })).rejects.toThrow('leave out one of the two')
    await expect(run({ boundary, method: { ...exact, grid: 20 } })).rejects.toThrow('option of a mesh')
    await expect(run({ boundary, method: mesh({ tolerance: 1 }) })).rejects.toThrow(
      '"tolerance" expected less than 1, got 1',
    )
    await expect(run({ boundary, method: mesh({ tolerance: 1e-12 }) })).rejects.toThrow(
      'at least 1e-11 in float64, got 1e-12',
    )
    expect(() => mesh({ tolerance: -1 })).toThrow('"tolerance"')
    expect(() => reduce('max', law, { boundary, method: exact } as object)).toThrow('method')
    const line = { position: Float64Array.of(0, 0.5), q: points.q, dimension: 1 as const }
    await expect(engine.run(sum(law, { boundary: periodic([1]), method: exact }), line)).rejects.toThrow(
      'needs points in 2-D or 3-D, got 1-D; use a cutoff',
    )
    await expect(engine.run(sum(law, { method: exact }), line)).rejects.toThrow('got 1-D; leave out the method')
    await expect(engine.verify(sum(law, { boundary, method: exact }), points)).rejects.toThrow('read report.error')
    const single = await createEngine({ backends: [reference()] })
    await expect(single.run(sum(law, { boundary, method: mesh({ tolerance: 1e-7 }) }), points)).rejects.toThrow(
      '"tolerance" expected at least 0.000001 in float32, got 1e-7; use precision "f64"',
    )
    single.dispose()
  })
})
