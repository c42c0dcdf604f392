// Workloads that were compiled ahead, on a GPU: they run like typed ones, to the bit, and report parts that a file lacks.

import {
  accelerations,
  cellIndex,
  countWithin,
  type Engine,
  forces,
  gradient,
  gravity,
  lennardJones,
  map,
  matrix,
  nearest,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Workload,
} from '@manybody/core'
import { type CompiledBackend, type CompileOptions, compile } from 'manybody/compile'
import { afterAll, expect, test } from 'vitest'
import { numbers } from './numbers.ts'

const count = 300
const [position, velocity, mass] = [numbers(3 * count, 1), numbers(3 * count, 2), numbers(count, 3)]
const field = numbers(120, 4)
const f = numbers(7 * count, 5)
const ofFeatures = pairPotential('mass_i*mass_j*exp(-sqdist(f_i, f_j))/sqrt(r2 + 0.01)')()
export const pull: ReturnType<typeof accelerations> = accelerations(gravity({ softening: 0.1 }))

type Case = readonly [name: string, workload: Workload, data: object, options?: CompileOptions]
const cases: readonly Case[] = [
  ['softened gravity', pull, { position, mass }],
  ['gravity', accelerations(gravity()), { position, mass }],
  ['a potential', potentials(gravity()), { position, mass }],
  [
    'a liquid',
    forces(lennardJones({ epsilon: 1, sigma: 0.02 }), { cutoff: 0.2, boundary: periodic([2, 2, 2]) }),
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
  ['a stencil', gradient({ cells: [6, 5, 4], spacing: 0.2 }), { field }],
  ['forces of vectors', forces(ofFeatures), { position, mass, f }, { lengths: { f: 7 } }],
  ['cells', cellIndex({ cells: [4, 4, 4], spacing: 0.25 }), { position }],
]

/** Tests a backend. @param open opens an engine on it; the tests use one for typed workloads and one for compiled ones */
export async function testCompiled(backend: CompiledBackend, open: () => Promise<Engine>): Promise<void> {
  const [typed, filed] = (await Promise.all([open(), open()])) as [Engine, Engine]
  afterAll(() => {
    typed.dispose()
    filed.dispose()
  })
  /** A compiled workload after a round trip through a file. */
  const compiledOf = <W extends Workload>(workload: W, options: CompileOptions = {}): W =>
    JSON.parse(JSON.stringify(compile(workload, { backends: [backend], ...options })))

  test.each(cases.map((it) => ({ name: it[0], it })))('$name', async ({ it: [, workload, data, options] }) => {
    const given = data as { readonly position: Float32Array }
    const expected = await typed.run(workload, given)
    const got = await filed.run(compiledOf(workload, options), given)
    expect({ ...got, report: 0 }).toEqual({ ...expected, report: 0 })
    expect(got.report.variant).toBe(expected.report.variant)
  })

  test('values of parameters and other numbers of points, from each run', async () => {
    const compiled = compiledOf(pull)
    // Few points: a slow device divides a long run into steps by its time, which changes the last bits.
    for (const points of [1, 70, 400]) {
      const data = { position: numbers(3 * points, 5), mass: numbers(points, 6) }
      const options = { parameters: { softening: points === 70 ? 0 : 0.3, G: 2 } }
      const expected = await typed.run(pull, data, options)
      expect((await filed.run(compiled, data, options)).acceleration).toEqual(expected.acceleration)
    }
  })

  test('two sets in two dimensions, and points that are far away', async () => {
    const sets = {
      targets: { position: numbers(20, 7), mass: numbers(10, 8), dimension: 2 },
      sources: { position: numbers(2 * count, 9), mass, dimension: 2 },
    } as const
    expect((await filed.run(compiledOf(pull, { dimension: 2, twoSets: true }), sets)).acceleration).toEqual(
      (await typed.run(pull, sets)).acceleration,
    )
    const far = { position: Float64Array.from(position, (x, n) => x + (n % 2 ? 1e9 : 0)), mass }
    expect((await filed.run(compiledOf(pull, { far: true }), far)).acceleration).toEqual(
      (await typed.run(pull, far)).acceleration,
    )
  })

  test('what a file lacks is said before anything runs', async () => {
    const run = async (compiled: object, data: object) =>
      filed.run(compiled as typeof pull, data as { position: Float32Array })
    const compiled = compiledOf(pull)
    const flat = { position: position.subarray(0, 2 * count), mass, dimension: 2 }
    await expect(run(compiled, flat)).rejects.toThrow('"dimension" expected 3, for which')
    const sets = { targets: { position, mass }, sources: { position, mass } }
    await expect(run(compiled, sets)).rejects.toThrow('it was compiled for one set of points')
    const far = { position: Float64Array.from(position, (x, n) => x + (n % 2 ? 1e9 : 0)), mass }
    await expect(run(compiled, far)).rejects.toThrow('compile it with far: true')
    await expect(run(compiledOf(pull, { backends: ['cpu-wasm'] }), { position, mass })).rejects.toThrow(
      `it was compiled for cpu-wasm; compile it for ${backend}, too`,
    )
    const damaged = JSON.parse(JSON.stringify(compiled).replace('"perPair":false', '"perPair":true'))
    await expect(run(damaged, { position, mass })).rejects.toThrow('got a damaged one')
  })
}
