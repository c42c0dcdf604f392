// Repeated calls start before their numbers are checked, on devices that can. Results and errors are the same as for any other call.

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Backend, Bindings, Program } from '../../src/contract/backend.ts'
import { createEngine, type Engine } from '../../src/engine/engine.ts'
import { DeviceLostError } from '../../src/ground/errors.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { accelerations, energy, nearest } from '../../src/problem/workloads/pair.ts'
import { fakeBackend } from '../support/fake-backends.ts'

const workload = accelerations(gravity({ softening: 0.1 }))
const particles = (seed = 1, count = 5) => ({
  position: Float32Array.from({ length: 3 * count }, (_, n) => Math.sin(seed * (n + 1))),
  mass: new Float32Array(count).fill(seed),
})

const begun = vi.fn<(program: Program, bindings: Bindings) => Promise<never> | undefined>()
const ran = vi.fn()
afterEach(() => void vi.resetAllMocks())

/** A backend with programs that begin repeated runs at once. */
function prompt(backend: Backend = fakeBackend('prompt')): Backend {
  const programOf = (program: Program): Program => ({
    get report() {
      return program.report
    },
    run: (bindings, options) => {
      ran()
      return program.run(bindings, options)
    },
    again: (bindings) => {
      const failure = begun(program, bindings)
      if (failure) return failure
      const { count, arrays } = bindings.targets
      const copies = Object.entries(arrays).map(([name, array]) => [name, (array as Float32Array).slice()])
      const set = { count, arrays: Object.fromEntries(copies) }
      return program.run({ ...bindings, targets: set, sources: set })
    },
    dispose: () => program.dispose(),
  })
  const open: Backend['open'] = async (options) => {
    const device = await backend.open(options)
    const prepare: typeof device.prepare = async (...asked) => programOf(await device.prepare(...asked))
    return Object.assign(Object.create(device), { prepare })
  }
  return { ...backend, open }
}

/** An engine that has made one call, which was not counted. */
async function warm(given = workload): Promise<Engine> {
  const engine = await createEngine({ backends: [prompt()] })
  await engine.run(given, particles())
  ran.mockClear()
  return engine
}

async function truth(points = particles()): Promise<Float32Array> {
  await using engine = await createEngine({ backends: [fakeBackend('slow')] })
  return (await engine.run(workload, points)).acceleration
}

describe('a repeated call', () => {
  it('starts in the same turn of the event loop, once, and has the results of its own numbers', async () => {
    await using engine = await warm()
    const points = particles(2)
    const call = engine.run(workload, points)
    expect(begun).toHaveBeenCalledOnce()
    points.position.fill(7)
    points.mass.fill(7)
    expect((await call).acceleration).toEqual(await truth(particles(2)))
    expect(ran).not.toHaveBeenCalled()
  })

  it('of a prepared program starts early, too', async () => {
    await using engine = await createEngine({ backends: [prompt()] })
    const prepared = await engine.prepare(workload, { count: 5, dimension: 3 })
    for (const seed of [1, 2, 3])
      expect((await prepared.run(particles(seed))).acceleration).toEqual(await truth(particles(seed)))
    expect(begun).toHaveBeenCalledTimes(2)
  })

  it('of an energy is added up', async () => {
    const total = energy(gravity({ softening: 0.1 }))
    await using engine = await warm(total as never)
    const first = await engine.run(total, particles())
    expect(begun).toHaveBeenCalledOnce()
    await using slow = await createEngine({ backends: [fakeBackend('slow')] })
    expect(first.energy).toBe((await slow.run(total, particles())).energy)
  })

  it.each([
    ['"position" expected finite numbers, got NaN at index 4', { position: particles().position.with(4, Number.NaN) }],
    ['"mass" expected finite numbers, got Infinity at index 2', { mass: particles().mass.with(2, Infinity) }],
    ['"mass" expected length 5, one number per point, got 4', { mass: new Float32Array(4) }],
    ['"mass" expected Float32Array', { mass: undefined }],
    ['"dimension" expected 2 or 3, got 4', { dimension: 4 }],
  ])('is rejected as any other: %s', async (message, wrong) => {
    await using engine = await warm()
    await expect(engine.run(workload, { ...particles(), ...wrong } as never)).rejects.toThrow(message)
    expect((await engine.run(workload, particles(3))).acceleration).toEqual(await truth(particles(3)))
  })

  it.each([null, undefined, 7, 'points', []])('with %j instead of points is rejected as any other', async (wrong) => {
    await using engine = await warm()
    await expect(engine.run(workload, wrong as never)).rejects.toThrow('"particles" expected')
    expect(begun).not.toHaveBeenCalled()
  })

  it('that divides by a zero inertia is rejected', async () => {
    const inert = accelerations({ ...gravity({ softening: 0.1 }), inertia: 'charge' })
    const points = { ...particles(), charge: new Float32Array(5).fill(2) }
    await using engine = await createEngine({ backends: [prompt()] })
    await engine.run(inert, points)
    const call = engine.run(inert, { ...points, charge: points.charge.with(3, 0) })
    expect(begun).toHaveBeenCalledOnce()
    await expect(call).rejects.toThrow('"charge" expected numbers other than 0')
  })

  it('over points that need another unit of length runs once more', async () => {
    await using engine = await warm()
    const far = { ...particles(), position: particles().position.map((x) => 1e15 * x) }
    const { acceleration } = await engine.run(workload, far)
    expect(begun).toHaveBeenCalledOnce()
    expect(ran).toHaveBeenCalledOnce()
    expect(acceleration).toEqual(await truth(far))
  })

  it('of data has the parameters that the data has now', async () => {
    const data = structuredClone(workload)
    await using engine = await createEngine({ backends: [prompt()] })
    await engine.run(data, particles())
    Object.assign(data.law.parameters, { softening: 0.5 })
    const { acceleration } = await engine.run(data, particles())
    expect(acceleration).toEqual(
      (await engine.run(accelerations(gravity({ softening: 0.5 })), particles())).acceleration,
    )
  })

  it('has the numbers of its law after a call with others', async () => {
    await using engine = await createEngine({ backends: [prompt()] })
    for (const parameters of [{ softening: 0.5 }, { softening: 0.7 }]) {
      await engine.run(workload, particles(), { parameters })
      expect((await engine.run(workload, particles())).acceleration).toEqual(await truth())
    }
    expect(begun.mock.calls.map(([, { parameters }]) => parameters.softening)).toEqual([0.1, 0.7, 0.1])
  })

  it('whose device is lost is repeated on another', async () => {
    await using engine = await createEngine({ backends: [prompt(), fakeBackend('other')] })
    await engine.run(workload, particles())
    begun.mockImplementation(async () => {
      throw new DeviceLostError('prompt', { reason: 'it was unplugged', remedy: 'plug it in', final: true })
    })
    const { acceleration, report } = await engine.run(workload, particles(4))
    expect(begun).toHaveBeenCalledOnce()
    expect(report).toMatchObject({ backend: 'other', recoveries: ['prompt: it was unplugged'] })
    expect(acceleration).toEqual(await truth(particles(4)))
    // The other one begins nothing early, and nothing begins in vain.
    await engine.run(workload, particles(4))
    expect(begun).toHaveBeenCalledOnce()
  })

  it('after the engine was disposed is refused', async () => {
    const engine = await warm()
    engine.dispose()
    await expect(engine.run(workload, particles())).rejects.toThrow('the engine was disposed')
  })

  it('spends no time on checks, and all its times add up to at most the whole', async () => {
    await using engine = await warm()
    const start = performance.now()
    const { timings } = (await engine.run(workload, particles())).report
    const { checks, binding, upload, compute, readback } = timings
    expect(checks).toBe(0)
    expect(binding + upload + compute + readback).toBeLessThanOrEqual(performance.now() - start)
  })
})

describe('does not start early:', () => {
  it.each<[string, () => object, object?]>([
    ['a call with other options', () => particles(), { onProgress: () => {} }],
    ['a call with a plan', () => particles(), { plan: { variant: 'naive' } }],
    ['another number of points', () => particles(1, 6)],
    ['a further attribute', () => ({ ...particles(), charge: new Float32Array(5) })],
    ['float64', () => ({ ...particles(), mass: new Float64Array(5).fill(1) })],
    ['two sets', () => ({ targets: particles(), sources: particles() })],
  ])('%s', async (_, points, options = {}) => {
    await using engine = await warm()
    await engine.run(workload, points() as never, options)
    expect(begun).not.toHaveBeenCalled()
    expect(ran).toHaveBeenCalledOnce()
  })

  it('another workload', async () => {
    await using engine = await warm()
    await engine.run(accelerations(gravity({ softening: 0.2 })), particles())
    await engine.run(nearest(2), particles())
    await engine.run(nearest(2), particles())
    expect(begun).not.toHaveBeenCalled()
  })

  it('a program that was disposed of', async () => {
    const disposed = prompt()
    await using engine = await createEngine({ backends: [disposed] })
    await engine.run(workload, particles())
    begun.mockImplementation(() => undefined)
    expect((await engine.run(workload, particles(2))).acceleration).toEqual(await truth(particles(2)))
  })
})
