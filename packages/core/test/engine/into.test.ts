// Results in arrays of the caller's: the same numbers in the same memory, whether or not the device writes there itself; and
// the errors for wrong arrays.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { gradient } from '../../src/problem/workloads/grid.ts'
import { accelerations, countWithin, energy, matrix, nearest, reduce } from '../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import type { Particles } from '../../src/problem/workloads/particles.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const position = Float32Array.from({ length: 15 }, (_, n) => Math.sin(n))
const mass = Float32Array.of(1, 2, 3, 4, 5)
const points = { position, mass, p: mass, velocity: position.map((x) => 2 * x) }
const field = Float32Array.from({ length: 24 }, (_, n) => n * n)
const grid = { cells: [2, 3, 4], spacing: 1 }

const cases: Readonly<Record<string, readonly [Workload, Particles]>> = {
  accelerations: [accelerations(gravity()), points],
  nearest: [nearest(2), points],
  counts: [countWithin(1), points],
  argmin: [reduce('argmin', attributeSum()), points],
  matrix: [matrix(attributeSum()), points],
  'matrix of two sets': [
    matrix(attributeSum()),
    { targets: points, sources: { position: position.slice(3), p: mass.slice(1) } },
  ],
  'map of vectors': [map({ position: 'position + velocity', count: '2*mass' }), points],
  'cell indices': [cellIndex({ cells: [2, 2, 2], spacing: 1 }), points],
  gradient: [gradient(grid), { field }],
}

it.each(Object.entries(cases))(
  'a run with `into` overwrites earlier results of %s',
  async (_, [workload, particles]) => {
    for (const precision of ['f32', 'f64'] as const) {
      await using engine = await createEngine({ backends: [fakeBackend('plain')], precision })
      const expected = await engine.run(workload, particles)
      const into = await engine.run(workload, particles)
      for (const name of workload.results) (into[name] as Float32Array).fill(9)
      const results = await engine.run(workload, particles, { into })
      for (const name of workload.results) {
        expect(results[name]).toBe(into[name])
        expect(results[name]).toEqual(expected[name])
      }
    }
  },
)

it('a device may write the given arrays itself', async () => {
  const given: unknown[] = []
  const backend = fakeBackend('direct', { beforeRun: (_, options) => void given.push(options?.into) })
  await using engine = await createEngine({ backends: [backend] })
  const value = new Float32Array(25)
  await engine.run(matrix(attributeSum()), points, { into: { value } })
  expect(given.slice(proofRuns)).toEqual([{ value }])
})

it('a matrix in blocks of rows is written to the given array', async () => {
  await using engine = await createEngine({ backends: [fakeBackend('small', { limits: { resultBytes: 40 } })] })
  const value = new Float32Array(25)
  const results = await engine.run(matrix(attributeSum()), points, { into: { value } })
  expect(results.value).toBe(value)
  expect([value[1], value[23]]).toEqual([3, 9])
})

it('missing arrays are allocated', async () => {
  await using engine = await referenceEngine()
  const index = new Int32Array(10)
  const results = await engine.run(nearest(2), points, { into: { index } })
  expect(results.index).toBe(index)
  expect(results.distance).toHaveLength(10)
})

const law = accelerations(gravity())
const twice = new ArrayBuffer(40)

it('the arrays of the points may be used, because the call copied them', async () => {
  await using engine = await createEngine({ backends: [fakeBackend('plain')] })
  const { acceleration: expected } = await engine.run(law, points)
  const mine = { ...points, position: position.slice() }
  const { acceleration } = await engine.run(law, mine, { into: { acceleration: mine.position } })
  expect(acceleration).toBe(mine.position)
  expect(acceleration).toEqual(expected)
})

describe('two runs at once into the same memory', () => {
  const message =
    '"into.acceleration" expected memory that nothing else writes to, got memory of another result or run; give each its own arrays, or wait for the other run'

  it.each([
    ['the same array', (array: Float32Array) => array],
    ['a view of some of it', ({ buffer }: Float32Array) => new Float32Array(buffer as ArrayBuffer, 40, 15)],
  ])('are refused with %s', async (_, other) => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    await using second = await createEngine({ backends: [fakeBackend('plain')] })
    const { acceleration: expected } = await engine.run(law, points)
    const array = new Float32Array(new ArrayBuffer(120), 0, 15)
    const first = engine.run(law, points, { into: { acceleration: array } })
    const others = [engine, second].map((any) => any.run(law, points, { into: { acceleration: other(array) } }))
    for (const run of others) await expect(run).rejects.toThrow(message)
    expect((await first).acceleration).toEqual(expected)
  })

  it('are refused while the first one loads code', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    const { acceleration: expected } = await engine.run(law, points)
    const into = { acceleration: new Float32Array(15) }
    // The language loads, because the workload is data.
    const first = engine.run(structuredClone(law), points, { into })
    const second = engine.run(law, points, { into })
    await expect(second).rejects.toThrow(message)
    expect((await first).acceleration).toEqual(expected)
  })

  it('are allowed after one that failed while it loaded code', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    const into = { acceleration: new Float32Array(15) }
    const wrong = { ...structuredClone(law), reduction: 'none of ours' }
    await expect(engine.run(wrong as typeof law, points, { into })).rejects.toThrow('"workload.reduction"')
    expect((await engine.run(law, points, { into })).acceleration).toBe(into.acceleration)
  })

  it('are allowed one after the other, also after an abort', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    const into = { acceleration: new Float32Array(15) }
    await expect(engine.run(law, points, { into, signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
    await engine.run(law, points, { into })
    expect((await engine.run(law, points, { into })).acceleration).toBe(into.acceleration)
  })

  it('are allowed in one buffer without overlap', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('plain')] })
    const whole = new Float32Array(30)
    const halves = [whole.subarray(0, 15), whole.subarray(15)]
    await Promise.all(halves.map((acceleration) => engine.run(law, points, { into: { acceleration } })))
    expect(halves[1]).toEqual(halves[0])
    expect((await engine.run(law, points)).acceleration).toEqual(halves[0])
  })
})

it.each([
  ['no object', law, 5, '"into" expected an object, got 5'],
  ['an array', law, new Float32Array(15), '"into" expected an object, got Float32Array'],
  ['an unknown name', law, { force: new Float32Array(15) }, '"force" is not a result; expected acceleration, report'],
  [
    'another precision',
    law,
    { acceleration: new Float64Array(15) },
    '"into.acceleration" expected Float32Array, got Float64Array',
  ],
  ['a plain array', law, { acceleration: [] }, '"into.acceleration" expected Float32Array, got Array'],
  ['another length', law, { acceleration: new Float32Array(14) }, '"into.acceleration" expected length 15, got 14'],
  [
    'indices in floats',
    nearest(2),
    { index: new Float32Array(10) },
    '"into.index" expected Int32Array, got Float32Array',
  ],
  ['a total', energy(gravity()), { energy: new Float32Array(1) }, '"into" expected nothing, as "energy" is one number'],
  [
    'two results in one memory',
    nearest(2),
    { index: new Int32Array(twice), distance: new Float32Array(twice, 0) },
    '"into.distance" expected memory that nothing else writes to, got memory of another result or run',
  ],
])('wrong memory for results is refused: %s', async (_, workload, into, message) => {
  await using engine = await createEngine({ backends: [fakeBackend('plain')] })
  await expect(engine.run(workload as Workload, points, { into: into as object })).rejects.toThrow(message)
})
