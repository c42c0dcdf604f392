// The duties of a device besides right numbers: aborts, progress, plans, refusals.

import { accelerations, type Device, gravity, type LossReason } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { cpuWasm } from '../src/index.ts'
import { points } from './support/points.ts'

const law = gravity({ softening: 0.05 })
let device: Device
beforeEach(async () => {
  device = await cpuWasm().open({ threads: 2 })
})
afterEach(() => device.dispose())

describe('a long run', () => {
  const workload = accelerations(law)
  const { bindings, shape } = bind(workload, points(24_000))

  it('lets other tasks run, reports its progress, and can be aborted', async () => {
    const program = await device.prepare(workload, shape)
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const fractions: number[] = []
    await program.run(bindings, { onProgress: (fraction) => fractions.push(fraction) })
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(1)
    expect(fractions.length).toBeGreaterThan(2)
    expect(fractions).toEqual(fractions.toSorted((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)

    const controller = new AbortController()
    const reason = new Error('enough')
    const aborted = program.run(bindings, { signal: controller.signal, onProgress: () => controller.abort(reason) })
    await expect(aborted).rejects.toBe(reason)
    const { acceleration } = await program.run(bindings)
    expect(acceleration?.length).toBe(72_000)
  })
})

describe('parameters', () => {
  it('are identified by name, in any order', async () => {
    const { bindings, shape } = bind(accelerations(law), points(50))
    const program = await device.prepare(accelerations(law), shape)
    await program.run({ ...bindings, parameters: { G: 2, softening: 0.5 } })
    const { acceleration } = await program.run({ ...bindings, parameters: { softening: 2, G: 0.5 } })
    const fresh = await device.prepare(accelerations(law), shape)
    const expected = await fresh.run({ ...bindings, parameters: { G: 0.5, softening: 2 } })
    expect(acceleration).toEqual(expected.acceleration)
  })
})

describe('plans', () => {
  const workload = accelerations(law)
  const { bindings, shape } = bind(workload, points(200))

  it('are used and reported', async () => {
    for (const [plan, variant] of [
      [{ variant: 'simd', sizes: { registers: 4 } }, 'simd x4, 1 thread'],
      [{ variant: 'pairs-once', sizes: { registers: 2 } }, 'pairs-once x2, tiles of 64, 1 thread'],
      [{ variant: 'simd', sizes: { tile: 16 } }, 'simd, tiles of 16, 1 thread'],
    ] as const) {
      const single = await cpuWasm().open({ threads: 1 })
      const program = await single.prepare(workload, shape, plan)
      await program.run(bindings)
      expect(program.report).toMatchObject({ variant, accumulation: 'block' })
      single.dispose()
    }
  })

  it('are refused with the known variants and sizes', async () => {
    await expect(device.prepare(workload, shape, { variant: 'fast' })).rejects.toThrow(
      /"variant" expected simd or pairs-once or/,
    )
    await expect(device.prepare(workload, shape, { variant: 'simd', sizes: { registers: 3 } })).rejects.toThrow(
      RangeError,
    )
    for (const [size, message] of [
      [{ tile: 100 }, /"tile" expected a multiple of 16 up to 65536, got 100/],
      [{ unroll: 2 }, /"sizes" expected registers or tile, got unroll/],
    ] as const)
      await expect(device.prepare(workload, shape, { variant: 'simd', sizes: size })).rejects.toThrow(message)
    const two = { ...shape, sameSet: false }
    await expect(device.prepare(workload, two, { variant: 'pairs-once' })).rejects.toThrow(
      /because targets and sources are two sets/,
    )
  })
})

it('is unavailable without WebAssembly SIMD, and says what to use', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const { validate } = WebAssembly
  // Instructions of vectors begin with this byte.
  const bytesOf = (source: BufferSource) => (ArrayBuffer.isView(source) ? source.buffer : source)
  vi.spyOn(WebAssembly, 'validate').mockImplementation(
    (source) => validate(source) && !new Uint8Array(bytesOf(source)).includes(0xfd),
  )
  const reason = /no WebAssembly SIMD; use a browser from 2023/
  expect(await cpuWasm().probe()).toMatchObject({ available: false, reason: expect.stringMatching(reason) })
  await expect(cpuWasm().open({ threads: 1 })).rejects.toThrow(reason)
})

it('is unavailable where a page forbids compiling, and says what to allow', async () => {
  class Forbidden {
    constructor() {
      throw new WebAssembly.CompileError('violates the Content Security Policy')
    }
  }
  vi.spyOn(WebAssembly, 'Module').mockImplementation(Forbidden as never)
  const reason = expect.stringMatching(/add 'wasm-unsafe-eval' to its script-src/)
  expect(await cpuWasm().probe()).toMatchObject({ available: false, reason })
  vi.restoreAllMocks()
})

describe('a device', () => {
  it('refuses a workload that does not fit the address space, with the sizes', async () => {
    const shape = { dimension: 3, targets: 2 ** 28, sources: 2 ** 28, sameSet: true, vectors: [] } as const
    const support = device.supports(accelerations(law), shape)
    expect(support).toMatchObject({ ok: false, reason: expect.stringMatching(/MiB/) })
    await expect(device.prepare(accelerations(law), shape)).rejects.toMatchObject({ name: 'UnsupportedWorkloadError' })
  })

  it('suggests a remedy when memory runs out, and keeps working', async () => {
    await expect(device.buffer(2 ** 31)).rejects.toThrow(
      /^Cannot allocate \d+ bytes: .* dispose of programs and buffers, or run fewer points at once/,
    )
    const { bindings, shape } = bind(accelerations(law), points(20))
    const program = await device.prepare(accelerations(law), shape)
    expect((await program.run(bindings)).acceleration).toHaveLength(60)
  })

  it('refuses work after dispose, which does not count as a loss', async () => {
    const { bindings, shape } = bind(accelerations(law), points(20))
    const program = await device.prepare(accelerations(law), shape)
    let loss: LossReason | undefined
    void device.lost.then((reason) => {
      loss = reason
    })
    device.dispose()
    await expect(program.run(bindings)).rejects.toMatchObject({ name: 'DeviceLostError' })
    expect(loss).toBeUndefined()
  })
})
