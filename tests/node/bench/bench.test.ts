// The benchmark's method: arithmetic, rounds and the judge. It prints no figure for a wrong answer. No test depends on speed.

import { reference } from '@manybody/core'
import { expect, test } from 'vitest'
import type { Contender, Entry } from '../../../bench/src/contender.ts'
import { backendContender, Devices } from '../../../bench/src/contenders/backend.ts'
import { problemOf } from '../../../bench/src/problem.ts'
import { isMeasured } from '../../../bench/src/record.ts'
import { printed } from '../../../bench/src/report/print.ts'
import { turnsSession } from '../../../bench/src/sessions/local-session.ts'
import { measure } from '../../../bench/src/timing/measure.ts'
import { rounds } from '../../../bench/src/timing/rounds.ts'
import { timesOf } from '../../../bench/src/timing/times.ts'
import { inTurn } from '../../../bench/src/tree/contenders.ts'
import { sampleOf } from '../../support/sample-records.ts'

const spec = { what: { law: 'gravity' }, count: 64, seed: 1 }
const quick = { environment: 'here', seconds: 0.01, span: 0.1 }
const right: Contender = backendContender('right', reference(), {}, new Devices())

/** The reference with other members of its entry. */
const changed = (name: string, change: (entry: Entry) => Partial<Entry>): Contender => ({
  name,
  async prepare(problem) {
    const entry = await right.prepare(problem)
    const own = { accuracy: entry.accuracy, run: () => entry.run(), results: () => entry.results() }
    return { ...own, dispose: () => entry.dispose(), ...change(entry), who: { ...entry.who, name } }
  },
})

/** The reference with changed results of one name. */
const spoilt = (spoil: (results: number[], run: number) => void, of = 'acceleration'): Contender =>
  changed('wrong', (entry) => {
    let runs = 0
    return {
      run() {
        runs++
        return entry.run()
      },
      async results() {
        const { [of]: given = [], ...rest } = await entry.results()
        const results = Array.from(given)
        spoil(results, runs)
        return { ...rest, [of]: Float64Array.from(results) }
      },
    }
  })

test('median and quartiles are right for odd and even numbers of samples', () => {
  expect(timesOf([5, 1, 3])).toMatchObject({ median: 3, lowerQuartile: 2, upperQuartile: 4 })
  expect(timesOf([4, 1, 2, 3])).toMatchObject({ median: 2.5, lowerQuartile: 1.75, upperQuartile: 3.25 })
  expect(timesOf([7])).toMatchObject({ median: 7, lowerQuartile: 7, upperQuartile: 7 })
})

test('entries are sampled in turn, and each round starts with another, whether or not one fails', async () => {
  const order: string[] = []
  const entry = (name: string) => ({
    async run() {
      await new Promise((resolve) => setTimeout(resolve, 2))
      order.push(name)
      return undefined
    },
  })
  const lost = new Error('lost')
  const entries = [entry('a'), entry('b'), { run: () => Promise.reject(lost) }]
  const samples = await rounds(entries, { seconds: 0, span: 0.001, warm: 1e9 })
  expect(order.slice(-6)).toEqual(['a', 'b', 'b', 'a', 'a', 'b'])
  expect(samples.map((own) => (own instanceof Error ? own : own.length))).toEqual([3, 3, lost])
})

test('a right answer gets figures, with its error and the allowed error', async () => {
  const [row] = await measure(problemOf(spec), [right], quick)
  expect(row).toMatchObject({ environment: 'here', interactions: 4096, contender: { name: 'right', kind: 'cpu' } })
  if (!row || !isMeasured(row.outcome)) throw new Error('refused')
  const { call, error, interactionsPerSecond } = row.outcome
  expect(call.samples).toBeGreaterThanOrEqual(3)
  expect(interactionsPerSecond).toBeCloseTo((1000 * 4096) / call.median)
  expect(error.max).toBeLessThanOrEqual(error.bound ?? 0)
})

test.for<[spoil: (results: number[], run: number) => void, reason: RegExp, task?: string]>([
  [(a) => a.splice(0, a.length, ...a.map((x) => 1.00001 * x)), /wrong answer: acceleration is off by/],
  [(a) => a.fill(0, 30, 33), /wrong answer/],
  [(a) => a.fill(Number.NaN, 0, 1), /not a number/],
  // Only after the first run.
  [(a, run) => run > 1 && a.fill(0), /wrong answer/],
  [(a) => a.splice(0, 64, ...a.map((i) => (i + 1) % 64)), /wrong answer: index at place 0/, 'argmin'],
  [(a) => a.reverse(), /wrong answer: the list of target 0 expected \d+/, 'neighbours within a radius'],
])('a wrong answer gets no figure: %o', async ([spoil, reason, task]) => {
  const problem = problemOf(task ? { ...spec, what: { task } } : spec)
  const rows = await measure(problem, [right, spoilt(spoil, task && 'index')], quick)
  expect(rows.map(({ outcome }) => isMeasured(outcome))).toEqual([true, false])
  const table = printed({ ...sampleOf('compare'), rows })
  expect(table).toMatch(new RegExp(`No figure for wrong in here: .*${reason.source}`))
  expect(table.split('\n').filter((line) => line.includes('wrong'))).toHaveLength(1)
})

test.each([
  [2e6, 3],
  [1e7, 1],
] as const)('of sums over %f points, %i may be ready at once', async (targets, most) => {
  let [ready, mostReady] = [0, 0]
  const counted = (name: string) =>
    changed(name, (entry) => {
      mostReady = Math.max(mostReady, ++ready)
      return {
        dispose() {
          ready--
          entry.dispose()
        },
      }
    })
  const environment = { name: 'here', isolated: true, threads: 1, timerResolution: 1, versions: {} }
  const session = turnsSession(environment, () => ({ groups: inTurn({ targets }, ['a', 'b', 'c'].map(counted)) }))
  const rows = await session.measure(spec, quick)
  expect({ mostReady, ready }).toEqual({ mostReady: most, ready: 0 })
  expect(rows.map(({ outcome }) => isMeasured(outcome))).toEqual([true, true, true])
})
