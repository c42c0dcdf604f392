// When the calls of a GPU begin: while the call ahead computes, however long earlier calls were expected to take.

import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Turns } from '../src/worker/turns.ts'

/** Runs two calls that arrive at the same time. Returns how many computed together at most. */
async function mostTogether(turns: Turns, milliseconds: number): Promise<number> {
  let [now, most] = [0, 0]
  const compute = async () => {
    most = Math.max(most, ++now)
    await wait(milliseconds)
    now--
    return milliseconds
  }
  await Promise.all([1, 2].map(() => turns.take(100, compute, (took) => took)))
  return most
}

test('the next of two short calls begins while the first computes', async () => {
  const turns = new Turns()
  await mostTogether(turns, 10)
  expect(await mostTogether(turns, 10)).toBe(2)
})

/** A GPU with a slow first call, as first calls are. */
async function afterLongCall(): Promise<Turns> {
  const turns = new Turns()
  await turns.take(
    100,
    () => Promise.resolve(),
    () => 1e6,
  )
  return turns
}

test('calls that should take long begin one after the other', async () => {
  expect(await mostTogether(await afterLongCall(), 10)).toBe(1)
})

test('a long call delays none that come when it has ended', async () => {
  const turns = await afterLongCall()
  await mostTogether(turns, 10)
  expect(await mostTogether(turns, 10)).toBe(2)
})

test('a call that should take long, and then should not, delays none behind it', async () => {
  const turns = await afterLongCall()
  const deeds: string[] = []
  const call = (milliseconds: number, name: string) =>
    turns.take(
      100,
      async () => {
        deeds.push(`${name} begins`)
        await wait(milliseconds)
        deeds.push(`${name} ends`)
      },
      () => milliseconds,
    )
  // The second call waits for the first, which measures how long calls take. The third begins while the second computes.
  const [first, second] = [call(10, 'first'), call(60, 'second')]
  await first
  await Promise.all([second, call(90, 'third')])
  expect(deeds).toEqual(['first begins', 'first ends', 'second begins', 'third begins', 'second ends', 'third ends'])
})
