// verify: the reference agrees with itself, and a device that is a little wrong is found out.

import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { biotSavart } from '../../src/problem/interactions/biot-savart.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { gradient } from '../../src/problem/workloads/grid.ts'
import {
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  reduce,
  sum,
  virial,
} from '../../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../../src/problem/workloads/particle.ts'
import type { ArrayResults, Workload } from '../../src/problem/workloads/workload.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { numbersBetween, random } from '../support/random.ts'

const next = random(6)
const count = 100
const attribute = () => Float32Array.from(numbersBetween(next, count, 0.5, 2))
const particles = {
  position: Float32Array.from(numbersBetween(next, 3 * count, -1, 1)),
  ...{ mass: attribute(), p: attribute(), wx: attribute(), wy: attribute(), wz: attribute() },
}
const field = { field: Float32Array.from(numbersBetween(next, 60, -1, 1)) }

const cases: readonly (readonly [string, Workload, typeof particles | typeof field])[] = [
  ['forces', forces(gravity()), particles],
  ['a total', energy(gravity()), particles],
  ['a virial', virial(gravity()), particles],
  ['a vector sum', sum(biotSavart()), particles],
  ['extremes', reduce('argmax', attributeSum()), particles],
  ['logsumexp', reduce('logsumexp', attributeSum()), particles],
  ['neighbours', nearest(4), particles],
  ['counts', countWithin(0.7), particles],
  ['lists', neighborsWithin(0.7), particles],
  ['a matrix', matrix(gravity()), particles],
  ['a map', map({ position: 'position + 0.1*mass' }), particles],
  ['cells', cellIndex({ cells: [3, 3, 3], spacing: 0.5, origin: [-1, -1, -1] }), particles],
  ['a gradient', gradient({ cells: [3, 4, 5], spacing: 0.5 }), field],
]

describe.each(cases)('the results of "%s"', (_, workload, data) => {
  it.each(['f32', 'f64'] as const)('are right on the reference in %s', async (precision) => {
    await using engine = await createEngine({ backends: [reference()], precision })
    const verification = await engine.verify(workload, data)
    expect(verification.ok).toBe(true)
    expect(verification.bound).toBeLessThan(precision === 'f64' ? 2e-14 : 4e-6)
    expect(verification.max).toBeLessThanOrEqual(verification.bound)
    expect(verification.report.backend).toBe('reference')
    expect(verification.sampled).toBe(workload.loop === 'pair' ? 64 : workload.loop === 'grid' ? 60 : count)
    // The reference rounds, too.
    if (precision === 'f64') expect(verification.max).toBeLessThan(1e-15)
  })

  it('are rejected on a wrong device', async () => {
    await using engine = await wrongAfterProof((array) =>
      array instanceof Int32Array || array instanceof Uint32Array
        ? array.map((x) => x + 1)
        : array.map((x) => x * 1.001),
    )
    const verification = await engine.verify(workload, data)
    expect(verification.ok).toBe(false)
    expect(verification.max).toBeGreaterThan(1e-5)
  })
})

describe('verify', () => {
  it('finds an error of 1e-3 in one target if that target is sampled', async () => {
    await using engine = await wrongAfterProof((array) => {
      const wrong = array.slice() as Float32Array
      for (let axis = 0; axis < 3; axis++) wrong[3 * 50 + axis] = (wrong[3 * 50 + axis] as number) * 1.001
      return wrong
    })
    expect(await engine.verify(forces(gravity()), particles, { sample: count })).toMatchObject({
      ok: false,
      sampled: 100,
    })
    const one = await engine.verify(forces(gravity()), particles, { sample: 1 })
    // One target of a hundred is the one in the middle.
    expect(one).toMatchObject({ ok: false, sampled: 1 })
    expect((await engine.verify(forces(gravity()), particles, { sample: 2 })).ok).toBe(true)
  })

  it('reports an infinite error for NaN or missing numbers', async () => {
    for (const distort of [
      (array: ArrayResults[string]) => array.map(() => NaN),
      (array: ArrayResults[string]) => array.subarray(3),
    ]) {
      await using engine = await wrongAfterProof(distort as (array: ArrayResults[string]) => ArrayResults[string])
      expect(await engine.verify(forces(gravity()), particles)).toMatchObject({ ok: false, max: Infinity })
    }
  })
})

it.each([0, -1, 2.5])('verify refuses a sample of %d', async (sample) => {
  await using engine = await createEngine({ backends: [reference()] })
  await expect(engine.verify(forces(gravity()), particles, { sample })).rejects.toThrow(
    '"sample" expected integer >= 1',
  )
})

it('verify uses the parameters of the run', async () => {
  await using engine = await createEngine({ backends: [reference()], precision: 'f64' })
  expect(await engine.verify(forces(gravity()), particles, { parameters: { G: 3 } })).toMatchObject({
    ok: true,
    max: expect.toSatisfy((max: number) => max < 1e-15),
  })
})

/** An engine on a device that proves itself, and changes every result after that. */
async function wrongAfterProof(distort: (array: ArrayResults[string]) => ArrayResults[string]): Promise<Engine> {
  const backend = fakeBackend('wrong', {
    distort: (results) =>
      backend.log.runs > proofRuns
        ? Object.fromEntries(Object.entries(results).map(([name, array]) => [name, distort(array)]))
        : results,
  })
  return createEngine({ backends: [backend] })
}

it('verify compares with the problem as rounded for an f32 engine', async () => {
  await using engine = await createEngine({ backends: [reference()] })
  const position = Float64Array.from(numbersBetween(next, 3 * count, 1000, 1000.1))
  const { ok } = await engine.verify(forces(gravity()), { position, mass: particles.mass })
  expect(ok).toBe(true)
})
