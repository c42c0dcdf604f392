// Compiled workloads: data that runs like the workload, and clear errors if it cannot.

import {
  accelerations,
  cellIndex,
  coulomb,
  countWithin,
  createEngine,
  type Engine,
  energy,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  mesh,
  nearest,
  neighborsWithin,
  overLinks,
  type PairWorkload,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  sum,
  tree,
  UnsupportedWorkloadError,
  type Workload,
} from 'manybody'
import { type CompileOptions, compile } from 'manybody/compile'
import { createEngine as createRunner } from 'manybody/run'
import { afterAll, describe, expect, it } from 'vitest'

const count = 600
const numbers = (length: number, step: number) => Float32Array.from({ length }, (_, n) => ((n + 1) * step) % 1)
const position = numbers(3 * count, 0.6180339)
const velocity = numbers(3 * count, 0.7548776)
const mass = numbers(count, 0.5698402)
const grid = { cells: [6, 5, 4], spacing: 0.2 }
const field = numbers(120, 0.8191725)
const f = numbers(7 * count, 0.4512693)
const ofFeatures = pairPotential('mass_i*mass_j*exp(-sqdist(f_i, f_j))/sqrt(r2 + 0.01)')()
const pull = accelerations(gravity({ softening: 0.1 }))

/** Data after a round trip through a file. */
const filed = <T>(data: T): T => JSON.parse(JSON.stringify(data))

type Case = readonly [
  name: string,
  workload: Workload,
  data: Readonly<Record<string, Float32Array>>,
  options?: CompileOptions,
]
const cases: readonly Case[] = [
  ['softened gravity', pull, { position, mass }],
  ['gravity', accelerations(gravity()), { position, mass }],
  ['a total', energy(gravity({ softening: 0.1 })), { position, mass }],
  ['a potential', potentials(gravity()), { position, mass }],
  [
    'a liquid',
    forces(lennardJones({ epsilon: 1, sigma: 0.02 }), { cutoff: 0.2, boundary: periodic([1, 1, 1]) }),
    { position },
  ],
  ['the nearest', nearest(8), { position }],
  ['counts', countWithin(0.1), { position }],
  ['a matrix', matrix(pairTerm('exp(-r2)')()), { position }],
  ['a soft maximum', reduce('logsumexp', pairTerm('-r2')()), { position }],
  [
    'a map',
    map({ position: 'position + 0.1*velocity' }),
    { position, velocity },
    { vectors: ['position', 'velocity'] },
  ],
  ['a stencil', gradient(grid), { field }],
  ['energies of vectors', potentials(ofFeatures), { position, mass, f }, { lengths: { f: 7 } }],
  ['forces of vectors', forces(ofFeatures, { cutoff: 0.4 }), { position, mass, f }, { lengths: { f: 7 } }],
  ['cells', cellIndex({ cells: [4, 4, 4], spacing: 0.25 }), { position }],
]

const approximate = { method: tree({ tolerance: 1e-3 }) }
/** Laws with one weight and with several, of attributes and of none, with terms that vanish at their target and others. */
const approximated: readonly (readonly [name: string, workload: PairWorkload, options?: CompileOptions])[] = [
  ['gravity', accelerations(gravity(), approximate)],
  ['an energy', energy(gravity({ softening: 0.1 }), approximate)],
  ['gravity with exclusions', accelerations(gravity({ softening: 0.1 }), { ...approximate, exclusions: [[0, 1]] })],
  ['an error of the result', potentials(gravity(), { method: tree({ tolerance: 1e-2, of: 'result' }) })],
  ['a term of computed weights', sum(pairTerm('exp(mass_j)*(dx - mass_i*dy)/(r2 + 0.01)')(), approximate)],
  ['a plane', accelerations(gravity(), approximate), { dimension: 2 }],
  ['two sets in float64', accelerations(gravity(), approximate), { twoSets: true, precision: 'f64' }],
]

const engines = new Map<string, Promise<Engine>>()
const engineOf = (name: string, open: () => Promise<Engine>) => {
  const known = engines.get(name) ?? open()
  engines.set(name, known)
  return known
}
const typed = () => engineOf('typed', () => createEngine({ backend: 'cpu-wasm', threads: 1 }))
const runner = () => engineOf('runner', () => createRunner({ backend: 'cpu-wasm', threads: 1 }) as Promise<Engine>)

afterAll(async () => {
  for (const engine of engines.values()) (await engine).dispose()
})

describe('a compiled workload', () => {
  it.each(cases.map((it) => ({ name: it[0], it })))(
    '$name gives what the workload gives',
    async ({ it: [, workload, data, options] }) => {
      const compiled = filed(compile(workload, options))
      const given = data as { readonly position: Float32Array }
      const [expected, got] = [await (await typed()).run(workload, given), await (await runner()).run(compiled, given)]
      for (const name of workload.results)
        expect((got as Record<string, unknown>)[name]).toEqual((expected as Record<string, unknown>)[name])
      expect(got.report.variant).toBe(expected.report.variant)
    },
  )

  it('looks for circles by their sizes, or within one reach if they are alike', async () => {
    const touching = countWithin('radius_i + radius_j')
    const compiled = filed(compile(touching, { dimension: 2 }))
    const points = 4000
    const plane = { dimension: 2, position: numbers(2 * points, 0.6180339).map((x) => 60 * x) } as const
    for (const radius of [numbers(points, 0.5698402).map((x) => 5 * 1000 ** -x), new Float32Array(points).fill(1)]) {
      const expected = await (await typed()).run(touching, { ...plane, radius })
      const got = await (await runner()).run(compiled, { ...plane, radius })
      expect(got.count).toEqual(expected.count)
      expect(got.report.variant).toMatch(/^blocks/)
      expect(got.report.evaluated).toBe(expected.report.evaluated)
    }
  })

  it('looks for points by the sizes of their kinds, in the tables of a run, too', async () => {
    const law = pairTerm('exp(-r2)', {
      tables: {
        size: [0.1, 5],
        reach: [
          [0.2, 5.1],
          [5.1, 10],
        ],
      },
    })()
    const points = 4000
    const plane = { dimension: 2, position: numbers(2 * points, 0.6180339).map((x) => 60 * x) } as const
    const kind = Float32Array.from({ length: points }, (_, n) => Number(n % 500 === 0))
    for (const cutoff of ['size[kind_i] + size[kind_j]', 'reach[kind_i, kind_j]']) {
      const workload = sum(law, { cutoff })
      const compiled = filed(compile(workload, { dimension: 2 }))
      for (const tables of [
        undefined,
        {
          size: [0.2, 4],
          reach: [
            [0.4, 4.2],
            [4.2, 8],
          ],
        },
      ]) {
        const expected = await (await typed()).run(workload, { ...plane, kind }, { tables })
        const got = await (await runner()).run(compiled, { ...plane, kind }, { tables })
        expect(got.value).toEqual(expected.value)
        expect(got.report.variant).toMatch(/^blocks/)
        expect(got.report.evaluated).toBe(expected.report.evaluated)
        expect(got.report.evaluated).toBeLessThan(points ** 2 / 20)
      }
    }
  })

  it('takes values of parameters, and other numbers of points, from each run', async () => {
    const compiled = filed(compile(pull))
    for (const points of [1, 70, 3000]) {
      const data = { position: numbers(3 * points, 0.618), mass: numbers(points, 0.57) }
      const options = { parameters: { softening: points === 70 ? 0 : 0.3, G: 2 } }
      const expected = await (await typed()).run(pull, data, options)
      const got = await (await runner()).run(compiled, data, options)
      expect(got.acceleration).toEqual(expected.acceleration)
      expect(got.report.variant).toBe(expected.report.variant)
    }
  })

  it('reads vectors of the lengths that it was compiled for, and takes other parameters and numbers of points', async () => {
    const options = { parameters: { g: [1, 1, 1, 1] } }
    const kernel = pairTerm('exp(-sum(g*(x_i - y_j)^2))*b_j', options)()
    const weighted = pairTerm('exp(-sum(g*(x_i - y_j)^2))*vector(v_j)', options)()
    const lengths = { x: 4, y: 4 }
    const compiled = filed(compile(sum(kernel), { twoSets: true, lengths }))
    const vectors = filed(compile(sum(weighted), { twoSets: true, lengths: { ...lengths, v: 50 } }))
    expect(Object.keys(vectors.compiled.backends)).toEqual(['cpu-wasm', 'webgpu'])
    for (const points of [1, 90]) {
      const targets = { x: numbers(4 * 30, 0.618), count: 30 }
      const sources = { y: numbers(4 * points, 0.754), b: numbers(points, 0.57), v: numbers(50 * points, 0.82) }
      const run = { parameters: { g: [points, 2, 0, 1] } }
      for (const [workload, ahead] of [
        [sum(kernel), compiled],
        [sum(weighted), vectors],
      ] as const) {
        const expected = await (await typed()).run(workload, { targets, sources }, run)
        expect((await (await runner()).run(ahead, { targets, sources }, run)).value).toEqual(expected.value)
        expect((await (await runner()).verify(ahead, { targets, sources }, run)).ok).toBe(true)
      }
    }
    const longer = {
      targets: { x: numbers(5 * 30, 0.6), count: 30 },
      sources: { y: numbers(50, 0.7), b: numbers(10, 0.5) },
    }
    await expect((await runner()).run(compiled, longer, { parameters: { g: [1, 2, 3, 4, 5] } })).rejects.toThrow(
      'it was compiled for 4 components of x, got 5; compile it with lengths: {x:5,y:5}',
    )
    expect(() => compile(sum(kernel), { twoSets: true })).toThrow('"lengths.x" expected')
    expect(() => compile(sum(kernel), { twoSets: true, lengths: { x: 4, y: 5 } })).toThrow('"lengths.y" expected 4')
    expect(() => compile(pull, { lengths: { mass: 4 } })).toThrow('"mass" is not a vector of the law')
    expect(() => compile(sum(weighted), { lengths: { ...lengths, v: 50 }, backends: ['webgl'] })).toThrow(
      'cpu-wasm or webgpu, which add up all components of a vector in one program, got webgl',
    )
  })

  it('has no program for a backend that cannot take a whole vector, unless it is asked for it', () => {
    const nested = (depth: number): string => (depth === 0 ? 'vector(b_j)' : `abs(${nested(depth - 1)} + ${depth}*q_j)`)
    const long = sum(pairTerm(`${nested(90)}*r`)())
    expect(Object.keys(compile(long, { lengths: { b: 40 } }).compiled.backends)).toEqual(['cpu-wasm'])
    expect(() => compile(long, { lengths: { b: 40 }, backends: ['webgpu', 'cpu-wasm'] })).toThrow(
      UnsupportedWorkloadError,
    )
    const byComponents = sum(pairTerm('vector(b_i)/max(r, vector(b_j))')())
    expect(() => compile(byComponents, { lengths: { b: 40 } })).toThrow(
      'on cpu-wasm: whether points at one place have a term depends on its components',
    )
  })

  it('takes no notice of vectors of an energy that its force does not read', async () => {
    const workload = forces(pairPotential('dot(f_i, f_j) + 1/r')())
    const compiled = filed(compile(workload, { lengths: { f: 7 } }))
    const { force } = await (await runner()).run(compiled, { position })
    expect(force).toEqual((await (await typed()).run(workload, { position })).force)
  })

  it('can be prepared, verified, and copied', async () => {
    const engine = await runner()
    const compiled = structuredClone(filed(compile(pull)))
    const program = await engine.prepare(compiled, { count })
    const { acceleration } = await program.run({ position, mass })
    expect(acceleration).toEqual((await (await typed()).run(pull, { position, mass })).acceleration)
    program.dispose()
    expect((await engine.verify(compiled, { position, mass })).ok).toBe(true)
  })

  it.each(approximated.map((it) => ({ name: it[0], it })))(
    'of a tolerance gives what the workload gives for any number of points: $name',
    async ({ it: [, workload, options] }) => {
      const compiled = filed(compile(workload, options))
      const { dimension = 3, twoSets, precision = 'f32' } = options ?? {}
      await using known = await createEngine({ backend: 'cpu-wasm', threads: 1, precision: precision as 'f32' })
      await using run = await createRunner({ backend: 'cpu-wasm', threads: 1, precision: precision as 'f32' })
      for (const count of [20, 6000]) {
        const set = (step: number) => ({
          position: numbers(dimension * count, step),
          mass: numbers(count, 0.57),
          dimension,
        })
        const data = twoSets ? { targets: set(0.754), sources: set(0.618) } : set(0.618)
        const [expected, got] = [await known.run(workload, data), await run.run(compiled, data)]
        expect({ ...got, report: 0 }).toEqual({ ...expected, report: 0 })
        expect(got.report.variant).toBe(expected.report.variant)
        expect(got.report.error).toEqual(expected.report.error)
        if (count === 6000) expect(got.report.variant).toContain('tree')
      }
    },
  )

  it('of two sets, and in two dimensions', async () => {
    const flat = { position: numbers(2 * count, 0.6), mass, dimension: 2 } as const
    const few = { position: numbers(20, 0.7), dimension: 2 } as const
    const field = potentials(gravity({ softening: 0.1 }))
    const one = filed(compile(pull, { dimension: 2 }))
    expect((await (await runner()).run(one, flat)).acceleration).toEqual(
      (await (await typed()).run(pull, flat)).acceleration,
    )
    const two = filed(compile(field, { dimension: 2, twoSets: true }))
    const sets = { targets: { ...few, mass: numbers(10, 0.1) }, sources: flat }
    expect((await (await runner()).run(two, sets)).potential).toEqual(
      (await (await typed()).run(field, sets)).potential,
    )
  })

  it('in float64, and for points that are far away', async () => {
    await using exact = await createRunner({ backend: 'cpu-wasm', threads: 1, precision: 'f64' })
    await using known = await createEngine({ backend: 'cpu-wasm', threads: 1, precision: 'f64' })
    const compiled = filed(compile(pull, { precision: ['f32', 'f64'], far: true }))
    expect((await exact.run(compiled, { position, mass })).acceleration).toEqual(
      (await known.run(pull, { position, mass })).acceleration,
    )
    const far = Float64Array.from(position, (x, n) => x + (n % 2 ? 1e9 : 0))
    const tiny = Float64Array.from(position, (x) => x * 1e-14)
    for (const place of [far, tiny]) {
      const data = { position: place, mass }
      const got = await (await runner()).run(compiled, data)
      expect(got.acceleration).toEqual((await (await typed()).run(pull, data)).acceleration)
    }
  })
})

describe('what a file lacks is said before anything runs', () => {
  const run = async (compiled: object, data: object = { position, mass }, options = {}) =>
    (await runner()).run(compiled as typeof pull, data as { position: Float32Array; mass: Float32Array }, options)

  it.each([
    [
      'another dimension',
      {},
      { position: position.subarray(0, 2 * count), mass, dimension: 2 },
      /"dimension" expected 3, for which/,
    ],
    [
      'two sets',
      {},
      { targets: { position, mass }, sources: { position, mass } },
      /it was compiled for one set of points; compile it/,
    ],
    [
      'points far away',
      {},
      { position: Float64Array.from(position, (x, n) => x + (n % 2 ? 1e9 : 0)), mass },
      /compile it with far: true/,
    ],
  ] as const)('%s', async (_, options, data, message) => {
    await expect(run(filed(compile(pull, options)), data)).rejects.toThrow(message)
  })

  it('another precision, another backend, another version, a damaged file', async () => {
    await using exact = await createRunner({ backend: 'cpu-wasm', threads: 1, precision: 'f64' })
    const compiled = filed(compile(pull))
    await expect(exact.run(compiled, { position, mass })).rejects.toThrow('"precision" expected f32, for which')
    await using slow = await createRunner({ backend: 'reference' })
    expect((await slow.run(compiled, { position, mass })).acceleration).toHaveLength(3 * count)
    const other = { ...compiled, compiled: { ...compiled.compiled, version: 99 } }
    await expect(run(other)).rejects.toThrow('expected a program of version 6, got 99; compile it again')
    await expect(run(compiled, undefined, { plan: { variant: 'simd', sizes: { registers: 4 } } })).rejects.toThrow(
      '"plan" and "ranges" expected none',
    )
    const ranges = { targets: [0, count], offsets: [0, 1], sources: [0, 9] }
    await expect(run(compiled, undefined, { ranges })).rejects.toThrow('"plan" and "ranges" expected')
    const damaged = JSON.parse(JSON.stringify(compiled).replace('"chains":[256]', '"chains":[128]'))
    await expect(run(damaged)).rejects.toThrow('got a damaged one; compile it again')
    for (const wrong of [null, 7, {}, []])
      await expect(run({ ...compiled, compiled: wrong })).rejects.toThrow(/"workload\.compiled" expected/)
  })

  it('lists, trees for a GPU, and wrong options are refused when they are compiled', () => {
    expect(() => compile(neighborsWithin(0.1))).toThrow('lists are compiled in the page')
    const edges = overLinks('sum', { law: pairTerm('1')(), bonds: [[0, 1]] })
    // @ts-expect-error the type refuses it, too
    expect(() => compile(edges)).toThrow('sums over links are compiled in the page')
    const near = potentials(gravity(), { method: tree({ tolerance: 1e-3 }) })
    expect(() => compile(near, { backends: ['webgpu'] })).toThrow('cpu-wasm, whose trees alone are compiled ahead')
    const far = forces(lennardJones(), { method: tree({ tolerance: 1e-3 }) })
    expect(() => compile(far)).toThrow('"method" does not suit')
    const images = forces(coulomb(), { boundary: periodic([1, 1, 1]), method: mesh({ tolerance: 1e-3 }) })
    expect(() => compile(images)).toThrow(
      'a mesh splits the law by its numbers when it first runs; leave out the method',
    )
    expect(() => compile(pull, { backends: ['cuda'] as never })).toThrow('"backends" expected')
    expect(() => compile(pull, { precision: 'f16' as never })).toThrow('"precision" expected')
    expect(() => compile(pull, { dimension: 4 as never })).toThrow('"dimension" expected 1, 2 or 3, got 4')
    expect(() => compile(pull, { fra: true } as never)).toThrow('"fra" is not an option of compile')
    expect(() => compile(gravity() as never)).toThrow('"workload" expected one')
  })
})
