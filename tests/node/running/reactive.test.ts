// Engines and simulations work behind the proxies of frameworks, and their methods work by themselves.

import { cpuWasm, learnedPlans } from '@manybody/backend-cpu-wasm'
import { accelerations, createEngine, type Engine, gravity, nearest, reference } from '@manybody/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Objects that already have a proxy. */
const reached = new WeakMap<object, object>()

/**
 * A proxy as frameworks make it, for example Vue's `reactive`. Objects that are read through it get a proxy, too. Typed arrays, promises
 * and WebGPU buffers stay as they are.
 */
function reactive<T extends object>(given: T): T {
  const known = reached.get(given)
  if (known) return known as T
  const proxy = new Proxy(given, {
    get: (target, key, receiver) => {
      const value: unknown = Reflect.get(target, key, receiver)
      return isObserved(value) ? reactive(value) : value
    },
  })
  reached.set(given, proxy)
  return proxy
}

/** Vue observes plain objects, lists, and instances of classes that can still change. */
const isObserved = (value: unknown): value is object =>
  ['[object Object]', '[object Array]'].includes(Object.prototype.toString.call(value)) && Object.isExtensible(value)

const particles = () => ({ position: [0, 0, 1, 0, 0, 3], mass: [1, 1, 1], dimension: 2 as const })
const law = gravity({ softening: 0.1 })
const workload = accelerations(law)

describe.each([
  ['reference', reference],
  ['cpu-wasm', cpuWasm],
])('on %s', (name, backend) => {
  let engine: Engine
  beforeAll(async () => {
    engine = await createEngine({ backends: [backend()], threads: 2 })
  })
  afterAll(() => engine.dispose())

  test('an engine behind a proxy runs, verifies, streams and adds up', async () => {
    const there = reactive({ engine }).engine
    const right = await engine.run(workload, particles())
    const { acceleration, report } = await there.run(workload, reactive(particles()))
    expect(acceleration).toEqual(right.acceleration)
    expect(report.backend).toBe(name)
    expect((await there.verify(workload, particles())).ok).toBe(true)
    expect(await there.total({ all: 'mass' }, particles())).toEqual({ all: 3 })
    expect(String(there.selection)).toBe(String(engine.selection))
    const ofEngine = reactive(await there.prepare(workload, { count: 3, dimension: 2 }))
    expect((await ofEngine.run(particles())).acceleration).toEqual(right.acceleration)
    ofEngine.dispose()
    const into = reactive(await there.run(workload, particles()))
    expect((await there.run(workload, particles(), { into })).acceleration).toBe(into.acceleration)
  })

  test('its device works behind a proxy, too', async () => {
    const { device } = reactive({ engine }).engine
    expect(device.info.backend).toBe(name)
    const buffer = await device.buffer(3)
    expect([...(await buffer.read())]).toEqual([0, 0, 0])
    buffer.dispose()
    expect(learnedPlans(device)).toEqual({})
  })

  test('a simulation behind a proxy moves as it does without one', async () => {
    const setup = { law, particles: particles(), dt: 0.01 }
    const plain = await engine.simulate(setup)
    const there = reactive({ simulation: await reactive(engine).simulate(reactive(setup)) }).simulation
    for (const simulation of [plain, there]) await simulation.step(3)
    expect([there.steps, there.time, there.dt, there.recoveries]).toEqual([3, plain.time, 0.01, []])
    expect(await there.read('position')).toEqual(await plain.read('position'))
    expect(await there.energy()).toEqual(await plain.energy())
    const resumed = await engine.resume(reactive(await there.snapshot()))
    for await (const frame of there.frames()) {
      await resumed.step(1)
      expect(frame.position).toEqual(await resumed.read('position'))
      break
    }
    there.dispose()
    await expect(there.step(1)).rejects.toThrow('disposed')
  })

  test('methods work without their object', async () => {
    const { run, simulate } = engine
    expect([...(await run(nearest(1), { position: [0, 0, 1, 0, 0, 3], dimension: 2 })).index]).toEqual([1, 0, 0])
    const { step, read } = await simulate({ law, particles: particles(), dt: 0.01 })
    await step(1)
    expect(await read('position')).toHaveLength(6)
  })

  test('an engine behind a proxy is disposed of', async () => {
    const other = await createEngine({ backends: [backend()], threads: 1 })
    const run = reactive(other).run
    {
      await using there = reactive(other)
      expect(there.device.info.backend).toBe(name)
    }
    await expect(run(workload, particles())).rejects.toThrow('the engine was disposed')
  })
})

test('an engine and a simulation look as before: no member is listed, and their classes have names', async () => {
  const engine = await createEngine({ backends: [reference()] })
  const simulation = await engine.simulate({ law, particles: particles(), dt: 1 })
  for (const [held, name] of [
    [engine, 'Engine'],
    [simulation, 'Simulation'],
  ] as const) {
    expect(Object.keys(held)).toEqual([])
    expect(held.constructor.name).toBe(name)
  }
  engine.dispose()
})
