// Aborts are heard before and during a run, and progress goes from nothing to all.

import { describe, expect, it } from 'vitest'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { forces, matrix } from '../../src/problem/workloads/pair.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const set = (count: number) => ({
  position: Float64Array.from({ length: 3 * count }, (_, n) => Math.sin(n + 1)),
  mass: new Float64Array(count).fill(1),
  p: new Float64Array(count).fill(1),
})

describe('an abort', () => {
  it('before a run rejects with its reason', async () => {
    await using engine = await referenceEngine()
    const reason = new Error('changed my mind')
    const signal = AbortSignal.abort(reason)
    await expect(engine.run(forces(gravity()), set(3), { signal })).rejects.toBe(reason)
    await expect(engine.stream(matrix(attributeSum()), set(3), { signal }).next()).rejects.toBe(reason)
  })

  it('during a run rejects it, and the engine keeps working', async () => {
    await using engine = await referenceEngine()
    const [controller, reason] = [new AbortController(), new Error('enough')]
    const seen: number[] = []
    const onProgress = (fraction: number) => {
      seen.push(fraction)
      controller.abort(reason)
    }
    const run = engine.run(forces(gravity()), set(2500), { signal: controller.signal, onProgress })
    await expect(run).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toBeLessThan(1)
    expect((await engine.run(forces(gravity()), set(2))).force).toHaveLength(6)
  })

  it('between two blocks of a stream ends the stream', async () => {
    await using engine = await referenceEngine()
    const [controller, reason] = [new AbortController(), new Error('enough')]
    const firsts: number[] = []
    const stream = async () => {
      for await (const { first } of engine.stream(matrix(attributeSum()), set(5), {
        rows: 2,
        signal: controller.signal,
      })) {
        firsts.push(first)
        if (first === 2) controller.abort(reason)
      }
    }
    await expect(stream()).rejects.toBe(reason)
    expect(firsts).toEqual([0, 2])
  })
})

describe('progress', () => {
  it('rises to 1', async () => {
    await using engine = await referenceEngine()
    const seen: number[] = []
    await engine.run(forces(gravity()), set(300), { onProgress: (fraction) => seen.push(fraction) })
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('of a stream is measured in rows', async () => {
    await using engine = await referenceEngine()
    const seen: number[] = []
    const options = { rows: 2, onProgress: (fraction: number) => seen.push(fraction) }
    for await (const _ of engine.stream(matrix(attributeSum()), set(5), options));
    expect(seen).toEqual([0.4, 0.8, 1])
  })
})
