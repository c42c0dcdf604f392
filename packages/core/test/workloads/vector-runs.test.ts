// Runs of laws of vectors beside plain ones: checks, tuning, prepared programs, and errors that name what a caller gave.

import { type Attributes, createEngine, pairTerm, reference, sum } from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import { afterAll, expect, test } from 'vitest'

const engine = await createEngine({ backends: [reference()], precision: 'f64' })
const single = await createEngine({ backends: [reference()] })
afterAll(() => {
  engine.dispose()
  single.dispose()
})
const weighted = pairTerm('dot(w, x_j)', { parameters: { w: [1, 2] } })

test('samples have vectors of one length', () => {
  const shape = { dimension: 3, targets: 3, sources: 3, sameSet: true, vectors: [], lengths: { x: 5 } } as const
  const { targets, tables } = sampleBindings(sum(weighted()), shape)
  expect(targets.arrays.x).toHaveLength(15)
  expect(tables).toHaveLength(5)
})

test.each(['norm(x_i)*w_j', 'dot(g, x_i)*w_j', 'g0*sum(x_i)^2*w_j*sqdist(x_i, x_j)'])(
  'factors of a target are verified within their bounds: %s',
  async (text) => {
    const law = pairTerm(text, { parameters: { g: [0.1, 0.2, 0.3], g0: 3 } })()
    const x = Float64Array.from({ length: 15 }, (_, n) => Math.sin(n))
    for (const one of [engine, single]) {
      const { ok, sampled, bound } = await one.verify(sum(law), { x, w: [1, 2, 3, 4, 5] })
      expect({ ok, sampled }).toEqual({ ok: true, sampled: 5 })
      expect(bound).toBeLessThan(1e-5)
    }
  },
)

test('a vector of one component is verified', async () => {
  const { ok } = await engine.verify(sum(pairTerm('vector(x_i)*w_j')()), { x: [1, 2, 3], w: [1, 2, 3] })
  expect(ok).toBe(true)
})

test('a term by name may be a vector', async () => {
  const law = pairTerm({ u: 'vector(x_j)' })()
  const given = { x: [1, 2, 3, 4], count: 2 }
  expect([...(await engine.run(sum(law), given)).value]).toEqual([3, 4, 1, 2])
  expect((await engine.verify(sum(law), given)).ok).toBe(true)
})

test('a vector that the text does not read is taken as an unused number is', async () => {
  const parameters = { w: [1, 2], v: [5], k: 2 }
  for (const [text, given, expected] of [
    ['k*mass_j*r', { mass: [1, 2], position: [0, 0, 0, 1, 0, 0] }, [12, 6]],
    ['dot(w, x_j)', { x: [1, 2, 3, 4] }, [28, 12]],
  ] as const) {
    const workload = sum(pairTerm(text, { parameters })())
    const points: Attributes = given
    // Later calls repeat the first one.
    for (let n = 0; n < 3; n++) {
      const { value } = await engine.run(workload, points, { parameters: { k: 6, w: [4, 4], v: [1, 2, 3] } })
      expect([...value]).toEqual(expected)
    }
    await expect(engine.run(workload, points, { parameters: { v: 3 } })).rejects.toThrow(
      '"v" expected a list of numbers',
    )
  }
})

test('sources without points have the lengths of the prepared program', async () => {
  const prepared = await engine.prepare(sum(pairTerm('vector(b_j)*w_i')()), {
    ...{ targets: 2, sources: 0, lengths: { b: 4 } },
  })
  const { value } = await prepared.run({ targets: { w: [1, 2] }, sources: { b: [], count: 0 } })
  expect([...value]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  prepared.dispose()
})

test('null is no vector', () => {
  expect(() => weighted({ w: null as never })).toThrow('"w" expected a list of numbers, at least one, got null')
})
