// Programs are prepared once for each structure and used again. Only a change of that structure makes another.

import { expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { Programs } from '../../src/engine/programs.ts'
import type { PreparedShape } from '../../src/engine/shape.ts'
import { UnsupportedWorkloadError } from '../../src/ground/errors.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { DomainOptions } from '../../src/problem/workloads/domain.ts'
import { gradient } from '../../src/problem/workloads/grid.ts'
import { accelerations, countWithin, forces, nearest, potentials, sum } from '../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'

const particles = (count: number) => ({
  position: Float64Array.from({ length: 3 * count }, (_, n) => Math.sin(n + 1)),
  mass: new Float64Array(count).fill(1),
  charge: new Float64Array(count).fill(1),
  kind: new Float64Array(count),
})

/** How many programs a list of runs prepares, beyond the proof. */
async function preparedBy(workloads: readonly Workload[], count = 5): Promise<number> {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const before = backend.log.prepared.length
  for (const workload of workloads) await engine.run(workload, particles(count))
  return backend.log.prepared.length - before
}

/** A sum within the sizes of kinds. */
const sized = (kinds: number): Workload =>
  sum(pairTerm('1', { tables: { size: Array.from({ length: kinds }, () => 1) } })(), {
    cutoff: 'size[kind_i] + size[kind_j]',
  })

/** Once everything that was under way has been done. */
const settled = () => new Promise((resolve) => setTimeout(resolve, 0))

const box = (length: number): DomainOptions => ({ boundary: periodic([length, length, length]) })

it.each<[name: string, workloads: readonly Workload[]]>([
  ['the same workload', [accelerations(gravity()), accelerations(gravity())]],
  ['other values of parameters', [accelerations(gravity()), accelerations(gravity({ G: 2, softening: 0.1 }))]],
  ['another cutoff', [forces(gravity(), { cutoff: 1 }), forces(gravity(), { cutoff: 2 })]],
  [
    'another switch distance',
    [forces(gravity(), { cutoff: 2, switchDistance: 1 }), forces(gravity(), { cutoff: 3, switchDistance: 2 })],
  ],
  ['another box', [forces(gravity(), box(3)), forces(gravity(), box(4))]],
  [
    'other exclusions',
    [
      forces(gravity(), { exclusions: [[0, 1]] }),
      forces(gravity(), {
        exclusions: [
          [2, 3],
          [1, 4],
        ],
      }),
    ],
  ],
  ['as many kinds as fit', [sized(2), sized(8)]],
  ['a map with another step', [map({ mass: 'h*mass' }, { h: 1 }), map({ mass: 'h*mass' }, { h: 2 })]],
])('one program serves %s', async (_, workloads) => {
  expect(await preparedBy(workloads)).toBe(1)
})

it.each<[name: string, workloads: readonly Workload[]]>([
  ['another law', [forces(gravity()), forces(coulomb())]],
  ['another quantity', [forces(gravity()), potentials(gravity())]],
  ['a cutoff', [forces(gravity()), forces(gravity(), { cutoff: 1 })]],
  ['a switch', [forces(gravity(), { cutoff: 2 }), forces(gravity(), { cutoff: 2, switchDistance: 1 })]],
  ['a shift', [potentials(gravity(), { cutoff: 2 }), potentials(gravity(), { cutoff: 2, shift: true })]],
  ['a box', [forces(gravity()), forces(gravity(), box(3))]],
  ['itself included', [potentials(gravity()), potentials(gravity(), { self: 'include' })]],
  ['exclusions', [forces(gravity()), forces(gravity(), { exclusions: [[0, 1]] })]],
  ['more kinds, each with a size', [sized(3), sized(30)]],
  ['another k', [nearest(2), nearest(3)]],
  ['another limit', [countWithin(2, pairTerm('r2')()), countWithin(3, pairTerm('r2')())]],
])('another program is needed for %s', async (_, workloads) => {
  expect(await preparedBy(workloads)).toBe(2)
})

it('parameters of a run override those of the law, need no new program, and must be known', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const two = { ...particles(2), position: Float64Array.of(0, 0, 0, 2, 0, 0) }
  const { potential } = await engine.run(potentials(gravity()), two)
  const prepared = backend.log.prepared.length
  const { potential: heavier } = await engine.run(potentials(gravity()), two, { parameters: { G: 3 } })
  expect([potential[0], heavier[0]]).toEqual([-0.5, -1.5])
  expect(backend.log.prepared).toHaveLength(prepared)
  for (const name of ['g', 'toString'])
    await expect(engine.run(potentials(gravity()), two, { parameters: { [name]: 1 } })).rejects.toThrow(
      `"${name}" is not a parameter of this workload; expected G, softening`,
    )
  await expect(engine.run(potentials(gravity()), two, { parameters: { G: NaN } })).rejects.toThrow(RangeError)
  await expect(
    engine.run(cellIndex({ cells: [2, 2, 2], spacing: 1 }), two, { parameters: { spacing: 2 } }),
  ).rejects.toThrow('"spacing" is not a parameter of this workload; expected none')
  // As when the law is made, also after it was stored.
  for (const law of [gravity(), JSON.parse(JSON.stringify(gravity())) as Interaction])
    await expect(engine.run(potentials(law), two, { parameters: { softening: -1 } })).rejects.toThrow(
      '"softening" expected finite number >= 0, got -1',
    )
})

it('another count, plan or dimension needs another program, but the same again does not', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const before = backend.log.prepared.length
  const run = (count: number, plan = {}) => engine.run(forces(gravity()), particles(count), plan)
  for (const count of [5, 6, 5, 6]) await run(count)
  expect(backend.log.prepared.length - before).toBe(2)
  await run(5, { plan: { variant: 'tiled' } })
  await run(5, { plan: { variant: 'tiled' } })
  await engine.run(forces(gravity()), { ...particles(5), position: new Float64Array(10), dimension: 2 })
  expect(backend.log.prepared.length - before).toBe(4)
})

it('concurrent runs prepare a program once', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const before = backend.log.prepared.length
  await Promise.all([1, 2, 3].map(() => engine.run(forces(gravity()), particles(4))))
  expect(backend.log.prepared.length - before).toBe(1)
})

it('the program used longest ago is disposed of when there are many', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const disposed = backend.log.programsDisposed
  for (let count = 2; count < 130; count++) await engine.run(forces(gravity()), particles(count))
  expect(backend.log.programsDisposed).toBe(disposed)
  await engine.run(forces(gravity()), particles(2))
  await engine.run(forces(gravity()), particles(130))
  await settled()
  expect(backend.log.programsDisposed).toBe(disposed + 1)
  const prepared = backend.log.prepared.length
  await engine.run(forces(gravity()), particles(2))
  expect(backend.log.prepared).toHaveLength(prepared)
  await engine.run(forces(gravity()), particles(3))
  expect(backend.log.prepared).toHaveLength(prepared + 1)
})

it('a program that a simulation holds leaves last, and at once if it is dropped', async () => {
  const backend = fakeBackend('fake')
  const programs = new Programs(await backend.open({ precision: 'f64' }))
  const hold = (count: number) =>
    programs.hold(forces(gravity()), { dimension: 3, targets: count, sources: count, sameSet: true, vectors: [] })
  const held = await hold(1)
  for (let count = 2; count < 140; count++) (await hold(count)).end()
  const prepared = backend.log.prepared.length
  const again = await hold(1)
  expect(again.program).toBe(held.program)
  again.drop()
  await settled()
  const disposed = backend.log.programsDisposed
  held.end()
  await settled()
  expect(backend.log.programsDisposed).toBe(disposed + 1)
  const another = await hold(1)
  expect(another.program).not.toBe(held.program)
  expect(backend.log.prepared.length).toBe(prepared + 1)
  held.drop()
  expect((await hold(1)).program).toBe(another.program)
})

it('a program that still runs is disposed of when it has finished', async () => {
  const atStart: number[] = []
  const backend = fakeBackend('fake', {
    beforeRun: settled as () => Promise<void>,
    distort: (results) => {
      atStart.push(backend.log.programsDisposed)
      return results
    },
  })
  await using engine = await createEngine({ backends: [backend] })
  const disposed = backend.log.programsDisposed
  await Promise.all(Array.from({ length: 136 }, (_, n) => engine.run(forces(gravity()), particles(n + 1))))
  await settled()
  expect(backend.log.programsDisposed).toBe(disposed + 8)
  // Eight were forgotten before any of them had run.
  expect(atStart[proofRuns]).toBe(disposed)
  const program = await engine.prepare(potentials(gravity()), { count: 3 })
  const run = program.run(particles(3))
  program.dispose()
  expect((await run).potential).toHaveLength(3)
})

it('a prepared program runs without preparing again, and takes only points of its shape', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const program = await engine.prepare(forces(gravity()), { count: 5 })
  const prepared = backend.log.prepared.length
  expect((await program.run(particles(5))).force).toHaveLength(15)
  expect(backend.log.prepared).toHaveLength(prepared)
  await expect(program.run(particles(6))).rejects.toThrow(
    '"particles" expected 5 targets and 5 sources in 3-D, as prepared, got 6 targets and 6 sources in 3-D',
  )
  const disposed = backend.log.programsDisposed
  program.dispose()
  await settled()
  expect(backend.log.programsDisposed).toBe(disposed + 1)
  await expect(program.run(particles(5))).rejects.toThrow('Cannot run: the program was disposed; prepare it again')
})

it('a prepared map needs no positions, because its shape has the number of points', async () => {
  const backend = fakeBackend('fake')
  await using engine = await createEngine({ backends: [backend] })
  const velocity = Float32Array.of(1, 2, 3, 4, 5, 6)
  const program = await engine.prepare(map({ velocity: '2*velocity' }), { count: 2, vectors: ['velocity'] })
  const prepared = backend.log.prepared.length
  expect((await program.run({ velocity })).velocity).toEqual(velocity.map((v) => 2 * v))
  expect(backend.log.prepared).toHaveLength(prepared)
  await expect(program.run({ velocity: new Float32Array(9) })).rejects.toThrow(
    '"velocity" expected length 2 (one number per point) or 6 (one per component), got 9',
  )
  await expect(program.run({ position: new Float32Array(9), velocity: new Float32Array(9) })).rejects.toThrow(
    /as prepared, got 3 targets/,
  )
})

it('a program over a grid needs no shape', async () => {
  await using engine = await createEngine({ backends: [fakeBackend('fake')] })
  const program = await engine.prepare(gradient({ cells: [4, 3], spacing: 1 }))
  expect((await program.run({ field: new Float32Array(12) })).gradient).toHaveLength(24)
})

it('a program is prepared for the shape and the plan as they are when it is called for', async () => {
  await using engine = await createEngine({ backends: [fakeBackend('fake')] })
  const shape = { count: 5, dimension: 3 as 2 | 3 }
  const plan: { variant: string; wrong?: string } = { variant: 'any' }
  const preparing = engine.prepare(forces(gravity()), shape, plan)
  Object.assign(shape, { count: 7, dimension: 2 })
  plan.wrong = 'name'
  expect((await (await preparing).run(particles(5))).force).toHaveLength(15)
})

it.each<[shape: unknown, message: string]>([
  [undefined, '"shape" expected { count } or { targets, sources }, got undefined'],
  [5, '"shape" expected { count } or { targets, sources }, got 5'],
  [particles(5), '"shape" expected { count } or { targets, sources }, got Object'],
  [{ count: 5, dimensions: 2 }, '"dimensions" is not a name of a shape; expected count, dimension, vectors'],
  [{ targets: 5, source: 2 }, '"source" is not a name of a shape; expected targets, sources, dimension'],
  [{ count: -1 }, '"count" expected integer >= 0, got -1'],
  [{ count: 2.5 }, '"count" expected integer >= 0, got 2.5'],
  [{ targets: 1, sources: NaN }, '"sources" expected integer >= 0, got NaN'],
  [{ count: 3, dimension: 4 }, '"dimension" expected 1, 2 or 3, got 4'],
  [{ count: 3, vectors: 'position' }, '"vectors" expected a list of names of arrays, got "position"'],
  [{ count: 3, vectors: null }, '"vectors" expected a list of names of arrays, got null'],
  [{ count: 3, vectors: new Set(['position']) }, '"vectors" expected a list of names of arrays, got Set'],
  [{ count: 3, vectors: ['position', 3] }, '"vectors" expected a list of names of arrays, got 3 at 1'],
])('a prepared shape of %j is refused', async (shape, message) => {
  await using engine = await createEngine({ backends: [fakeBackend('fake')] })
  await expect(engine.prepare(forces(gravity()), shape as PreparedShape)).rejects.toThrow(message)
})

it('the error for an unsupported workload has its name and the reason', async () => {
  const picky = fakeBackend('picky')
  await using engine = await createEngine({
    backends: [
      {
        ...picky,
        open: async () => ({
          ...(await picky.open()),
          supports: ({ loop }) => (loop === 'pair' ? { ok: true } : { ok: false, reason: 'pairs only' }),
        }),
      },
    ],
  })
  const error = await engine.run(map({ mass: '2*mass' }), particles(2)).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(UnsupportedWorkloadError)
  expect(error).toMatchObject({ workload: 'map', backend: 'picky', message: 'Cannot run "map" on picky: pairs only' })
})

it('a program that does not get ready is disposed of, and prepared again', async () => {
  let broken = true
  const backend = fakeBackend('fake', {
    ready: ({ loop }) => {
      if (loop === 'particle' && broken) throw new Error('no pipeline')
    },
  })
  await using engine = await createEngine({ backends: [backend] })
  const twice = map({ mass: '2*mass' })
  const before = { disposed: backend.log.programsDisposed, prepared: backend.log.prepared.length }
  await expect(engine.run(twice, particles(2))).rejects.toThrow('no pipeline')
  await settled()
  expect(backend.log.programsDisposed).toBe(before.disposed + 1)
  broken = false
  expect((await engine.run(twice, particles(2))).mass).toHaveLength(2)
  expect(backend.log.programsDisposed).toBe(before.disposed + 1)
  expect(backend.log.prepared).toHaveLength(before.prepared + 2)
})

it('a disposed engine refuses work, and disposes of its device and programs once', async () => {
  const backend = fakeBackend('fake')
  const engine = await createEngine({ backends: [backend] })
  await engine.run(forces(gravity()), particles(2))
  const disposed = backend.log.programsDisposed
  engine.dispose()
  engine.dispose()
  await settled()
  expect(backend.log.disposed).toBe(1)
  expect(backend.log.programsDisposed).toBe(disposed + 1)
  const refusal = 'Cannot run: the engine was disposed; create a new one'
  await expect(engine.run(forces(gravity()), particles(2))).rejects.toThrow(refusal)
  await expect(engine.prepare(forces(gravity()), { count: 2 })).rejects.toThrow(refusal)
  await expect(engine.verify(forces(gravity()), particles(2))).rejects.toThrow(refusal)
})
