// Which blocks a second worker computes, because workers may lie.

import { describe, expect, it } from 'vitest'
import { Rechecks } from '../src/schedule/rechecks.ts'
import { named } from './support.ts'

const [a, b, c] = [named('a'), named('b'), named('c')]

describe('rechecks', () => {
  it('take one block of every worker, and a share of the others', () => {
    const draws = [0.5, 0.05, 0.5]
    const rechecks = new Rechecks(0.1, () => draws.shift() ?? 1)
    for (const block of [0, 1, 2, 3]) rechecks.hear(block, a)
    rechecks.hear(4, b)
    expect([...rechecks.waiting]).toEqual([
      [0, a],
      [2, a],
      [4, b],
    ])
  })

  it('give no worker its own block, and none twice', () => {
    const rechecks = new Rechecks(1)
    rechecks.hear(0, a)
    rechecks.hear(1, b)
    expect(rechecks.take(a)).toEqual({ first: 1, last: 2 })
    expect(rechecks.take(a)).toBeUndefined()
    rechecks.release(a)
    expect(rechecks.take(c)).toEqual({ first: 0, last: 1 })
    rechecks.finish(0)
    expect(rechecks.finished).toBe(false)
    rechecks.forget(b)
    expect(rechecks.finished).toBe(true)
    expect(rechecks.compared).toBe(1)
  })

  it('are for another party: one key may have many workers, which would confirm the lies of each other', () => {
    const [one, two, other] = ['A', 'A', 'B'].map((key, n) => `${key}.${`${n}`.repeat(32)}`) as [string, string, string]
    const rechecks = new Rechecks(1)
    rechecks.hear(0, one)
    expect(rechecks.take(two)).toBeUndefined()
    expect(rechecks.take(other)).toEqual({ first: 0, last: 1 })
  })

  it('are none without a share', () => {
    const rechecks = new Rechecks(0)
    rechecks.hear(0, a)
    expect(rechecks.finished).toBe(true)
  })
})
