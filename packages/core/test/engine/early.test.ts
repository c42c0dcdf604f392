// Repeated calls start before their numbers are checked, on devices that can. Results and errors are the same as for any other call.

import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Backend, Bindings, Program } from '../../src/contract/backend.ts'
import { CallReports } from '../../src/engine/calls/call-reports.ts'
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
    ['"dimension" expected 1, 2 or 3, got 4', { dimension: 4 }],
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

describe('calls in turn', () => {
  const far = (seed: number) => ({ ...particles(seed), position: particles(seed).position.map((x) => 1e15 * x) })
  type Options = NonNullable<Parameters<Engine['run']>[2]>
  const calls: readonly (readonly [string, () => ReturnType<typeof particles>, (() => Options)?])[] = [
    ['as before', () => particles(2)],
    ['with other parameters', () => particles(3), () => ({ parameters: { softening: 0.5 } })],
    ['with other parameters again', () => particles(3), () => ({ parameters: { softening: 0.7 } })],
    ['with no parameter changed', () => particles(4), () => ({ parameters: {} })],
    ['into an array', () => particles(5), () => ({ into: { acceleration: new Float32Array(15) } })],
    ['into an earlier result', () => particles(6), () => ({ into: { report: 1, acceleration: new Float32Array(15) } })],
    [
      'into an array with other parameters',
      () => particles(7),
      () => ({ into: { acceleration: new Float32Array(15) }, parameters: { G: 2 } }),
    ],
    ['with more points', () => particles(2, 9)],
    ['with more points into an array', () => particles(3, 9), () => ({ into: { acceleration: new Float32Array(27) } })],
    ['in another unit of length', () => far(2)],
    ['in another unit of length into an array', () => far(3), () => ({ into: { acceleration: new Float32Array(15) } })],
    ['with float64', () => ({ ...particles(4), position: Float64Array.from(particles(4).position) }) as never],
    ['with a plan', () => particles(2), () => ({ plan: { variant: 'naive' } })],
  ]

  it.each([
    ['begin early', () => prompt()],
    ['do not', () => fakeBackend('slow')],
  ])('have their own numbers, options and arrays on programs that %s', async (_, backend) => {
    await using engine = await createEngine({ backends: [backend()] })
    const rows = [...calls, ...calls.toReversed(), ...calls]
    for (const [name, points, options = () => ({})] of rows) {
      const own = options() as { readonly into?: { readonly acceleration: Float32Array } }
      const { acceleration } = await engine.run(workload, points(), own)
      await using fresh = await createEngine({ backends: [fakeBackend('fresh')] })
      const { into, ...rest } = own
      expect(acceleration, name).toEqual((await fresh.run(workload, points(), rest)).acceleration)
      if (into) expect(acceleration, name).toBe(into.acceleration)
    }
  })

  it('that are wrong leave the arrays for results as they were, and free to use', async () => {
    await using engine = await warm()
    const into = { acceleration: new Float32Array(15).fill(7) }
    await engine.run(workload, particles(), { into })
    into.acceleration.fill(7)
    for (const [message, points, options] of [
      ['got NaN at index 4', { position: particles().position.with(4, Number.NaN) }, {}],
      ['"dimension" expected 1, 2 or 3', { dimension: 4 }, {}],
      ['"softening" expected finite number', {}, { parameters: { softening: Number.NaN } }],
      ['"softening" expected finite number >= 0', {}, { parameters: { softening: -1 } }],
      ['"soft" is not a parameter', {}, { parameters: { soft: 1 } }],
      ['"parameters of this workload" expected', {}, { parameters: '' }],
      ['"force" is not a result', {}, { into: { ...into, force: into.acceleration } }],
      ['"onprogress" is not a run option', {}, { onprogress: 1 }],
    ] as const) {
      const call = engine.run(workload, { ...particles(), ...points } as never, { into, ...options } as never)
      await expect(call, message).rejects.toThrow(message)
    }
    expect(into.acceleration).toEqual(new Float32Array(15).fill(7))
    for (const acceleration of [new Float32Array(14), new Float64Array(15), new Float32Array(15).fill(1).slice(1)])
      await expect(engine.run(workload, particles(), { into: { acceleration } as never })).rejects.toThrow('into.')
    expect((await engine.run(workload, particles(3), { into })).acceleration).toEqual(await truth(particles(3)))
  })

  it('have reports that callers may change', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('slow')] })
    const { report } = await engine.run(workload, particles())
    const reports = new CallReports(['fast: it is busy'])
    const expected = structuredClone({ ...report, notes: ['fast: it is busy'] })
    for (let call = 0; call < 3; call++) {
      const own = reports.of(report, report.timings)
      expect(own).toEqual(expected)
      Object.assign(own, { backend: 'mine', notes: [] })
    }
    const { notes, recoveries } = reports.of(report, report.timings)
    for (const list of [notes, recoveries]) expect(() => (list as string[]).push('mine')).toThrow(TypeError)
  })

  it('whose results find no place let go of their program', async () => {
    const slow = fakeBackend('slow')
    const engine = await createEngine({ backends: [slow] })
    await engine.run(workload, particles())
    const into = { acceleration: new Float32Array(15) }
    const call = engine.run(workload, particles(2), { into })
    structuredClone(into.acceleration, { transfer: [into.acceleration.buffer] })
    await expect(call).rejects.toThrow('"into.acceleration" expected')
    engine.dispose()
    await vi.waitFor(() => expect(slow.log.programsDisposed).toBe(slow.log.prepared.length))
  })

  it('at the same time do not share arrays for results', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('slow')] })
    await engine.run(workload, particles())
    const into = { acceleration: new Float32Array(15) }
    const [first, second] = await Promise.allSettled([2, 3].map((n) => engine.run(workload, particles(n), { into })))
    expect(first?.status).toBe('fulfilled')
    expect(String((second as PromiseRejectedResult).reason)).toContain('memory of another result or run')
    expect(into.acceleration).toEqual(await truth(particles(2)))
    await engine.run(workload, particles(4), { into })
    expect(into.acceleration).toEqual(await truth(particles(4)))
  })

  it('whose device is lost in one of them end on another, in the arrays given', async () => {
    const losing = fakeBackend('losing', { losesAt: [3], final: true })
    await using engine = await createEngine({ backends: [losing, fakeBackend('other')] })
    const into = { acceleration: new Float32Array(15) }
    const names: string[] = []
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      const { acceleration, report } = await engine.run(workload, particles(seed), { into })
      expect(acceleration).toBe(into.acceleration)
      expect(acceleration).toEqual(await truth(particles(seed)))
      names.push(report.backend)
    }
    expect(names).toContain('losing')
    expect(names.at(-1)).toBe('other')
  })

  it('of a program that another call prepared are refused for other numbers of points, and after dispose', async () => {
    await using engine = await warm()
    const prepared = await engine.prepare(workload, { count: 5 })
    expect((await prepared.run(particles(2))).acceleration).toEqual(await truth(particles(2)))
    await engine.run(workload, particles(2, 9))
    await expect(prepared.run(particles(2, 9))).rejects.toThrow('expected 5 targets')
    prepared.dispose()
    await expect(prepared.run(particles(2))).rejects.toThrow('was disposed')
    expect((await engine.run(workload, particles(4))).acceleration).toEqual(await truth(particles(4)))
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
