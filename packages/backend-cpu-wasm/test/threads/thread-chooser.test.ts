// Whether a phase runs alone or together with other threads, for given times.

import { expect, it } from 'vitest'
import { type Others, ThreadChooser, type Way } from '../../src/run/threads/thread-chooser.ts'

/** The times of runs by each way, given the number of the run. */
type Times = Readonly<Record<Way, (run: number) => number>>
function taken(chooser: ThreadChooser, runs: number, times: Times, others: Others = 'awake'): readonly Way[] {
  return Array.from({ length: runs }, (_, run) => {
    const way = chooser.next(others)
    chooser.took(others, way, times[way](run))
    return way
  })
}

const share = (ways: readonly Way[], wanted: Way): number => ways.filter((way) => way === wanted).length / ways.length
const always = (alone: number, together: number): Times => ({ alone: () => alone, together: () => together })

it.each([
  ['together', always(2, 1)],
  ['alone', always(1, 2)],
] as const)('takes the faster way, %s, except in a few trials', (faster, times) => {
  const chooser = new ThreadChooser()
  const start = taken(chooser, 6, times)
  expect(new Set(start).size).toBe(2)
  expect(share(taken(chooser, 1000, times), faster)).toBeGreaterThan(0.97)
})

it('tries the slower way soon, then ever less often, but never stops', () => {
  const ways = taken(new ThreadChooser(), 1000, always(1, 2)).slice(6)
  const tries = ways.flatMap((way, run) => (way === 'together' ? [run] : []))
  const gaps = tries.slice(1).map((run, n) => run - (tries[n] ?? 0) - 1)
  expect(gaps.slice(0, 3)).toEqual([16, 32, 64])
  expect(new Set(gaps.slice(2))).toEqual(new Set([64]))
})

it.each([
  [3, 128],
  [9, 512],
  [1e6, 4096],
])('tries a way that takes %i times as long once in %i runs', (times, most) => {
  const ways = taken(new ThreadChooser(), 30_000, always(times, 1)).slice(6)
  const tries = ways.flatMap((way, run) => (way === 'alone' ? [run] : []))
  const gaps = tries.slice(1).map((run, n) => run - (tries[n] ?? 0) - 1)
  expect(gaps.slice(0, 3)).toEqual([16, 32, 64])
  expect(gaps.at(-1)).toBe(most)
})

it('goes on trying where a clock is too coarse for the faster way', () => {
  const ways = taken(new ThreadChooser(), 30_000, always(1, 0)).slice(6)
  expect(ways.slice(-5000)).toContain('alone')
})

it('is not misled by interruptions, even in half of the runs of the faster way', () => {
  let turn = 0
  const times: Times = { alone: () => 2, together: () => (turn++ % 2 === 0 ? 9 : 1) }
  expect(share(taken(new ThreadChooser(), 1000, times), 'together')).toBeGreaterThan(0.97)
})

it('recovers from a slow start, such as that of code before it is optimised', () => {
  const times: Times = { alone: () => 2, together: (run) => (run < 6 ? 9 : 1) }
  const ways = taken(new ThreadChooser(), 100, times)
  expect(share(ways.slice(6, 14), 'alone')).toBe(1)
  expect(share(ways.slice(20), 'together')).toBeGreaterThan(0.9)
})

it('follows a change within a few runs after the next trial', () => {
  const chooser = new ThreadChooser()
  taken(chooser, 1000, always(1, 2))
  expect(share(taken(chooser, 200, always(1, 0.5)).slice(70), 'together')).toBeGreaterThan(0.95)
  expect(share(taken(chooser, 200, always(1, 2)).slice(10), 'alone')).toBeGreaterThan(0.9)
})

it('decides separately for sleeping and for waking threads', () => {
  const chooser = new ThreadChooser()
  for (let n = 0; n < 50; n++) {
    taken(chooser, 1, always(1, 2), 'asleep')
    taken(chooser, 1, always(1, 0.5), 'awake')
  }
  expect(share(taken(chooser, 50, always(1, 2), 'asleep'), 'alone')).toBeGreaterThan(0.95)
  expect(share(taken(chooser, 50, always(1, 0.5), 'awake'), 'together')).toBeGreaterThan(0.95)
})
