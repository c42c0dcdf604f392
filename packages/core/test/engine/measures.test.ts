// Histograms of pairs and weighted means: the input that they refuse, and the numbers that they take.

import { expect, it } from 'vitest'
import { radialDistribution } from '../../src/engine/measures/radial-distribution.ts'
import { weightedMean } from '../../src/engine/measures/weighted-mean.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const points = { position: [0, 0, 0, 1, 0, 0] }
const boundary = periodic([4, 6, 8])

it.each<[name: string, options: object, message: string]>([
  ['no bins', { boundary }, '"bins" expected integer, got undefined'],
  [
    'a range beyond half the box',
    { bins: 4, boundary, farthest: 3 },
    '"farthest" expected at most 2, half the shortest',
  ],
  ['no range', { bins: 4 }, '"farthest" expected'],
  ['no volume', { bins: 4, farthest: 1 }, '"volume" expected a number, because there is no periodic box'],
  [
    'a slab without a volume',
    { bins: 4, boundary: periodic([4, 6, Infinity]) },
    '"volume" expected a number, because the box has an axis that does not repeat',
  ],
  ['a volume of 0', { bins: 4, farthest: 1, volume: 0 }, '"volume" expected finite number > 0, got 0'],
  ['a misspelt option', { bins: 4, boundary, radius: 1 }, '"radius" is not an option of radialDistribution'],
])('a radial distribution refuses %s', async (_, options, message) => {
  await using engine = await referenceEngine()
  await expect(radialDistribution(engine, points, options as never)).rejects.toThrow(message)
})

it('a radial distribution of no point and of one has no pairs', async () => {
  await using engine = await referenceEngine()
  for (const position of [[], [1, 2, 3]]) {
    const { count, g } = await radialDistribution(engine, { position }, { bins: 2, boundary })
    expect([[...count], [...g]]).toEqual([
      [0, 0],
      [0, 0],
    ])
  }
})

it('a radial distribution repeats a slab along its finite axes alone', async () => {
  await using engine = await referenceEngine()
  const lengths = [Infinity, 3, 4]
  const position = Float64Array.from({ length: 300 }, (_, n) => 9 * Math.abs(Math.sin(n * 12.9898)) - 4)
  const options = { bins: 5, boundary: periodic(lengths), volume: 100 }
  const { count } = await radialDistribution(engine, { position }, options)
  const expected = new Array(5).fill(0)
  for (let i = 0; i < 300; i += 3)
    for (let j = 0; j < i; j += 3) {
      const d = lengths.map((length, axis) => {
        const along = (position[i + axis] as number) - (position[j + axis] as number)
        return length === Infinity ? along : along - length * Math.round(along / length)
      })
      const bin = Math.floor(Math.hypot(...d) / 0.3)
      if (bin < 5) expected[bin]++
    }
  expect([...count]).toEqual(expected)
  expect(Math.min(...count)).toBeGreaterThan(0)
})

it.each<[name: string, options: object, message: string]>([
  ['no score', { value: '1' }, '"score" expected one expression, got undefined'],
  ['no value', { score: '-r2' }, '"value" expected an expression, or several by name, got undefined'],
  ['a value that reads an unknown name', { score: '-r2', value: 'height' }, 'unknown name "height"'],
  ['an attribute that is missing', { score: '-r2', value: 'height_j' }, '"height" expected'],
])('a weighted mean refuses %s', async (_, options, message) => {
  await using engine = await referenceEngine()
  await expect(weightedMean(engine, options as never, points)).rejects.toThrow(message)
})

it('both take the numbers when they are called', async () => {
  await using engine = await referenceEngine()
  const fresh = () => ({ position: [0, 0, 0, 1, 0, 0, 0, 1.7, 0], height: [1, 2, 4] })
  const measures = [
    async (given: ReturnType<typeof fresh>) => [
      ...(await radialDistribution(engine, given, { bins: 8, boundary })).count,
    ],
    async (given: ReturnType<typeof fresh>) => [
      ...(await weightedMean(engine, { score: '-r2', value: 'height_j' }, given)).value,
    ],
  ]
  for (const measure of measures) {
    const expected = await measure(fresh())
    const given = fresh()
    const measured = measure(given)
    given.position.fill(0.5, 3)
    given.height.fill(9)
    expect(await measured).toEqual(expected)
  }
})

it('a weighted mean of vectors is that of each component', async () => {
  await using engine = await referenceEngine()
  const points = {
    targets: { q: [0, 1, 2, 0, 1, 1], count: 3 },
    sources: { k: [1, 0, 0, 1], v: [1, 2, 3, 4, -1, 0, 5, 2], count: 2 },
  }
  const { value } = await weightedMean(engine, { score: 'dot(q_i, k_j)', value: 'vector(v_j)' }, points)
  const expected = [0, 1, 2].flatMap((i) => {
    const [a, b] = [points.targets.q[2 * i], points.targets.q[2 * i + 1]].map((score) => Math.exp(score ?? 0)) as [
      number,
      number,
    ]
    return [0, 1, 2, 3].map((c) => (a * (points.sources.v[c] ?? 0) + b * (points.sources.v[4 + c] ?? 0)) / (a + b))
  })
  expect([...value]).toEqual(expected.map((x) => expect.closeTo(x, 6)))
})

it.each<
  [name: string, score: string, value: string, parameters: object, mean: (v: readonly [number, number]) => number[]]
>([
  ['no vector', '-r2/2', 'vector(v_j)', {}, ([x, y]) => [x, y]],
  ['the vector of the value', 'norm(v_j)', 'vector(v_j)', {}, ([x, y]) => [x, y]],
  ['no vector, and the value a number', '-r2/2', 'norm(v_j)', {}, (v) => [Math.hypot(...v)]],
  ['no parameter of the value', '-r2/2', 'vector(g*v_j)', { g: [2, 3] }, ([x, y]) => [2 * x, 3 * y]],
])('a weighted mean takes a score that reads %s', async (_, score, value, parameters, mean) => {
  await using engine = await referenceEngine()
  const [v, position] = [
    [1, 2, 0, 3],
    [0, 0, 0, 1, 0, 0],
  ]
  const each = [mean([0, 3]), mean([1, 2])]
  const close = (all: readonly number[]) => all.map((x) => expect.closeTo(x, 6))
  const options = { score, value, parameters: { ...parameters } }
  const one = await weightedMean(engine, options, { position, v, count: 2 })
  expect([...one.value]).toEqual(close(each.flat()))
  const two = await weightedMean(engine, options, {
    targets: { position: [5, 5, 5], count: 1 },
    sources: { position: position.slice(3), v: [0, 3], count: 1 },
  })
  expect([...two.value]).toEqual(close(each[0] as number[]))
})

it('a weighted mean leaves all names to the caller', async () => {
  await using engine = await referenceEngine()
  const given = { position: [0, 0, 0, 1, 0, 0], totalWeight: [1, 2], weight: [3, 5], totalWeight2: [0, 0] }
  const score = '-score*totalWeight_j; score = 1'
  const { value } = await weightedMean(engine, { score, value: 'worth*weight_j; worth = 2' }, given)
  expect([...value]).toEqual([10, 6])
})

it('a weighted mean has one vector', async () => {
  await using engine = await referenceEngine()
  const value = { a: 'vector(v_j)', b: '1' }
  await expect(weightedMean(engine, { score: 'norm(v_j)', value }, { v: [1, 2], count: 1 })).rejects.toThrow(
    'expected one expression, because vector(...) has all components',
  )
})
