// How many steps of a simulation make a sample. The clock is made up, so that no test depends on speed.

import { type Backend, type Device, reference } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import { simulationContender } from '../../../bench/src/contenders/simulation.ts'
import { problemOf } from '../../../bench/src/problem.ts'

/** The device with sequences that say how often they run. */
function counted(device: Device, ran: (runs: number) => void): Device {
  const { sequence } = device
  const counting: Device['sequence'] = async (...args) => {
    const made = await sequence.call(device, ...args)
    const run: typeof made.run = (runs = 1, ...more) => {
      ran(runs)
      return made.run(runs, ...more)
    }
    return Object.assign(Object.create(made), { run, dispose: () => made.dispose() })
  }
  return Object.assign(device, { sequence: counting })
}

test.each([
  ['a slow device takes ten spans of steps', 55, 4],
  ['a faster device takes 500 steps', 1 / 8, 500],
  ['a very fast device fills the span', 1 / 128, 2560],
  ['a step that is longer than ten spans runs once', 3000, 1],
])('%s', async (_, step, expected) => {
  let [now, steps] = [0, 0]
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const open: Backend['open'] = async (options) =>
    counted(await reference().open(options), (runs) => {
      now += runs * step
      steps += runs
    })
  const problem = problemOf({ what: { law: 'gravity' }, count: 2, seed: 1 })
  const entry = await simulationContender('steps', { ...reference(), open }).prepare(problem)
  // The first step also computes the forces before it.
  for (let n = 0; n < 2; n++) await entry.run()
  steps = 0
  const sample = await entry.sample?.(20)
  entry.dispose()
  vi.restoreAllMocks()
  expect(steps).toBe(expected)
  expect(sample?.call).toBeCloseTo(step)
})
