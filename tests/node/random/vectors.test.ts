// Random laws of vectors, on the processor and in the reference, against the same laws written out; and within the bounds of verify.

import { type Attributes, createEngine, type Engine, type Precision, reference } from '@manybody/core'
import { expect, test } from 'vitest'
import { faultsOf } from '../../support/random/laws.ts'
import { seeds } from '../../support/random/problem.ts'
import { processorDevices, processorEngines } from '../../support/random/processor.ts'
import { vectorFaults, vectorFaultsInRanges } from '../../support/random/vector-faults.ts'
import { randomVectors } from '../../support/random/vectors.ts'
import { deep } from '../../support/share.ts'

const engines: readonly Engine<Precision>[] = [
  await createEngine({ backends: [reference()], precision: 'f64' }),
  ...(await processorEngines()),
]
const devices = await processorDevices()

/** Every other law runs whole, the others in ranges; in a deep run all do both. */
const half = (whole: boolean) => seeds(96).filter((seed) => deep || (seed % 2 === 0) === whole)

test.each(half(true))('seed %i', async (seed) => {
  const problem = randomVectors(seed)
  for (const engine of engines) {
    expect(await vectorFaults(engine, problem)).toEqual([])
    const { ok, worst } = await engine.verify(problem.workload, problem.particles as Attributes, { sample: 8 })
    expect(ok, JSON.stringify(worst)).toBe(true)
  }
})

const whole = { ran: 0, refused: 0 }

test.each(half(false))('in ranges, seed %i', async (seed) => {
  const problem = randomVectors(seed)
  for (const device of devices) {
    expect(device.sumsVectors).toBe(true)
    if (!problem.divided) {
      expect(await faultsOf(device, problem)).toEqual([])
      continue
    }
    const faults = await vectorFaultsInRanges(device, problem)
    whole[faults ? 'ran' : 'refused']++
    expect(faults ?? []).toEqual([])
  }
})

test('hardly a whole vector is refused', () => {
  expect(whole.refused).toBeLessThanOrEqual(devices.length + whole.ran / 10)
})
