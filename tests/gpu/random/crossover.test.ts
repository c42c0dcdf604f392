// A careless caller of an engine that moves short calls from WebGPU or WebGL to the processor, on the software GPU.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { type Backend, createEngine } from '@manybody/core'
import { expect, test } from 'vitest'
import { angleContexts } from '../../support/angle.ts'
import { callCarelessly } from '../../support/random/crossover.ts'
import { Dice } from '../../support/random/dice.ts'
import { seeds } from '../../support/random/problem.ts'

const context = await angleContexts(2)
const backends: readonly (() => Backend)[] = [() => webgpu(), () => webgl({ context })]

/** An engine prefers the processor to a software GPU, but not to hardware. */
const likeHardware = (backend: Backend): Backend => ({
  ...backend,
  probe: async (options) => {
    const found = await backend.probe(options)
    return found.available ? { ...found, kind: 'hardware' } : found
  },
})

// The machine decides which device answers sooner.
test.each(seeds(2))('every call is right or says why not, seed %i', async (seed) => {
  const graphics = (backends[seed % backends.length] as () => Backend)()
  const engine = await createEngine({ backends: [likeHardware(graphics), cpuWasm({ threadsFrom: 0 })], threads: 2 })
  expect(engine.device.info.backend).toBe(graphics.name)
  const answered = await callCarelessly(engine, new Dice(seed), 30)
  for (const name of answered) expect([graphics.name, 'cpu-wasm']).toContain(name)
})
