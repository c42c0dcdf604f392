// A matrix larger than a device gives at once is computed in blocks of rows, and reported as one run.

import { expect, it } from 'vitest'
import type { Range } from '../../src/contract/backend.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { matrix } from '../../src/problem/workloads/pair.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'

const sources = { position: new Float64Array(15), p: Float64Array.of(1, 2, 3, 4, 5) }
const targets = { position: new Float64Array(21), p: Float64Array.of(10, 20, 30, 40, 50, 60, 70) }

async function blocksOf(resultBytes: number, precision: 'f32' | 'f64') {
  const ranges: (Range | undefined)[] = []
  const backend = fakeBackend('small', {
    limits: { resultBytes },
    beforeRun: (_, options) => void ranges.push(options?.targets),
  })
  await using engine = await createEngine({ backends: [backend], precision })
  const progress: number[] = []
  const onProgress = (fraction: number) => progress.push(fraction)
  const { value, report } = await engine.run(matrix(attributeSum()), { targets, sources }, { onProgress })
  return { value, report, progress, ranges: ranges.slice(proofRuns) }
}

const whole = [10, 20, 30, 40, 50, 60, 70].flatMap((a) => [1, 2, 3, 4, 5].map((b) => a + b))

it.each([
  [
    'f64',
    5 * 8 * 3,
    [
      [0, 3],
      [3, 6],
      [6, 7],
    ],
  ],
  [
    'f64',
    5 * 8 * 3 - 1,
    [
      [0, 2],
      [2, 4],
      [4, 6],
      [6, 7],
    ],
  ],
  [
    'f32',
    5 * 4 * 4,
    [
      [0, 4],
      [4, 7],
    ],
  ],
  // A row is the least that can be asked for.
  [
    'f32',
    1,
    [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
      [5, 6],
      [6, 7],
    ],
  ],
] as const)('a matrix in %s is divided to fit %i bytes', async (precision, resultBytes, expected) => {
  const { value, report, progress, ranges } = await blocksOf(resultBytes, precision)
  expect(ranges).toEqual(expected)
  expect([...value]).toEqual(whole)
  expect(value).toBeInstanceOf(precision === 'f64' ? Float64Array : Float32Array)
  expect(report.interactions).toBe(35)
  expect(progress).toEqual(expected.map(([, last]) => last / 7))
})

it('a matrix that fits is one run', async () => {
  const { value, report, ranges } = await blocksOf(5 * 8 * 7, 'f64')
  expect(ranges).toEqual([undefined])
  expect([...value]).toEqual(whole)
  expect(report.interactions).toBe(35)
})

it('a streamed block has no more rows than fit', async () => {
  const backend = fakeBackend('small', { limits: { resultBytes: 5 * 8 * 2 } })
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const blocks: number[] = []
  for await (const { first, last } of engine.stream(matrix(attributeSum()), { targets, sources }, { rows: 3 }))
    blocks.push(last - first)
  expect(blocks).toEqual([2, 2, 2, 1])
})
