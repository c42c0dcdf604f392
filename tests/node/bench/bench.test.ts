// The benchmark's method: arithmetic, rounds and the judge. It prints no figure for a wrong answer. No test depends on speed.

import { reference } from '@manybody/core'
import { expect, test } from 'vitest'
import type { Contender, Entry } from '../../../bench/src/contender.ts'
import { backendContender, Devices } from '../../../bench/src/contenders/backend.ts'
import { problemOf } from '../../../bench/src/problem.ts'
import { isMeasured } from '../../../bench/src/record.ts'
import { comparison } from '../../../bench/src/report/tables.ts'
import { turnsSession } from '../../../bench/src/sessions/local-session.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { rounds } from '../../../bench/src/timing/rounds.ts'
import { timesOf } from '../../../bench/src/timing/times.ts'
import { sumsTogether } from '../../../bench/src/tree/contenders.ts'

const gravity = problemOf({ what: { law: 'gravity' }, count: 64, seed: 1 })
const quick = { environment: 'here', seconds: 0.01, span: 0.1 }
const right: Contender = backendContender('right', reference(), {}, new Devices())

/** The reference with changed results of one name. */
function spoilt(name: string, spoil: (results: number[], run: number) => void, of = 'acceleration'): Contender {
  return {
    name,
    async prepare(problem) {
      const entry = await right.prepare(problem)
      let runs = 0
      return {
        who: { ...entry.who, name },
        accuracy: entry.accuracy,
        async run() {
          runs++
          return entry.run()
        },
        async results() {
          const results = await entry.results()
          const changed = [...(results[of] as ArrayLike<number> & Iterable<number>)]
          spoil(changed, runs)
          return { ...results, [of]: changed }
        },
        dispose: () => entry.dispose(),
      }
    },
  }
}

async function refusalOf(contender: Contender): Promise<string | undefined> {
  const [row] = await measure(gravity, [contender], quick)
  return row && !isMeasured(row.outcome) ? row.outcome.refused : undefined
}

test('median and quartiles are right for odd and even numbers of samples', () => {
  expect(timesOf([5, 1, 3])).toMatchObject({ median: 3, lowerQuartile: 2, upperQuartile: 4 })
  expect(timesOf([4, 1, 2, 3])).toMatchObject({ median: 2.5, lowerQuartile: 1.75, upperQuartile: 3.25 })
  expect(timesOf([7])).toMatchObject({ median: 7, lowerQuartile: 7, upperQuartile: 7 })
})

test('entries are sampled in turn, and each round starts with another', async () => {
  const order: string[] = []
  const entry = (name: string): Pick<Entry, 'run'> => ({
    async run() {
      await new Promise((resolve) => setTimeout(resolve, 2))
      order.push(name)
      return undefined
    },
  })
  const samples = await rounds([entry('a'), entry('b')], { seconds: 0, span: 0.001, warm: 1e9 })
  expect(order.slice(-6)).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(samples.map((own) => (own instanceof Error ? own.message : own.length))).toEqual([3, 3])
})

test('an entry that fails does not affect others', async () => {
  const fails = { run: async () => Promise.reject(new Error('lost')) }
  const [failed, works] = await rounds([fails, { run: async () => undefined }], { seconds: 0, span: 0.001 })
  expect(failed).toEqual(new Error('lost'))
  expect(works).toHaveLength(3)
})

test('a right answer gets figures, with its error and the allowed error', async () => {
  const [row] = await measure(gravity, [right], quick)
  expect(row).toMatchObject({ environment: 'here', interactions: 4096, contender: { name: 'right', kind: 'cpu' } })
  if (!row || !isMeasured(row.outcome)) throw new Error('refused')
  const { call, error, interactionsPerSecond } = row.outcome
  expect(call.samples).toBeGreaterThanOrEqual(3)
  expect(interactionsPerSecond).toBeCloseTo((1000 * 4096) / call.median)
  expect(error.max).toBeLessThanOrEqual(error.bound ?? 0)
})

test.for<[name: string, spoil: (results: number[], run: number) => void, reason: RegExp]>([
  [
    'scaled by 1.00001',
    (a) => a.splice(0, a.length, ...a.map((x) => 1.00001 * x)),
    /wrong answer: acceleration is off by/,
  ],
  ['one target missing', (a) => a.fill(0, 30, 33), /wrong answer/],
  ['not a number', (a) => a.fill(Number.NaN, 0, 1), /not a number/],
  ['wrong only after the first run', (a, run) => run > 1 && a.fill(0), /wrong answer/],
])('a wrong answer gets no figure: %s', async ([name, spoil, reason]) => {
  expect(await refusalOf(spoilt(name, spoil))).toMatch(reason)
})

test('the table shows a wrong answer as a refusal without numbers', async () => {
  const rows = await measure(gravity, [right, spoilt('wrong', (a) => a.fill(0))], quick)
  const machine = { cpu: '', cores: 1, platform: '' }
  const table = comparison({ command: '', kind: 'compare', date: '', machine, environments: [], rows })
  expect(table).toMatch(/No figure for wrong in here: wrong answer/)
  expect(table.split('\n').filter((line) => line.includes('wrong'))).toHaveLength(1)
})

test.for(['argmin', 'nearest(8)', 'logsumexp', 'matrix', 'count within 0.25', 'cell index', 'gradient'])(
  'the judge accepts the reference for %s',
  async (task) => {
    const [row] = await measure(problemOf({ what: { task }, count: 125, seed: 2 }), [right], quick)
    expect(row?.outcome).toHaveProperty('call')
  },
)

test('an index is wrong, unless its term equals the right one up to rounding', async () => {
  const problem = problemOf({ what: { task: 'argmin' }, count: 64, seed: 1 })
  const shifted = spoilt('shifted', (index) => index.splice(0, 64, ...index.map((i) => (i + 1) % 64)), 'index')
  const [row] = await measure(problem, [shifted], quick)
  expect(row?.outcome).toEqual({ refused: expect.stringMatching(/wrong answer: index at place 0/) })
})

test.each([
  ['all', undefined, 3],
  ['one', () => 1, 1],
] as const)('of contenders that take turns, %s may be ready at once', async (_, together, most) => {
  let [ready, mostReady] = [0, 0]
  const counted = (name: string): Contender => ({
    name,
    async prepare(problem) {
      const entry = await right.prepare(problem)
      mostReady = Math.max(mostReady, ++ready)
      const dispose = entry.dispose.bind(entry)
      return Object.assign(entry, {
        dispose() {
          ready--
          dispose()
        },
      })
    },
  })
  const environment = { name: 'here', isolated: true, threads: 1, timerResolution: 1, versions: {} }
  const contenders = ['a', 'b', 'c'].map(counted)
  const session = turnsSession(environment, () => contenders, together ? { together } : {})
  const rows = await session.measure({ what: { law: 'gravity' }, count: 64, seed: 1 }, quick)
  expect({ mostReady, ready }).toEqual({ mostReady: most, ready: 0 })
  expect(rows.map(({ outcome }) => isMeasured(outcome))).toEqual([true, true, true])
})

test('tree keeps the engines of all tolerances only up to two million points', () => {
  expect([2e6, 1e7].map((targets) => sumsTogether({ targets }))).toEqual([Infinity, 1])
})
