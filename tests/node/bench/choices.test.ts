// How choices are timed and judged: by the two loops in the same rounds, apart from the cost of the choice itself.

import type { Backend, Bindings } from 'manybody'
import { expect, test } from 'vitest'
import { choicesOf } from '../../../bench/figures/record-blocks.ts'
import { Devices } from '../../../bench/src/contenders/backend.ts'
import { choiceContenders, ways } from '../../../bench/src/contenders/choices.ts'
import { problemOf } from '../../../bench/src/problem.ts'
import type { Row } from '../../../bench/src/record.ts'
import { choicesIn } from '../../../bench/src/report/choices.ts'
import { printed } from '../../../bench/src/report/print.ts'
import { compared, timesOf } from '../../../bench/src/timing/times.ts'
import { measuredRow, sampleOf } from '../../support/sample-records.ts'

/** Rows of one problem: the times of each alternative, round by round. */
const rowsOf = (chosen: string, samples: readonly (readonly number[] | undefined)[], n = 1000): readonly Row[] =>
  ways.flatMap((name, way) => {
    const times = samples[way]
    if (!times) return []
    const others = ways.slice(0, way).map((other, at) => [other, compared(times, samples[at] ?? [])])
    const variant = ['pairs-once', 'blocks (8 x 8)', chosen][way] ?? ''
    return [measuredRow({ name, variant, threads: 8 }, { n, call: timesOf(times), beside: Object.fromEntries(others) })]
  })

test('a choice is judged by the ratio of both loops in each round, however slow its own calls were', () => {
  // Each round is twice as slow as the one before. In most rounds, blocks take 0.8 of the time of all pairs.
  const rounds = [
    [10, 20, 40, 80],
    [8, 16, 90, 64],
    [12, 24, 48, 96],
  ]
  const [right] = choicesIn({ rows: rowsOf('blocks (8 x 8), 1 thread', rounds) })
  expect(right).toMatchObject({ chose: 'blocks', chosen: 1, call: 1.5, choosing: 6 })
  const [wrong] = choicesIn({ rows: rowsOf('pairs-once x4, 1 thread', rounds) })
  expect(wrong).toMatchObject({ chose: 'all pairs', chosen: 1.25, call: 1.5, choosing: 6 })
})

test('where there are too many pairs to visit all, blocks are right, and nothing else is', () => {
  const among = (chosen: string) => choicesIn({ rows: rowsOf(chosen, [undefined, [8], [9]]) })
  expect(among('blocks (8 x 8), 1 thread')).toMatchObject([{ all: undefined, chose: 'blocks', chosen: 1, call: 9 / 8 }])
  expect(among('pairs-once x4, 1 thread')).toMatchObject([{ chose: 'all pairs', chosen: Number.POSITIVE_INFINITY }])
})

test('a record without choices has no table, and choices that miss are listed, the worst first', () => {
  const rows = rowsOf('blocks', [[10], [8], [9]])
  const record = { ...sampleOf('choice'), rows }
  for (const none of [[], rows.map((row) => ({ ...row, outcome: { refused: 'no memory' } }))]) {
    const text = printed({ ...record, rows: none })
    expect(text).toContain('No figure for any contender.')
    expect(text).not.toMatch(/NaN|Infinity|│/)
  }
  const quoted = (rows: readonly Row[]) => choicesOf([{ record: { ...record, rows }, link: 'choice.json' }])
  expect(quoted(rows)).toMatch(/No choice misses\.$/)
  const misses = [...rowsOf('pairs-once', [[10], [8], [11]], 64), ...rowsOf('blocks', [[5], [8], [7]], 128)]
  expect(quoted([...rows, ...misses]).replaceAll(/ +/g, ' ')).toMatch(
    /\| 128 \|.*\| 5\.00 ms \| 8\.00 ms \| blocks \| 1\.60 \|\n.*\| 64 \|.*\| 10\.0 ms \| 8\.00 ms \| all pairs \| 1\.25 \|$/,
  )
})

test('calls follow each other with other points, and are judged with those of the problem', async () => {
  const seen: unknown[] = []
  const program = {
    report: { variant: 'simd, 1 thread', timings: {} },
    run: async ({ targets }: Bindings) => {
      seen.push(targets.arrays.position)
      return {}
    },
    dispose: () => undefined,
  }
  const device = { info: { limits: {}, features: [] }, prepare: async () => program }
  const backend = { name: 'fake', open: async () => device } as unknown as Backend
  const spec = { what: { task: 'count near 20' }, count: 1024, seed: 1 }
  const [all] = choiceContenders(spec, backend, {}, new Devices())
  const entry = await all?.prepare(problemOf(spec))
  await entry?.sample?.(5)
  expect(new Set(seen).size).toBe(4)
  expect(seen[1]).not.toEqual(seen[0])
  for (const run of [() => entry?.sample?.(1), () => entry?.results()]) await run()
  expect(problemOf(spec).particles).toMatchObject({ position: seen.at(-1) })
  // The points of the problem are among the four.
  expect(new Set(seen).size).toBe(4)
})
