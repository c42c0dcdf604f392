// The check of combined results rejects each `combine` that is wrong in one way.

import { type Device, type Reduction, reference } from '@manybody/core'
import { reductions } from '@manybody/core/expression'
import { combine } from '@manybody/core/judge'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CombineOf, combiningFaults } from '../src/checks/combining.ts'

let device: Device
beforeAll(async () => {
  device = await reference().open()
})
afterAll(() => device.dispose())

/** Changes the results of `combine`, number by number. */
const changed =
  (change: (name: string, combined: number, a: number, b: number) => number): CombineOf =>
  (workload, a, b) =>
    Object.fromEntries(
      Object.entries(combine(workload, a, b)).map(([name, array]) => [
        name,
        array.map((x: number, n: number) => change(name, x, a[name]?.[n] as number, b[name]?.[n] as number)),
      ]),
    )
const as =
  (reduction: Reduction): CombineOf =>
  (workload, a, b) =>
    combine({ ...workload, reduction }, a, b)
const first: CombineOf = (_, a) => a
const lastTie: CombineOf = (workload, a, b) => {
  const { index, ...rest } = combine(workload, a, b)
  const tied = (n: number) => a.value?.[n] === b.value?.[n]
  return { ...rest, index: (index as Int32Array).map((j, n) => (tied(n) ? Math.max(b.index?.[n] as number, j) : j)) }
}

/** The wrong variants of each reduction. Another one, forgetting a range, is wrong for all. */
const wrong: Partial<Readonly<Record<Reduction, Readonly<Record<string, CombineOf>>>>> = {
  sum: {
    'takes the larger': as('max'),
    'leaves out NaN': changed((_, x, a, b) => (Number.isNaN(x) ? (Number.isNaN(a) ? b : a) : x)),
    'is off by a few parts in a million': changed((_, x) => x * (1 + 4e-6)),
  },
  min: { 'takes the larger': as('max') },
  max: { 'takes the smaller': as('min') },
  argmin: { 'takes the larger': as('argmax'), 'gives ties to the higher index': lastTie },
  argmax: { 'takes the smaller': as('argmin'), 'gives ties to the higher index': lastTie },
  logsumexp: {
    adds: as('sum'),
    'makes NaN of two empty ranges': changed((_, x, a, b) => (a === b && !Number.isFinite(a) ? Number.NaN : x)),
  },
  count: { 'takes the larger': as('max') },
  smallest: {
    'gives ties to the range that comes first': (_, a, b) => {
      const k = 7
      const [index, distance] = [(a.index as Int32Array).slice(), (a.distance as Float32Array).slice()]
      for (let row = 0; row < index.length; row += k) {
        const both = [a, b].flatMap((part) =>
          Array.from({ length: k }, (_, q) => [part.index?.[row + q], part.distance?.[row + q]] as [number, number]),
        )
        both.sort(([, x], [, y]) => (x === y ? 0 : x - y))
        for (const [q, [j, r]] of both.slice(0, k).entries()) {
          index[row + q] = j
          distance[row + q] = r
        }
      }
      return { index, distance }
    },
  },
  none: { 'takes the larger': as('max') },
}

test.each(Object.keys(reductions) as Reduction[])('the combine function of %s passes', async (reduction) => {
  expect(await combiningFaults(device, reduction)).toEqual([])
})

test.each(
  (Object.keys(reductions) as Reduction[]).flatMap((reduction) =>
    Object.entries({ 'forgets a range': first, ...wrong[reduction] }).map(
      ([way, combineOf]) => [reduction, way, combineOf] as const,
    ),
  ),
)('a combine function of %s that %s is rejected', async (reduction, _, combineOf) => {
  expect(await combiningFaults(device, reduction, combineOf)).not.toEqual([])
})
