// Tables of laws: their text, their numbers, their effect on the symmetry of a law, and every mistake.

import { describe, expect, it, vi } from 'vitest'
import { sumOf } from '../../src/problem/interactions/composed/sum-of.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { interactionOf } from '../../src/problem/interactions/from-data.ts'
import { mixedTable } from '../../src/problem/interactions/tables/mixed-table.ts'
import { tree } from '../../src/problem/reductions/tree.ts'
import { forces, sum } from '../../src/problem/workloads/pair.ts'
import { blocksOf, joinedTables, tableParameters, tablesLength } from '../../src/problem/workloads/tables/layout.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const symmetric = [
  [1, 0.5],
  [0.5, 2],
]
const lopsided = [
  [1, 0.5],
  [0.4, 2],
]
const text = 'epsilon[kind_i, kind_j]*r2'

describe('the numbers of tables', () => {
  it('decide whether a law is symmetric', () => {
    const law = (epsilon: readonly (readonly number[])[]) => pairPotential(text, { tables: { epsilon } })()
    expect(law(symmetric).symmetric).toBe(true)
    expect(law(lopsided).symmetric).toBe(false)
    expect(pairTerm('e[kind_i, kind_j] + e[kind_j, kind_i]', { tables: { e: lopsided } })().symmetric).toBe(true)
    expect(pairTerm('e[kind_j, kind_i]', { tables: { e: symmetric } })().symmetric).toBe(true)
    expect(pairTerm('e[kind_i]*e[kind_j]', { tables: { e: [1, 2] } })().symmetric).toBe(true)
    expect(pairTerm('e[kind_i, colour_j]', { tables: { e: symmetric } })().symmetric).toBe(false)
  })

  it('are copied, and survive JSON', () => {
    const given = symmetric.map((row) => Float64Array.from(row))
    const law = pairPotential(text, { tables: { epsilon: given } })()
    given[0]?.fill(7)
    expect(law.tables).toEqual({ epsilon: symmetric })
    expect(interactionOf(JSON.parse(JSON.stringify(law)))).toEqual(law)
  })

  it('lie side by side for tables of one shape, and rows of one column are together', () => {
    const tables = {
      a: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      list: [7, 8],
      b: [
        [10, 20, 30],
        [40, 50, 60],
      ],
    }
    expect(blocksOf(tables).map(({ names, start }) => ({ names, start }))).toEqual([
      { names: ['a', 'b'], start: 0 },
      { names: ['list'], start: 12 },
    ])
    expect([...joinedTables(tables)]).toEqual([1, 10, 4, 40, 2, 20, 5, 50, 3, 30, 6, 60, 7, 8])
    const parameters = tableParameters(tables)
    expect(parameters).toMatchObject({ 'tables.0.columnStride': 4, 'tables.1.start': 12 })
    expect(tablesLength(tables, parameters)).toBe(14)
    const others = { ...tables, list: [1, 2, 3, 4, 5] }
    expect(tablesLength(tables, tableParameters(others))).toBe(17)
    for (const wrong of [
      { 'tables.0.lastRow': 2 },
      { 'tables.0.lastColumn': 3 },
      { 'tables.1.start': 0 },
      { 'tables.1.lastRow': -1, 'tables.1.columnStride': 0 },
      { 'tables.1.lastRow': 0.5, 'tables.1.columnStride': 1.5 },
      { 'tables.0.columnStride': Number.NaN },
    ])
      expect(tablesLength(tables, { ...parameters, ...wrong })).toBeUndefined()
    expect(tablesLength(tables, {})).toBeUndefined()
  })

  it('keep their names apart in a sum of laws', async () => {
    const law = (epsilon: readonly (readonly number[])[], more = {}) =>
      pairTerm('epsilon[kind_i, kind_j]', { tables: { epsilon, ...more } })()
    const both = sumOf(law(symmetric), law(lopsided, { epsilon2: [1] }))
    expect(Object.keys(both.tables ?? {})).toEqual(['epsilon', 'epsilon3', 'epsilon2'])
    const engine = await referenceEngine()
    const { value } = await engine.run(sum(both), { position: [0, 0, 0, 1, 0, 0], kind: [0, 1] })
    expect([...value]).toEqual([1, 0.9])
    engine.dispose()
  })
})

describe('a run', () => {
  const position = [0, 0, 0, 1, 0, 0]
  const workload = sum(
    pairTerm('a[kind_i, kind_j] + b[kind_i, kind_j]', { name: 'two', tables: { a: symmetric, b: lopsided } })(),
  )

  it('may bring other numbers, and more kinds', async () => {
    const engine = await referenceEngine()
    const run = async (tables?: object, kind = [0, 1]) => [
      ...(await engine.run(workload, { position, kind }, tables && { tables: tables as never })).value,
    ]
    expect(await run()).toEqual([1, 0.9])
    expect(
      await run({
        b: [
          [0, 1],
          [2, 3],
        ],
      }),
    ).toEqual([1.5, 2.5])
    const three = [
      [0, 1, 2],
      [1, 0, 3],
      [2, 3, 0],
    ]
    expect(await run({ a: three, b: three }, [1, 2])).toEqual([6, 6])
    expect(await run()).toEqual([1, 0.9])
    engine.dispose()
  })

  it('and all other numbers of a call are copied before the code for them loads', async () => {
    vi.resetModules()
    const [{ referenceEngine }, { pairTerm }, { sum }] = await Promise.all([
      import('../support/reference-engine.ts'),
      import('../../src/problem/interactions/define.ts'),
      import('../../src/problem/workloads/pair.ts'),
    ])
    const workload = sum(pairTerm('a[kind_i, kind_j]', { tables: { a: symmetric } })())
    const engine = await referenceEngine()
    const points = { position: Float32Array.of(0, 0, 0, 1, 0, 0), kind: Float32Array.of(0, 1) }
    const own = { a: [Float64Array.of(3, 5), Float64Array.of(5, 7)] }
    // The first call loads the code, the second one has it.
    for (const _ of ['first', 'second']) {
      const given = structuredClone(points)
      const tables = structuredClone(own)
      const run = engine.run(workload, given, { tables })
      given.position.fill(9)
      given.kind.fill(0)
      tables.a[0]?.fill(9)
      expect([...(await run).value]).toEqual([5, 5])
    }
    engine.dispose()
  })

  it('reads points by the same rules whether or not the code for them has loaded', async () => {
    class Points {
      readonly #position = Float32Array.of(0, 0, 0, 1, 0, 0)
      readonly kind = Float32Array.of(0, 1)
      get position() {
        return this.#position
      }
    }
    const [position, kind] = [new Float32Array(6), Float32Array.of(0, 1)]
    const own = { a: symmetric }
    const cases: readonly [points: unknown, tables: unknown, outcome: unknown][] = [
      [new Points(), own, Float64Array.of(0.5, 0.5)],
      [new Points(), { c: symmetric }, 'TypeError: "c" is not a table'],
      [{ position, kind: Float32Array.of(0) }, { c: symmetric }, 'RangeError: "kind" expected length 2'],
      [{ position, kind: Float32Array.of(0, 2) }, own, 'RangeError: "kind" expected whole numbers from 0 to 1'],
      [{ position, kind: new Set([0, 1]) }, own, 'TypeError: "kind" expected'],
      [{ position: 'none', kind }, own, 'TypeError: "position" expected'],
    ]
    for (const [given, tables, outcome] of cases) {
      vi.resetModules()
      const [{ referenceEngine }, { pairTerm }, { sum }] = await Promise.all([
        import('../support/reference-engine.ts'),
        import('../../src/problem/interactions/define.ts'),
        import('../../src/problem/workloads/pair.ts'),
      ])
      const workload = sum(pairTerm('a[kind_i, kind_j]', { tables: { a: [[0]] } })())
      const engine = await referenceEngine()
      // The first call loads the code, the second one has it.
      for (const _ of ['first', 'second']) {
        const run = engine.run(workload, given as { position: Float32Array }, { tables: tables as never })
        const found = await run.then(
          ({ value }) => value,
          (error: unknown) => String(error),
        )
        expect(found).toEqual(typeof outcome === 'string' ? expect.stringContaining(outcome) : outcome)
      }
      engine.dispose()
    }
  })

  it.each<[name: string, tables: unknown, error: Error]>([
    ['an unknown table', { c: symmetric }, new TypeError('"c" is not a table of two; expected a, b')],
    [
      'a list for rows',
      { a: [1, 2] },
      new RangeError('"tables.a" expected a row for each kind, as in the law, got numbers'),
    ],
    [
      'one that is not symmetric',
      { a: lopsided },
      new RangeError(
        '"tables.a" expected a symmetric table, because that of the law is symmetric and each pair may be computed once, got another; define the law with a table that is not symmetric',
      ),
    ],
    [
      'another shape for one of two',
      { a: [[1]] },
      new RangeError(
        '"tables.b" expected 1 x 1 numbers, as "a" has, because both have one shape in the law, got 2 x 2; give both',
      ),
    ],
    [
      'no numbers',
      { a: [] },
      new RangeError(
        '"tables.a" expected a number for each kind, [1, 2], or a row for each kind, [[1, 0.5], [0.5, 2]], got an empty table',
      ),
    ],
  ])('refuses %s', async (_, tables, error) => {
    const engine = await referenceEngine()
    await expect(engine.run(workload, { position, kind: [0, 1] }, { tables: tables as never })).rejects.toThrow(error)
    engine.dispose()
  })

  it.each([
    [[0, 2], 'from 0 to 1, because a has 2 rows, got 2 at index 1'],
    [[0, -1], 'from 0 to 1, because a has 2 rows, got -1 at index 1'],
    [[0.5, 1], 'from 0 to 1, because a has 2 rows, got 0.5 at index 0'],
    [[0, 1e6], 'from 0 to 1, because a has 2 rows, got 1000000 at index 1'],
  ])('refuses kinds %j', async (kind, message) => {
    const engine = await referenceEngine()
    await expect(engine.run(workload, { position, kind })).rejects.toThrow(`"kind" expected whole numbers ${message}`)
    const sets = { targets: { position, kind: [0, 0] }, sources: { position, kind } }
    await expect(engine.run(workload, sets)).rejects.toThrow('"sources.kind" expected whole numbers from 0 to 1')
    engine.dispose()
  })

  it('refuses kinds that are not numbers, and tables of other loops', async () => {
    const engine = await referenceEngine()
    await expect(engine.run(workload, { position, kind: [0, NaN] })).rejects.toThrow(
      '"kind" expected finite numbers, got NaN at index 1',
    )
    await expect(engine.run(workload, { position })).rejects.toThrow('"kind" expected Float32Array')
    engine.dispose()
  })
})

it('checks an attribute for the table with the fewest kinds, and numbers in between', async () => {
  const law = pairTerm('a[kind_i]*b[kind_i]*c[kind_j]', { tables: { a: [1, 2, 3], b: [1, 2], c: [1, 2, 3, 4] } })
  const engine = await referenceEngine()
  const run = (...kind: number[]) => engine.run(sum(law()), { position: [0, 0, 0, 1, 0, 0], kind })
  await expect(run(0, 2)).rejects.toThrow(
    '"kind" expected whole numbers from 0 to 1, because b has 2 numbers, got 2 at index 1',
  )
  await expect(run(3, 0)).rejects.toThrow(
    '"kind" expected whole numbers from 0 to 2, because a has 3 numbers, got 3 at index 0',
  )
  for (const odd of [-1, 0.5, 1e6])
    await expect(run(0, odd)).rejects.toThrow(
      `"kind" expected whole numbers from 0 to 2, because a has 3 numbers, got ${odd} at index 1`,
    )
  await expect(run(0, 1)).resolves.toBeDefined()
})

describe('mistakes in a law', () => {
  const of = (source: string, tables: unknown = { epsilon: symmetric, list: [1, 2] }) =>
    pairTerm(source, { parameters: { k: 1 }, tables: tables as never })

  it.each([
    ['epsilon[kind_i', 'expected "]", as in epsilon[kind_i, kind_j], got end of text'],
    ['epsilon[', 'expected an attribute as an index, as in epsilon[kind_i, kind_j], got end of text'],
    ['epsilon', 'expected "[", because a table needs indices: epsilon[kind_i, kind_j], got end of text'],
    [
      'epsilon(kind_i, kind_j)',
      'expected "[", because a table needs indices: epsilon[kind_i, kind_j], got "(" (line 1, column 8)',
    ],
    ['epsilon[kind_i]', 'expected 2 indices, as in epsilon[kind_i, kind_j], got 1'],
    ['list[kind_i, kind_j]', 'expected 1 index, as in list[kind_i], got 2'],
    ['epsilon[0, 1]', 'expected an attribute as an index, as in epsilon[kind_i, kind_j], got "0"'],
    ['epsilon[kind, kind_j]', 'expected an attribute as an index, as in epsilon[kind_i, kind_j], got "kind"'],
    ['epsilon[kind_i + 1, kind_j]', 'expected "]", as in epsilon[kind_i, kind_j], got "+"'],
    ['sigma[kind_i, kind_j]', '"sigma" is not a table, and only tables have indices; tables: epsilon, list'],
    ['k[kind_i]', '"k" is not a table, and only tables have indices; tables: epsilon, list'],
    ['1; epsilon = 2', 'expected a new name, as "epsilon" is already defined, got "epsilon"'],
  ])('%s', (source, message) => {
    expect(() => of(source)).toThrow(message)
  })

  it.each<[name: string, tables: unknown, message: string]>([
    ['no tables', 7, '"tables" expected tables by name, { epsilon: [[1, 0.5], [0.5, 2]] }, got 7'],
    ['a number', { epsilon: 1 }, '"tables.epsilon" expected a number for each kind, [1, 2], or a row for each kind'],
    ['no rows', { epsilon: [] }, 'got an empty table'],
    ['empty rows', { epsilon: [[], []] }, '"tables.epsilon[0]" expected a number for each kind, got an empty row'],
    ['ragged rows', { epsilon: [[1, 2], [3]] }, '"tables.epsilon[1]" expected 2 numbers, as in row 0, got 1'],
    ['a number among rows', { epsilon: [[1], 2] }, '"tables.epsilon[1]" expected a row of numbers, got 2'],
    ['NaN', { epsilon: [[1, NaN]] }, '"tables.epsilon[0][1]" expected finite number, got NaN'],
    ['infinity', { epsilon: [Infinity] }, 'got Infinity; to leave out pairs, use exclusions'],
    ['text', { epsilon: ['1'] }, '"tables.epsilon[0]" expected number, got "1"'],
    ['the name of a parameter', { k: [1] }, '"tables" expected names other than'],
    ['the name of an attribute', { mass_i: [1] }, '"tables" expected names that do not end in _i or _j'],
    ['too many numbers', { epsilon: Array(3000).fill(new Float32Array(3000)) }, 'at most 4194304 numbers, got 9000000'],
  ])('%s', (_, tables, message) => {
    expect(() => of('1', tables)).toThrow(message)
  })

  it('are those of a tree, which adds up sources of all kinds', async () => {
    const law = pairPotential('-e[kind_i, kind_j]/sqrt(r2 + 1)', { tables: { e: symmetric } })()
    const engine = await referenceEngine()
    const run = engine.run(forces(law, { method: tree({ tolerance: 1e-3 }) }), { position: [0, 0, 0], kind: [0] })
    await expect(run).rejects.toThrow(
      'a tree adds up sources before it meets a target, and e needs the kinds of both points',
    )
    engine.dispose()
  })

  it('are refused where there are no tables', () => {
    expect(() => pairForce('charge[kind_i]')).toThrow(
      '"charge" is not a table, and only tables have indices; tables: none',
    )
  })
})

describe('a mixed table', () => {
  it('follows its rule, except for listed pairs', () => {
    expect(mixedTable([1, 4], 'geometric')).toEqual([
      [1, 2],
      [2, 4],
    ])
    expect(mixedTable([1, 0.88], 'arithmetic', [[0, 1, 0.8]])).toEqual([
      [1, 0.8],
      [0.8, 0.88],
    ])
    expect(
      mixedTable(Float32Array.of(1, 2, 3), (a, b) => a * b, [
        [2, 0, 9],
        [1, 1, 5],
      ]),
    ).toEqual([
      [1, 2, 9],
      [2, 5, 6],
      [9, 6, 3],
    ])
  })

  it('asks a rule once for each pair, the lower kind first', () => {
    const asked: number[][] = []
    mixedTable([1, 2, 3], (...pair) => asked.push(pair))
    expect(new Set(asked.map(([, , a, b]) => (a as number) < (b as number)))).toEqual(new Set([true]))
  })

  it.each<[name: string, make: () => unknown, message: string]>([
    ['no kinds', () => mixedTable([], 'geometric'), '"numbers" expected a number for each kind'],
    ['NaN', () => mixedTable([1, NaN], 'geometric'), '"numbers[1]" expected finite number, got NaN'],
    ['an unknown rule', () => mixedTable([1], 'harmonic' as never), '"mixing" expected "arithmetic" or "geometric"'],
    [
      'a root of a negative number',
      () => mixedTable([-1, 1], 'geometric'),
      'got NaN for kinds 0 and 1, which have -1 and 1',
    ],
    [
      'an unknown kind',
      () => mixedTable([1], 'geometric', [[0, 1, 2]]),
      '"exceptions[0][1]" expected a kind from 0 to 0, got 1',
    ],
    [
      'a missing number',
      () => mixedTable([1], 'geometric', [[0, 0]] as never),
      '"exceptions[0]" expected two kinds and a number',
    ],
    [
      'two numbers for a pair',
      () =>
        mixedTable([1, 1], 'geometric', [
          [0, 1, 2],
          [1, 0, 3],
        ]),
      '"exceptions[1]" expected 2, which another exception gives kinds 0 and 1, got 3',
    ],
  ])('refuses %s', (_, make, message) => {
    expect(make).toThrow(message)
  })
})
