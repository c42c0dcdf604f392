// Laws of vectors: their text, the arrays that say how long vectors are, and clear errors for lengths that do not fit.

import {
  type Attributes,
  countWithin,
  createEngine,
  type EngineRunOptions,
  forces,
  type Interaction,
  map,
  matrix,
  nearest,
  pairForce,
  pairPotential,
  pairTerm,
  potentials,
  reduce,
  reference,
  sum,
  tree,
  type Workload,
} from '@manybody/core'
import { describe, expect, test } from 'vitest'
import { workloadOf } from '../../src/problem/workloads/from-data.ts'

const engine = await createEngine({ backends: [reference()], precision: 'f64' })
const term = (text: string, parameters: Readonly<Record<string, number>> = {}): Interaction =>
  pairTerm(text, { parameters })()
const vectorTerm = (text: string, w: readonly number[] = [1, 2]): unknown => pairTerm(text, { parameters: { w } })
const messageOf = async (run: () => Promise<unknown>): Promise<string> =>
  run().then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  )

describe('a law of vectors', () => {
  const a = [1, 2, 3, 4, 5, 6]
  const b = [1, 0, 2, 0, 1, -1]

  test.each([
    ['dot(a_i, b_j)', [7, -1, 16, -1]],
    ['sqdist(a_i, b_j)', [5, 18, 50, 81]],
    ['norm(a_i) + norm(b_j)^2', [Math.sqrt(14) + 5, Math.sqrt(14) + 2, Math.sqrt(77) + 5, Math.sqrt(77) + 2]],
    ['sum(a_i)', [6, 6, 15, 15]],
    ['sum(2*abs(a_i - b_j) + 1)', [9, 15, 27, 33]],
    ['dot(d, d) + c; d = a_i - b_j; c = dot(a_i, a_i)', [19, 32, 127, 158]],
    ['sum(select(a_i < b_j, 1, 0))', [0, 0, 0, 0]],
  ])('%s adds up components', async (text, expected) => {
    const { value } = await engine.run(matrix(term(text)), { targets: { a, count: 2 }, sources: { b, count: 2 } })
    for (const [n, x] of expected.entries()) expect(value[n]).toBeCloseTo(x, 12)
  })

  test('takes the number of points from attributes that are numbers', async () => {
    const { value } = await engine.run(sum(term('w_j*dot(a_i, b_j)')), {
      targets: { a: [1, 2, 3, 4] },
      sources: { b: [1, 1, 2, 0, 0, 1], w: [1, 10, 100] },
    })
    expect([...value]).toEqual([3 + 20 + 200, 7 + 60 + 400])
  })

  test('takes no notice of arrays that it does not read', async () => {
    const { value } = await engine.run(sum(term('sqdist(x_i, x_j)')), { x: [0, 3], position: [1, 2, 3], count: 2 })
    expect([...value]).toEqual([9, 9])
  })

  test('takes the number of points from positions that it does not read', async () => {
    const { value } = await engine.run(sum(term('sqdist(x_i, x_j)')), {
      x: [0, 1, 3, 1],
      position: [0, 0, 1, 1],
      dimension: 2,
    })
    expect([...value]).toEqual([9, 9])
  })

  test('runs as prepared, and reads parameters', async () => {
    const workload = sum(term('p*dot(a_i, a_j)', { p: 2 }))
    const prepared = await engine.prepare(workload, { count: 3, lengths: { a: 2 } })
    const { value } = await prepared.run({ a: [1, 0, 1, 1, 0, 1], count: 3 }, { parameters: { p: 3 } })
    expect([...value]).toEqual([3, 6, 3])
    prepared.dispose()
  })

  test('is the same with exchanged points, if its text is', () => {
    expect(term('dot(a_i, a_j)').symmetric).toBe(true)
    expect(term('dot(a_i, b_j)').symmetric).toBe(false)
  })

  test('is verified within its bound', async () => {
    const x = Float64Array.from({ length: 700 }, (_, n) => Math.sin(n))
    const workload = reduce('logsumexp', term('-sqdist(x_i, x_j)/p', { p: 0.5 }))
    const { ok, bound } = await engine.verify(workload, { x, count: 7 })
    expect(ok).toBe(true)
    expect(bound).toBeLessThan(1e-10)
  })
})

describe('a parameter that is a vector', () => {
  const law = pairTerm('dot(w, x_j) + sum(w*abs(x_i - x_j))', { parameters: { w: [1, 2] } })
  const x = [1, 0, 0, 1]
  const valuesOf = async (workload: Workload, parameters?: object, particles: object = { x, count: 2 }) => {
    const { value } = await engine.run(workload as typeof dot, particles as Attributes, {
      parameters: parameters as EngineRunOptions['parameters'],
    })
    return [...value]
  }

  test('has other numbers in each run, and of each call of its law', async () => {
    expect(await valuesOf(sum(law()))).toEqual([5, 4])
    expect(await valuesOf(sum(law()), { w: [0, 1] })).toEqual([2, 1])
    expect(await valuesOf(sum(law({ w: Float32Array.of(3, 0) })))).toEqual([3, 6])
    expect(await valuesOf(sum(law()))).toEqual([5, 4])
  })

  test('is copied from the caller', async () => {
    const w = [1, 1]
    const workload = sum(law({ w }))
    w[0] = 5
    expect(await valuesOf(workload)).toEqual([3, 3])
    const run = valuesOf(workload, { w })
    w[0] = 100
    expect(await run).toEqual([7, 11])
  })

  test('runs in a prepared program without compiling', async () => {
    const prepared = await engine.prepare(sum(law()), { count: 2, lengths: { x: 2 } })
    const { value } = await prepared.run({ x, count: 2 }, { parameters: { w: [0, 1] } })
    expect([...value]).toEqual([2, 1])
    prepared.dispose()
  })

  test('tells the number of points', async () => {
    expect(await valuesOf(sum(law()), {}, { x })).toEqual([5, 4])
  })

  test('is the same from data', async () => {
    const workload = sum(law({ w: [2, 1] }))
    expect(workloadOf(JSON.parse(JSON.stringify(workload)))).toEqual(workload)
    expect(await valuesOf(JSON.parse(JSON.stringify(workload)))).toEqual([4, 5])
  })

  test('joins the lengths of all vectors that it meets', async () => {
    const both = sum(pairTerm('dot(w, x_j) + dot(w, y_i)', { parameters: { w: [1, 2] } })())
    expect(await valuesOf(both, {}, { targets: { y: [1, 1] }, sources: { x } })).toEqual([9])
    await expect(valuesOf(both, {}, { targets: { y: [1, 1, 1] }, sources: { x, count: 2 } })).rejects.toThrow(
      '"targets.y" expected 2 numbers per point, as the vectors that it meets have, got length 3',
    )
  })

  test.each<[parameters: object, message: string]>([
    [{ w: [1, 2, 3] }, 'RangeError: "w" expected 2 numbers, as the vectors that it meets have, got 3'],
    [{ w: [] }, '"w" expected a list of numbers, at least one, got'],
    [{ w: 3 }, 'TypeError: "w" expected a list of numbers, at least one, got 3'],
    [{ w: [1, Number.NaN] }, 'RangeError: "w[1]" expected finite number, got NaN'],
    [{ w: [[1], [2]] }, 'TypeError: "w[0]" expected number, got Array'],
    [{ v: [1, 2] }, 'TypeError: "v" is not a parameter of this workload'],
  ])('%o is refused', async (parameters, message) => {
    expect(await messageOf(() => valuesOf(sum(law()), parameters))).toContain(message)
  })

  test('must be a number where a law reads one', async () => {
    const numbers = sum(term('p*dot(x_i, x_j)', { p: 2 }))
    expect(await messageOf(() => valuesOf(numbers, { p: [1, 2] }))).toContain('"p" expected number, got')
  })
})

describe('a term that is a vector', () => {
  const pull = sum(pairTerm('w_j*vector(x_j - x_i)')())
  const points = { x: [0, 0, 1, 2, 4, 8], w: [1, 10, 100] }
  const pulls = [10 + 400, 20 + 800, 300 - 1, 600 - 2, -4 - 30, -8 - 60]

  test('has as many components as its arrays say', async () => {
    expect([...(await engine.run(pull, points)).value]).toEqual(pulls)
    expect([...(await engine.run(pull, { ...points, x: [0, 1, 4] })).value]).toEqual([410, 299, -34])
  })

  test('goes into the array of the caller', async () => {
    const value = new Float64Array(6)
    const done = await engine.run(pull, points, { into: { value } })
    expect(done.value).toBe(value)
    expect([...value]).toEqual(pulls)
    expect(await messageOf(() => engine.run(pull, points, { into: { value: new Float64Array(3) } }))).toBe(
      'RangeError: "into.value" expected length 6, got 3',
    )
  })

  test('runs as prepared, and from data', async () => {
    const prepared = await engine.prepare(pull, { count: 3, lengths: { x: 2 } })
    expect([...(await prepared.run({ ...points, count: 3 })).value]).toEqual(pulls)
    await expect(prepared.run({ ...points, x: new Float64Array(9), count: 3 })).rejects.toThrow(
      '"particles" expected 3 targets and 3 sources in 3-D, 2 components of x, as prepared, got 3 targets and 3 sources in 3-D, 3 components of x',
    )
    prepared.dispose()
    const given = JSON.parse(JSON.stringify(pull)) as typeof pull
    expect(workloadOf(given)).toEqual(pull)
    expect([...(await engine.run(given, points)).value]).toEqual(pulls)
  })

  test('has one report, and tells its progress', async () => {
    const [count, length] = [3, 100]
    const x = Float64Array.from({ length: count * length }, (_, n) => n % 7)
    const fractions: number[] = []
    const { value, report } = await engine.run(
      sum(pairTerm('vector(x_j)')()),
      { x, count },
      { onProgress: (fraction) => fractions.push(fraction) },
    )
    expect([...value.subarray(0, length)]).toEqual(
      Array.from({ length }, (_, k) => (x[length + k] as number) + (x[2 * length + k] as number)),
    )
    expect(report.interactions).toBe(count * count)
    expect(fractions.at(-1)).toBe(1)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(new Set(fractions).size).toBeGreaterThan(3)
  })

  test('without targets is empty', async () => {
    const { value } = await engine.run(sum(pairTerm('vector(y_j)*w_i')()), {
      targets: { w: [] },
      sources: { y: [1], count: 1 },
    })
    expect([...value]).toEqual([])
  })

  test('has as many components as parameters that are vectors', async () => {
    const term = pairTerm('vector(g*x_j)', { parameters: { g: [1, 2] } })
    expect([...(await engine.run(sum(term()), { x: [1, 1, 5, 5] })).value]).toEqual([5, 10, 1, 2])
    expect(await messageOf(() => engine.run(sum(term({ g: [1, 2, 3] })), { x: [1, 1, 5, 5], count: 2 }))).toBe(
      'RangeError: "g" expected 2 numbers, as the vectors that it meets have, got 3',
    )
  })

  test('is not run by a device itself', async () => {
    const device = await reference().open({ precision: 'f64' })
    const shape = { dimension: 3, targets: 3, sources: 3, sameSet: true, vectors: [], lengths: { x: 2 } } as const
    const set = { count: 3, arrays: { x: Float64Array.from(points.x), w: Float64Array.from(points.w) } }
    const run = async () => (await device.prepare(pull, shape)).run({ targets: set, sources: set, parameters: {} })
    expect(await messageOf(run)).toContain('expected a term that is a number, got a vector')
    device.dispose()
  })
})

const refused = (law: () => unknown) => {
  try {
    law()
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

test.each<[law: () => unknown, message: string | RegExp]>([
  [() => pairTerm('dot(a_i)'), /expected 2 operands for dot, got 1/],
  [() => pairTerm('norm(a_i, b_j)'), /expected 1 operand for norm, got 2/],
  [() => pairTerm('sum((w_i - w_i)^2)'), /expected a vector .*, got an expression that is the same for any w_i/],
  [() => pairTerm('sum(2)'), /expected a vector such as x_i, got numbers alone/],
  [() => pairTerm('dot(a_i, r)'), /expected vectors, parameters and numbers .* write other numbers outside, got "r"/],
  [() => pairTerm('sum(a_i*norm(b_j))'), /write other numbers outside, got another function of vectors/],
  [() => pairTerm('dot(a_i, b_j)*a_i'), /"a" expected one use, as a vector .* or as a number, got both/],
  [() => pairTerm({ u: 'norm(a_i)', v: 'a_j' }), /"a" expected one use/],
  [
    () => potentials(pairPotential('dot(a_i, b_j)')(), { method: tree({ tolerance: 1e-3 }) }),
    /"method" expected a law of displacements/,
  ],
  [() => map({ x: 'dot(a, b)' }), /"dot" is a function of vectors/],
  [() => sum(term('dot(a_i, b_j)'), { method: tree({ tolerance: 1e-3 }) }), /"method" expected a law of displacements/],
  [
    () => vectorTerm('w*r'),
    /"w" expected one use, as a vector in dot, sqdist, norm, sum or vector, or as a number, got both/,
  ],
  [() => vectorTerm('w*dot(w, x_j)'), /"w" expected one use/],
  [() => vectorTerm('dot(w, x_j)*w_j'), /"w" expected one use/],
  [() => vectorTerm('dot(w, w_j)'), /"w" expected one use/],
  [() => vectorTerm('norm(w)'), /expected a vector such as x_i, got numbers alone/],
  [() => vectorTerm('dot(w, x_j)', []), /"w" expected a list of numbers, at least one, got/],
  [() => vectorTerm('dot(w, x_j)', [1, Number.POSITIVE_INFINITY]), /"w\[1\]" expected finite number, got Infinity/],
  [() => pairPotential('p*r', { parameters: { p: [1, 2] } }), /"p" expected one use, as a vector .*, or as a number/],
  [() => reduce('min', term('vector(x_j)')), /"min" expected a scalar term, .* which is a vector: use sum\(term\)/],
  [() => nearest(2, term('vector(x_i - x_j)')), /"nearest" expected a scalar term, .* which is a vector/],
  [() => countWithin(2, term('vector(x_i - x_j)')), /"countWithin" expected a scalar term, .* which is a vector/],
  [() => matrix(term('vector(x_j)')), /"matrix" expected a scalar term, .* which is a vector/],
  [
    () => pairTerm({ u: 'vector(x_j)', v: 'w_j' }),
    /expected one expression, because vector\(...\) has all components, got 2/,
  ],
  [() => pairTerm('vector(x_j)*x_i'), /"x" expected one use/],
  [() => pairTerm('dot(vector(x_i), y_j)'), /write other numbers outside, got another function of vectors/],
  [() => pairTerm('vector(p)', { parameters: { p: 1 } }), /expected a vector such as x_i, got numbers alone/],
  [() => sum(term('vector(x_j)'), { method: tree({ tolerance: 1e-3 }) }), /"method" expected a law of displacements/],
  [() => pairPotential('vector(x_j)'), /"vector" gives a term with a component for each of a vector/],
  [() => pairForce('sum(vector(x_j))'), /"vector" gives a term with a component for each of a vector/],
  [() => forces(term('dot(a_i, b_j)')), /"forces" expected an energy or a force/],
])('%s is refused', (law, message) => {
  expect(refused(law)).toMatch(message)
})

const dot = sum(term('dot(a_i, b_j)'))
const weighted = sum(term('w_j*dot(a_i, b_j)'))

test.each<[particles: Attributes | object, message: string]>([
  [
    { a: [1, 2], b: [3, 4] },
    'TypeError: "count" expected the number of points, because vectors alone do not tell it, got nothing; give { a, b, count: 100 }',
  ],
  [
    { a: [1, 2], count: 2 },
    'TypeError: "b" expected Float32Array, Float64Array or a list of numbers, as dot(a_i, b_j) reads it, got nothing; given: a',
  ],
  [
    { a: [1, 2, 3], b: [3, 4], count: 2 },
    'RangeError: "a" expected D numbers for each of 2 points, at least one, as dot(a_i, b_j) reads a vector, got length 3',
  ],
  [
    { a: [], b: [], count: 2 },
    'RangeError: "a" expected D numbers for each of 2 points, at least one, as dot(a_i, b_j) reads a vector, got length 0',
  ],
  [
    { a: [1, 2, 3, 4], b: [3, 4], count: 2 },
    'RangeError: "b" expected length 4, 2 for each of 2 points, as the vectors that it meets have, got length 2',
  ],
  [
    { a: [1, 2, Number.NaN, 4], b: [3, 4, 5, 6], count: 2 },
    'RangeError: "a" expected finite numbers, got NaN at index 2',
  ],
  [
    {
      a: [1, 2, 3, 4],
      b: [3, 4, 5, 6],
      position: [
        [0, 0, 0],
        [1, 1, 1],
      ],
    },
    'TypeError: "position" expected numbers, got Array at index 0; give position.flat()',
  ],
  [
    { a: [1, 2, 3, 4], b: [3, 4, 5, 6], position: 'abcdef' },
    'TypeError: "position" expected Float32Array, Float64Array or a list of numbers, got "abcdef"',
  ],
  [
    { a: [1, 2, 3, 4], b: [3, 4, 5, 6], position: [0, 0, 1, 1] },
    'RangeError: "position" expected 3 numbers per point, got length 4; for points in 2-D give dimension: 2',
  ],
  [{ a: [1, 2], b: [3, 4], count: 1.5 }, 'RangeError: "count" expected integer >= 0, got 1.5'],
])('%o is refused', async (particles, message) => {
  expect(await messageOf(() => engine.run(dot, particles as Attributes))).toBe(message)
})

test('two sets with unlike lengths are refused', async () => {
  const particles = { targets: { a: [1, 2, 3] }, sources: { b: [1, 2, 3, 4], w: [1, 1] } }
  expect(await messageOf(() => engine.run(weighted, particles))).toBe(
    'RangeError: "targets.a" expected 2 numbers per point, as the vectors that it meets have, got length 3',
  )
})

test('a prepared shape needs the lengths of its vectors', async () => {
  expect(await messageOf(() => engine.prepare(dot, { count: 2 }))).toMatch(
    /"lengths.a" expected integer, got undefined/,
  )
  expect(await messageOf(() => engine.prepare(dot, { count: 2, lengths: { a: 2, b: 3 } }))).toMatch(
    /"lengths.b" expected 2, as a has, got 3/,
  )
})

test('no points give no values', async () => {
  const { value } = await engine.run(weighted, { targets: { a: [] }, sources: { b: [1, 2], w: [1] } })
  expect([...value]).toEqual([])
})

test('the nearest by a term are those with the least terms, ties by index', async () => {
  const nearness = nearest(2, term('sqdist(x_i, y_j) - p', { p: 1 }))
  const { index, value } = await engine.run(nearness, {
    targets: { x: [0, 0, 5, 5], count: 2 },
    sources: { y: [3, 4, 0, 1, 0, -1], count: 3 },
  })
  expect([...index]).toEqual([1, 2, 0, 1])
  expect([...value]).toEqual([0, 0, 4, 40])
})

test('the terms up to a limit are counted, with those that equal it and without NaN', async () => {
  const within = countWithin(5, term('sqdist(x_i, y_j)*sqrt(w_j)'))
  const { count } = await engine.run(within, {
    targets: { x: [0, 0, 1, 2], count: 2 },
    sources: { y: [1, 2, 0, 1, 5, 5, 0, 0], w: [1, 25, 1, -1], count: 4 },
  })
  expect([...count]).toEqual([2, 1])
})

test.each([nearest(2, term('sqdist(x_i, y_j)')), countWithin(5, term('sqdist(x_i, y_j)'))])(
  'a workload with a term is the same from data: %#',
  (workload) => {
    expect(workloadOf(JSON.parse(JSON.stringify(workload)))).toEqual(workload)
  },
)

test.each<[make: () => unknown, message: RegExp]>([
  [() => countWithin(1, pairTerm({ a: 'dx', b: 'dy' })()), /"countWithin" expected a scalar term/],
  [() => countWithin('1' as never, term('dot(x_i, y_j)')), /"limit" expected number, got "1"/],
  [() => countWithin(1e39, term('dot(x_i, y_j)')), /"limit" expected a number that float32 holds, got 1e\+39/],
  [() => nearest(0, term('dot(x_i, y_j)')), /"k" expected integer >= 1, got 0/],
  [() => nearest(2, pairTerm({ a: 'dx', b: 'dy' })()), /"nearest" expected a scalar term/],
  [() => nearest(2, pairTerm('r') as never), /"term" expected an interaction.*got a law that was not called/],
  [() => nearest(2, term('r'), { shift: true } as never), /"shift" is not an option of nearest/],
])('%s is refused, too', (make, message) => {
  expect(refused(make)).toMatch(message)
})

test('more than all sources are refused', async () => {
  const given = { targets: { x: [0] }, sources: { y: [1, 2], w: [1, 1] } }
  const run = () => engine.run(nearest(3, term('w_j*sqdist(x_i, y_j)')), given)
  expect(await messageOf(run)).toBe('RangeError: "k" expected at most 2, the number of sources of a target, got 3')
})

test('results that are not finite are explained without distances', async () => {
  const { report } = await engine.run(sum(term('w_i*log(dot(x_i, x_j))')), { x: [1, -1], w: [1, 1] })
  expect(report.notes?.join()).toContain(
    'the law has no finite value for points 0 and 1: log(sum(x_i * x_j)) is NaN for an operand of -1',
  )
})

test('given ranges are the only sources that blocks meet', async () => {
  const ranges = { targets: [0, 1, 2], offsets: [0, 1, 2], sources: [0, 1, 1, 3] }
  const given = { targets: { x: [1, 2], count: 2 }, sources: { y: [1, 10, 100], count: 3 } }
  const { value } = await engine.run(sum(term('dot(x_i, y_j)')), given, { ranges })
  expect([...value]).toEqual([1, 220])
})
