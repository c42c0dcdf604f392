// How many steps of a simulation make a sample. The clock is made up, so that no test depends on speed.

import { type Backend, type Device, reference } from '@manybody/core'
import { afterEach, expect, test, vi } from 'vitest'
import { simulationContender } from '../../../bench/src/contenders/simulation.ts'
import { problemOf } from '../../../bench/src/problem.ts'

afterEach(() => vi.restoreAllMocks())

/** The steps of one sample on a device that takes `step` milliseconds for each, and the time that the sample tells. */
async function sampled(step: number, span: number): Promise<{ readonly steps: number; readonly call: number }> {
  let [now, steps] = [0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const backend: Backend = {
    ...reference(),
    open: async (options) =>
      slowed(await reference().open(options), (runs) => {
        now += runs * step
        steps += runs
      }),
  }
  const entry = await simulationContender('steps', backend).prepare(
    problemOf({ what: { law: 'gravity' }, count: 2, seed: 1 }),
  )
  // The first step also computes the forces before it.
  for (let n = 0; n < 2; n++) await entry.run()
  steps = 0
  const sample = await entry.sample?.(span)
  entry.dispose()
  return { steps, call: sample?.call ?? Number.NaN }
}

/** The device with sequences that say how often they run. */
function slowed(device: Device, ran: (runs: number) => void): Device {
  return new Proxy(device, {
    get(target, name) {
      if (name !== 'sequence') {
        const value = Reflect.get(target, name) as unknown
        return typeof value === 'function' ? value.bind(target) : value
      }
      return async (...args: Parameters<Device['sequence']>) => {
        const sequence = await target.sequence(...args)
        const run: typeof sequence.run = (runs = 1, ...more) => {
          ran(runs)
          return sequence.run(runs, ...more)
        }
        return Object.assign(Object.create(sequence), { run, dispose: () => sequence.dispose() })
      }
    },
  })
}

test.each([
  ['a slow device takes ten spans of steps', 55, 4],
  ['a faster device takes 500 steps', 1 / 8, 500],
  ['a very fast device fills the span', 1 / 128, 2560],
  ['a step that is longer than ten spans runs once', 3000, 1],
])('%s', async (_, step, steps) => {
  const sample = await sampled(step, 20)
  expect(sample.steps).toBe(steps)
  expect(sample.call).toBeCloseTo(step)
})
