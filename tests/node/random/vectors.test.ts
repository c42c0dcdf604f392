// Random laws of vectors, on the processor and in the reference, against the same laws written out; and within the bounds of verify.

import { type Attributes, createEngine, type Engine, type Precision, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { seeds } from '../../support/random/problem.ts'
import { processorDevices, processorEngines } from '../../support/random/processor.ts'
import { vectorFaults, vectorFaultsInRanges } from '../../support/random/vector-faults.ts'
import { randomVectors } from '../../support/random/vectors.ts'

const engines: readonly Engine<Precision>[] = [
  await createEngine({ backends: [reference()], precision: 'f64' }),
  ...(await processorEngines()),
]
const devices = await processorDevices()

test.each(seeds(80))('seed %i', async (seed) => {
  const problem = randomVectors(seed)
  for (const engine of engines) {
    expect(await vectorFaults(engine, problem)).toEqual([])
    const { ok, worst } = await engine.verify(problem.workload, problem.particles as Attributes, { sample: 8 })
    expect(ok, JSON.stringify(worst)).toBe(true)
  }
})

test.each(seeds(80))('in ranges, seed %i', async (seed) => {
  const problem = randomVectors(seed)
  for (const device of devices) {
    expect(device.sumsVectors).toBe(true)
    const faults = problem.divided ? vectorFaultsInRanges(device, problem) : faultsOf(device, problem)
    expect(await faults).toEqual([])
  }
})
