// Copies of inputs are used again, but never while a call or its caller may still need them.

import { expect, test } from 'vitest'
import { copyOf, giveBack } from '../src/ground/arrays/kept-copies.ts'
import { accelerations, createEngine, gravity, reference } from '../src/index.ts'

const count = 100
const points = (x: number) => ({
  position: Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(n * x)),
  mass: new Float32Array(count).fill(x),
})

test('a copy that was given back serves the next array of its type and length', () => {
  const copy = copyOf(new Float32Array(777).fill(1))
  expect(copyOf(new Float32Array(777))).not.toBe(copy)
  giveBack([copy, copy, 'text'])
  expect(copyOf(new Float64Array(777))).not.toBe(copy)
  const again = copyOf(new Float32Array(777).fill(2))
  expect(again).toBe(copy)
  expect(again).toEqual(new Float32Array(777).fill(2))
  expect(copyOf(new Float32Array(777))).not.toBe(copy)
})

test('few copies are kept', () => {
  const copies = Array.from({ length: 40 }, () => copyOf(new Float32Array(555)))
  giveBack(copies)
  const next = Array.from({ length: 40 }, () => copyOf(new Float32Array(555)))
  expect(next.filter((one) => copies.includes(one))).toHaveLength(32)
})

test('calls one after another, at the same time and after a failure have their own numbers', async () => {
  await using engine = await createEngine({ backends: [reference()] })
  const workload = accelerations(gravity({ softening: 0.1 }))
  const alone = async (x: number) => {
    await using other = await createEngine({ backends: [reference()] })
    return (await other.run(workload, points(x))).acceleration
  }
  const first = await engine.run(workload, points(1))
  await expect(engine.run(workload, points(Number.NaN))).rejects.toThrow(RangeError)
  await expect(engine.run(workload, points(2), { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no')
  const others = await Promise.all([2, 3, 4, 5].map((x) => engine.run(workload, points(x))))
  for (const [n, { acceleration }] of [first, ...others].entries()) expect(acceleration).toEqual(await alone(n + 1))
})
