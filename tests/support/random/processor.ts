// The devices and engines for random problems on the processor: in every precision, on one thread and more. They are disposed of after the
// tests of the file that asks for them.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { createEngine, type Device, type Engine, type Precision } from '@manybody/core'
import { afterAll } from 'vitest'

/** Threads take part in even the smallest problem. */
const backend = cpuWasm({ threadsFrom: 0 })

export async function processorDevices(): Promise<readonly Device[]> {
  const devices = await Promise.all([
    backend.open({ precision: 'f64', threads: 1 }),
    backend.open({ precision: 'f32', threads: 1 }),
    backend.open({ precision: 'f32', threads: 2 }),
  ])
  afterAll(() => {
    for (const device of devices) device.dispose()
  })
  return devices
}

export async function processorEngines(): Promise<readonly Engine<Precision>[]> {
  const engines = await Promise.all([
    createEngine({ backends: [backend], precision: 'f64', threads: 1 }),
    createEngine({ backends: [backend], precision: 'f32', threads: 2 }),
  ])
  afterAll(() => {
    for (const engine of engines) engine.dispose()
  })
  return engines
}
