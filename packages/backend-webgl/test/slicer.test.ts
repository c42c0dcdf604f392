// When slices are drawn and waited for, on a host that does nothing else.

import type { Range } from '@manybody/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { GlHost, Sheet } from '../src/run/host/host.ts'
import { WaitEstimate } from '../src/run/host/wait-estimate.ts'
import { Slicer } from '../src/run/programs/slicer.ts'

/** The clock advances only during waits for a slice. */
let clock = 0
const wait = () => {
  clock += 50
}
beforeEach(() => {
  clock = 0
  vi.spyOn(performance, 'now').mockImplementation(() => clock)
})
afterEach(() => vi.restoreAllMocks())

/** A host that records its calls. `fences` says whether it has the fences of WebGL2. */
function recordingHost(fences: boolean): { host: GlHost; log: string[] } {
  const log: string[] = []
  let drawn = 0
  const host = {
    fence: () => (fences ? { behind: ++drawn } : null),
    passed: async ({ behind }: { behind: number }, expected?: number) => {
      log.push(`wait ${expected} for slice ${behind}`)
      wait()
    },
    finished: async (own: () => unknown, expected?: number) => {
      log.push(`wait ${expected} for all, by reading ${own()}`)
      wait()
    },
  }
  return { host: host as unknown as GlHost, log }
}

async function slicesOf(fences: boolean): Promise<readonly string[]> {
  const { host, log } = recordingHost(fences)
  const draw = ([from, to]: Range) => {
    log.push(`draw ${from} to ${to}`)
    return `sheet ${to}` as unknown as Sheet
  }
  await new Slicer(host).run([0, 700], 2 ** 14, draw, {
    onProgress: (fraction) => log.push(`progress ${fraction.toFixed(2)}`),
  })
  return log
}

test('one slice is drawn ahead of the one that the run waits for', async () => {
  expect(await slicesOf(true)).toEqual([
    'draw 0 to 256',
    'draw 256 to 512',
    'wait undefined for slice 1',
    'progress 0.37',
    'draw 512 to 700',
    'wait 50 for slice 2',
    'progress 0.73',
    'wait 36.71875 for all, by reading sheet 700',
    'progress 1.00',
  ])
})

test('without fences, the run waits for each slice before it draws the next', async () => {
  expect(await slicesOf(false)).toEqual([
    'draw 0 to 256',
    'wait undefined for all, by reading sheet 256',
    'progress 0.37',
    'draw 256 to 512',
    'wait 50 for all, by reading sheet 512',
    'progress 0.73',
    'draw 512 to 700',
    'wait 36.71875 for all, by reading sheet 700',
    'progress 1.00',
  ])
})

test('the time of work is unknown until work of about that size was measured, unless it is short on every device', () => {
  const estimate = new WaitEstimate(10)
  expect(estimate.expected(100)).toBe(10)
  expect(estimate.expected(1000)).toBeUndefined()
  estimate.learn(100, 5)
  expect(estimate.expected(400)).toBe(20)
  expect(estimate.expected(1000)).toBeUndefined()
  estimate.learn(1000, 60)
  expect(estimate.expected(2000)).toBeCloseTo(120)
})

test('much smaller work or a stall changes the estimate little', () => {
  const estimate = new WaitEstimate(10)
  estimate.learn(1000, 50)
  estimate.learn(1, 3)
  expect(estimate.expected(1000)).toBeCloseTo(62.5)
  estimate.learn(1000, 5000)
  expect(estimate.expected(1000)).toBeCloseTo(78.125)
  estimate.learn(1000, 50)
  expect(estimate.expected(1000)).toBe(50)
})

test('a stall does not make later waits longer', async () => {
  const row = 4
  let [stall, busyUntil] = [0, 0]
  // Sleeps as the real host does, and wakes no sooner than the device is done.
  const sleep = async (until: number, expected = 0) => {
    clock = Math.max(clock + 0.75 * expected, until + stall)
    stall = 0
  }
  const host = {
    fence: () => ({ until: busyUntil }),
    passed: ({ until }: { until: number }, expected?: number) => sleep(until, expected),
    finished: (_: unknown, expected?: number) => sleep(busyUntil, expected),
  } as unknown as GlHost
  const slicer = new Slicer(host)
  const run = async () => {
    const start = clock
    await slicer.run(
      [0, 64 * 256],
      2 ** 14,
      ([from, to]) => {
        busyUntil = Math.max(busyUntil, clock) + (row * (to - from)) / 256
        return {} as Sheet
      },
      {},
    )
    return clock - start
  }
  await run()
  expect(await run()).toBeLessThan(300)
  stall = 3000
  expect(await run()).toBeLessThan(3600)
  expect(await run()).toBeLessThan(300)
})
