// Submissions of one run: the next one is submitted while the device computes the one before, and no buffer is given back earlier
// than the device has finished.

import { expect, test } from 'vitest'
import { submissionBudget } from '../../src/run/host/submission-budget.ts'
import { InFlight } from '../../src/run/programs/in-flight.ts'
import type { Submission, Submitted } from '../../src/run/programs/submission.ts'

interface Asked {
  readonly atLeast: number
  finish(outcome: Submitted): void
  fail(reason: Error): void
}

/** Submissions that finish when the test says so. */
function submissions(count: number, overlaps = true) {
  const asked: Asked[] = []
  const run = (_: unknown, atLeast: number) =>
    new Promise<Submitted>((finish, fail) => {
      asked.push({ atLeast, finish, fail })
    })
  const made = Array.from({ length: count }, (_, n) => ({
    ...{ overlaps, run, step: { interactions: 1e9, done: (n + 1) / count } },
  }))
  return { asked, made: made as unknown as readonly Submission[] }
}

const inFlight = (options = {}) => new InFlight(options, () => new Map(), submissionBudget('hardware'))
const turn = () => new Promise((resolve) => setTimeout(resolve))

test('the device has at most two submissions, the first of them at once', async () => {
  const { asked, made } = submissions(3)
  const flight = inFlight()
  const submitted = flight.submitAll(made)
  expect(asked.length).toBe(1)
  await turn()
  expect(asked.length).toBe(2)
  asked[0]?.finish({ device: 10, evaluated: undefined })
  await turn()
  expect(asked.length).toBe(3)
  asked[1]?.finish({ device: 20, evaluated: undefined })
  asked[2]?.finish({ device: 30, evaluated: 7 })
  await submitted
  const { compute, readback, evaluated } = await flight.finish()
  // The device cannot have worked longer than the run took.
  expect(compute).toBeLessThan(60)
  expect([readback, evaluated]).toEqual([0, 7])
})

test('a submission whose results are read in parts is finished before the next one', async () => {
  const { asked, made } = submissions(2, false)
  const flight = inFlight()
  const submitted = flight.submitAll(made)
  await turn()
  expect(asked.length).toBe(1)
  asked[0]?.finish({ device: undefined, evaluated: undefined })
  await turn()
  expect(asked.length).toBe(2)
  asked[1]?.finish({ device: undefined, evaluated: undefined })
  await submitted
  const { compute, readback } = await flight.finish()
  expect(compute).toBeGreaterThan(0)
  expect(compute + readback).toBeLessThan(1000)
})

test('Dawn is asked for a submission only after the time that it and those before it take', async () => {
  const { asked, made } = submissions(4)
  const flight = inFlight()
  const submitted = flight.submitAll(made)
  for (let n = 0; n < 4; n++) {
    await turn()
    asked[n]?.finish({ device: 1000, evaluated: undefined })
  }
  await submitted
  const [first, second, third = 0, fourth = 0] = asked.map(({ atLeast }) => atLeast)
  expect([first, second]).toEqual([0, 0])
  expect(third).toBeGreaterThan(940)
  expect(third).toBeLessThanOrEqual(950)
  expect(fourth).toBeGreaterThan(1700)
  expect(fourth).toBeLessThanOrEqual(1900)
})

test('after a failure, the run waits for the submissions in flight', async () => {
  const { asked, made } = submissions(3)
  const flight = inFlight()
  const submitted = flight.submitAll(made)
  await turn()
  asked[0]?.fail(new Error('lost'))
  await expect(submitted).rejects.toThrow('lost')
  let settled = false
  const settling = flight.settle().then(() => {
    settled = true
  })
  await turn()
  expect(settled).toBe(false)
  asked[1]?.fail(new Error('lost, too'))
  await settling
  expect(asked.length).toBe(2)
})

test('an aborted run submits nothing more', async () => {
  const { asked, made } = submissions(2)
  const abort = new AbortController()
  const flight = inFlight({ signal: abort.signal })
  const submitted = flight.submit(made[0] as Submission)
  abort.abort()
  await submitted
  await expect(flight.submit(made[1] as Submission)).rejects.toThrow('aborted')
  expect(asked.length).toBe(1)
})
