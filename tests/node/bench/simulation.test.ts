// How many steps of a simulation make a sample, and which timed steps are wrong. The clock is made up, so that no test depends on speed.

import { type Backend, type Device, reference, type Sequence } from '@manybody/core'
import { expect, test, vi } from 'vitest'
import { simulationContender } from '../../../bench/src/contenders/simulation.ts'
import { judgeOf } from '../../../bench/src/judge.ts'
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

/** A device that leaves forces out of a sequence that runs several times. */
function stale(device: Device): Device {
  const { prepare, sequence } = device
  const pairs = new Set<unknown>()
  const preparing: Device['prepare'] = async (workload, ...more) => {
    const program = await prepare.call(device, workload, ...more)
    if (workload.loop === 'pair') pairs.add(program)
    return program
  }
  const making: Device['sequence'] = async (stages) => {
    const [all, without] = await Promise.all(
      [stages, stages.filter(({ program }) => !pairs.has(program))].map((some) => sequence.call(device, some)),
    )
    const [run, other] = [all?.run.bind(all), without?.run.bind(without)]
    return Object.assign(all as Sequence, { run: async (times: number) => (times > 1 ? other : run)?.(times) })
  }
  return Object.assign(device, { prepare: preparing, sequence: making })
}

test.each([
  ['the right steps', 0.005, undefined],
  ['forces that are left out', 0.005, /^wrong answer: after the timed steps, acceleration is off by /],
  ['too long steps', 0.1, /^wrong answer: the timed steps changed the kinetic energy by a factor of /],
  ['far too long steps', 1e30, /^Cannot continue: "position" is NaN /],
])('timed steps are judged: %s', async (name, dt, fault) => {
  const open: Backend['open'] = async (options) => {
    const device = await reference().open(options)
    return name.startsWith('forces') ? stale(device) : device
  }
  const problem = problemOf({ what: { task: 'steps of a liquid' }, count: 108, seed: 1 })
  const entry = await simulationContender('steps', { ...reference(), open }, { dt, together: 20 }).prepare(problem)
  try {
    await entry.sample?.(1)
    const judged = judgeOf(problem).judge(entry)
    if (fault) await expect(judged).rejects.toThrow(fault)
    else await expect(judged).resolves.toMatchObject({ sampled: 108 })
  } finally {
    entry.dispose()
  }
})
