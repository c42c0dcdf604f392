// Ranges of sources that a run gives to blocks of targets: the pairs that count, the errors for wrong ranges, and devices without ranges
// in their loops.

import { expect, it } from 'vitest'
import type { RunOptions } from '../../src/contract/backend.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { type BlockRanges, withRanges } from '../../src/methods/ranges/given-ranges.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairTerm } from '../../src/problem/interactions/define.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { bind } from '../../src/problem/workloads/bind-given.ts'
import { matrix, potentials, reduce, sum } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import { fakeBackend, proofRuns } from '../support/fake-backends.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const amount = pairTerm('amount_j', { name: 'amount' })()
const points = {
  position: Float64Array.from({ length: 15 }, (_, n) => n),
  amount: Float64Array.of(1, 10, 100, 1e3, 1e4),
}
const received = sum(amount, { self: 'include' })
/** Targets 0 and 1 meet sources 1, 3 and 4; target 2 meets none; targets 3 and 4 meet sources 0 to 2. */
const ranges = { targets: [0, 2, 3, 5], offsets: [0, 2, 2, 3], sources: Uint32Array.of(3, 5, 1, 2, 0, 3) }
const value = Float64Array.of(11_010, 11_010, 0, 111, 111)

it('targets meet only the sources in the ranges of their blocks', async () => {
  await using engine = await referenceEngine()
  const result = await engine.run(received, points, { ranges })
  expect(result.value).toEqual(value)
  expect(result.report).toMatchObject({ interactions: 25, evaluated: 12 })

  const program = await engine.prepare(received, { count: 5 })
  expect((await program.run(points, { ranges })).value).toEqual(value)
  expect((await program.run(points)).value).toEqual(Float64Array.of(11_111, 11_111, 11_111, 11_111, 11_111))

  const rows: number[] = []
  for await (const { value } of engine.stream(matrix(amount), points, { rows: 2, ranges })) rows.push(...value)
  expect(rows).toEqual([
    ...[0, 10, 0, 1e3, 1e4],
    ...[0, 0, 0, 1e3, 1e4],
    ...[0, 0, 0, 0, 0],
    ...[1, 10, 100, 0, 0],
    ...[1, 10, 100, 0, 0],
  ])
})

it('the order of ranges does not matter, and later changes of their arrays have no effect', async () => {
  await using engine = await referenceEngine()
  const extreme = reduce('argmin', pairTerm('1', { name: 'one' })(), { self: 'include' })
  const { index } = await engine.run(extreme, points, { ranges })
  expect([...index]).toEqual([1, 1, -1, 0, 0])
  const given = { ...ranges, targets: [...ranges.targets], sources: ranges.sources.slice() }
  const run = engine.run(received, points, { ranges: given })
  given.sources.fill(0)
  given.targets.fill(0)
  expect((await run).value).toEqual(value)
})

it('verify compares with the reference over the same ranges', async () => {
  await using engine = await referenceEngine()
  const { ok, sampled } = await engine.verify(received, points, { ranges })
  expect([ok, sampled]).toEqual([true, 5])

  // Another backend that meets all sources.
  const everything = fakeBackend('wrong', {
    distort: (results, { loop, ...workload }) =>
      loop === 'pair' && 'law' in workload && workload.law.name === 'amount'
        ? { value: new Float32Array(5).fill(11_111) }
        : results,
  })
  await using wrong = await createEngine({ backends: [everything] })
  expect((await wrong.verify(received, points)).ok).toBe(true)
  expect((await wrong.verify(received, points, { ranges })).ok).toBe(false)
})

it('a device whose loops read no ranges runs each of them by itself, and says so', async () => {
  const runs: (RunOptions | undefined)[] = []
  const backend = fakeBackend('plain', {
    unranged: 'its loops read none',
    beforeRun: (_, options) => void runs.push(options),
  })
  await using engine = await createEngine({ backends: [backend], precision: 'f64' })
  const progress: number[] = []
  const result = await engine.run(received, points, { ranges, onProgress: (done) => progress.push(done) })
  expect(result.value).toEqual(value)
  expect(result.report).toMatchObject({
    variant: 'plain, 4 runs: its loops read none',
    interactions: 25,
    evaluated: 12,
    accumulation: 'f64',
  })
  expect(progress).toEqual([0.25, 0.5, 0.75, 1])
  expect(runs.slice(proofRuns).map((run) => [run?.targets, run?.sources])).toEqual([
    [
      [0, 2],
      [1, 2],
    ],
    [
      [0, 2],
      [3, 5],
    ],
    [
      [2, 3],
      [0, 0],
    ],
    [
      [3, 5],
      [0, 3],
    ],
  ])
  expect((await engine.verify(received, points, { ranges })).ok).toBe(true)
  const none = { position: new Float64Array(0), amount: new Float64Array(0) }
  const nothing = await engine.run(received, none, { ranges: { targets: [0], offsets: [0], sources: [] } })
  expect(nothing.value).toEqual(new Float64Array(0))
})

it('sums that were rounded between ranges are reported as one chain', async () => {
  const backend = fakeBackend('plain', { unranged: 'its loops read none' })
  await using engine = await createEngine({ backends: [backend] })
  const { report } = await engine.run(received, points, { ranges })
  expect(report.accumulation).toBe('running')
})

it('ranges are kept in order, without empty blocks or ranges, and joined where they touch', () => {
  const given = {
    targets: [0, 0, 2, 2, 5],
    offsets: [0, 1, 5, 5, 6],
    sources: [0, 5, 4, 5, 1, 2, 3, 3, 2, 4, 2, 2],
  }
  const { shape, bindings } = withRanges(bind(received, points), given)
  expect(shape.ranged).toBe(true)
  expect(bindings.ranges).toEqual({
    targets: Uint32Array.of(0, 2, 5),
    offsets: Uint32Array.of(0, 1, 1),
    sources: Uint32Array.of(1, 5),
  })
})

const wrong: readonly (readonly [string, unknown, Error])[] = [
  ['no object', 3, new TypeError('"names of ranges" expected an object with targets, offsets, sources, got 3')],
  [
    'another name',
    { ...ranges, slices: [] },
    new TypeError('"slices" is not a name of ranges; expected targets, offsets, sources'),
  ],
  [
    'text',
    { ...ranges, targets: 'all' },
    new TypeError('"ranges.targets" expected a list of integers or a Uint32Array, got "all"'),
  ],
  ['no targets', { ...ranges, targets: [] }, new RangeError('"ranges.targets" expected at least one number, got none')],
  [
    'a first target that is not 0',
    { ...ranges, targets: [1, 2, 3, 5] },
    new RangeError('"ranges.targets[0]" expected an integer 0, got 1'),
  ],
  [
    'falling targets',
    { ...ranges, targets: [0, 3, 2, 5] },
    new RangeError('"ranges.targets[2]" expected an integer from 3 to 5, got 2'),
  ],
  [
    'too few targets',
    { ...ranges, targets: [0, 2, 3, 4] },
    new RangeError('"ranges.targets" expected 5, the number of targets, as its last number, got 4'),
  ],
  [
    'half a target',
    { ...ranges, targets: [0, 2.5, 3, 5] },
    new RangeError('"ranges.targets[1]" expected an integer from 0 to 5, got 2.5'),
  ],
  [
    'text in a list',
    { ...ranges, targets: [0, '2', 3, 5] },
    new TypeError('"ranges.targets[1]" expected an integer from 0 to 5, got "2"'),
  ],
  [
    'too few offsets',
    { ...ranges, offsets: [0, 3] },
    new RangeError('"ranges.offsets" expected length 4, that of "ranges.targets", got 2'),
  ],
  [
    'offsets that leave a range out',
    { ...ranges, offsets: [0, 2, 2, 2] },
    new RangeError('"ranges.offsets" expected 3, the number of ranges, as its last number, got 2'),
  ],
  [
    'half a range',
    { ...ranges, sources: [3, 5, 1, 2, 0] },
    new RangeError('"ranges.sources" expected pairs of first and last, got 5 numbers'),
  ],
  [
    'a source that does not exist',
    { ...ranges, sources: [3, 6, 1, 2, 0, 3] },
    new RangeError('"ranges.sources[1]" expected an integer from 3 to 5, got 6'),
  ],
  [
    'a range that ends before it begins',
    { ...ranges, sources: [3, 5, 2, 1, 0, 3] },
    new RangeError('"ranges.sources[3]" expected an integer from 2 to 5, got 1'),
  ],
  [
    'ranges that overlap',
    { ...ranges, sources: [3, 5, 1, 4, 0, 3] },
    new RangeError(
      '"ranges.sources" expected ranges that do not overlap within a block, got 1 to 4 and 3 to 5 in block 0',
    ),
  ],
]

it.each(wrong)('%s is rejected', async (_, given, error) => {
  await using engine = await referenceEngine()
  await expect(engine.run(received, points, { ranges: given as BlockRanges })).rejects.toThrow(error)
})

it('a workload without pairs has no ranges', async () => {
  await using engine = await referenceEngine()
  await expect(engine.run(map({ amount: '2*amount' }), { amount: points.amount }, { ranges } as never)).rejects.toThrow(
    new TypeError('"ranges" expected none, because only loops over pairs have ranges, got some'),
  )
})

it('a sum with a tolerance has no ranges', async () => {
  await using engine = await referenceEngine()
  const charged = { ...points, charge: points.amount }
  const approximate = potentials(coulomb(), { method: tree({ tolerance: 1e-3 }) })
  await expect(engine.run(approximate, charged, { ranges })).rejects.toThrow(
    new TypeError('"ranges" expected none with a tolerance, because a tree approximates all sources, got some'),
  )
})
