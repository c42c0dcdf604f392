// Random laws in random workloads, on the processor: every precision, variant and number of threads.

import type { Device, Plan, Program } from '@manybody/core'
import { expect, test } from 'vitest'
import { Dice } from '../../support/random/dice.ts'
import { faultsOf } from '../../support/random/laws.ts'
import { randomProblem, seeds } from '../../support/random/problem.ts'
import { processorDevices } from '../../support/random/processor.ts'

const devices = await processorDevices()

const plans: readonly (Plan | undefined)[] = [
  undefined,
  ...[1, 2, 4].map((registers): Plan => ({ variant: 'simd', sizes: { registers, tile: 64 } })),
]

test.each(seeds(160))('seed %i', async (seed) => {
  const problem = randomProblem(seed)
  const { loop } = problem.workload
  for (const device of devices) {
    const plan = loop === 'pair' && problem.workload.reduction !== 'none' ? new Dice(seed).pick(plans) : undefined
    expect(await faultsOf(device, problem, { plan: plan })).toEqual([])
  }
})

test('a law that is constant, less its shift at the cutoff, may be 0 up to roundings of the constant, and not more', async () => {
  const problem = randomProblem(8869)
  const [device] = devices.filter(({ info }) => info.precision === 'f32')
  if (!device) throw new Error('expected a device of float32')
  expect(await faultsOf(device, problem)).toEqual([])
  // The test finds a sum with a larger error.
  const prepare: Device['prepare'] = async (...given) => {
    const program = await device.prepare(...given)
    const run: Program['run'] = async (...options) => {
      const { potential = [] } = await program.run(...options)
      return { potential: Float32Array.from(potential, (x) => x + 0.1) }
    }
    return {
      run,
      get report() {
        return program.report
      },
      dispose: () => program.dispose(),
    }
  }
  const supports: Device['supports'] = (...given) => device.supports(...given)
  expect(await faultsOf({ ...device, info: device.info, supports, prepare }, problem)).toHaveLength(1)
})
