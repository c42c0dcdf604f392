// The memory and its allocator: nothing overlaps, freed space is reused, and a refused reservation is retried, then done without.

import { createEngine, pairTerm, sum } from '@manybody/core'
import { expect, it, vi } from 'vitest'
import { cpuWasm } from '../../src/index.ts'
import { Memory } from '../../src/run/host/memory.ts'

it('allocates ranges that do not overlap, and frees them', () => {
  const memory = new Memory()
  const sizes = [10, 70000, 1, 500, 64, 200000, 0]
  const ranges = sizes.map((size) => ({ start: memory.allocate(size), size })).sort((a, b) => a.start - b.start)
  for (const [n, { start }] of ranges.entries()) {
    const before = ranges[n - 1]
    expect(start % 64).toBe(0)
    expect(start).toBeGreaterThan(before ? before.start + before.size : 0)
  }
  const grown = memory.memory.buffer.byteLength
  for (const { start } of ranges) memory.free(start)
  expect(memory.used).toBe(0)
  memory.allocate(250000)
  expect(memory.memory.buffer.byteLength).toBe(grown)
})

it('reports the memory in use when none is left', async () => {
  const memory = await Memory.reserve([])
  expect(() => memory.allocate(2 ** 33)).toThrow(/Cannot allocate .* dispose of programs and buffers/)
})

it('opens on one thread, and says so, if the engine refuses every shared memory', async () => {
  const { Memory: Real } = WebAssembly
  WebAssembly.Memory = class extends Real {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      if (descriptor.shared) throw new RangeError('could not allocate memory')
      super(descriptor)
    }
  }
  try {
    const engine = await createEngine({ backends: [cpuWasm({ threadsFrom: 0 })], threads: 2 })
    const { value } = await engine.run(sum(pairTerm('1')()), { position: new Float32Array(3000) })
    expect(value[0]).toBe(999)
    expect(engine.device.info).toMatchObject({
      limits: { threads: 1 },
      notes: ['one thread is used, because no shared memory could be reserved; use fewer engines at once'],
    })
    engine.dispose()
  } finally {
    WebAssembly.Memory = Real
  }
})

it('reserves a shared memory again if the engine has not yet freed those of disposed devices', async () => {
  const { Memory: Real } = WebAssembly
  let refusals = 6
  WebAssembly.Memory = class extends Real {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      if (descriptor.shared && refusals-- > 0) throw new RangeError('could not allocate memory')
      super(descriptor)
    }
  }
  vi.useFakeTimers()
  vi.useFakeTimers()
  const reserved = async () => {
    const outcome = Memory.reserve([])
    await vi.runAllTimersAsync()
    return outcome
  }
  try {
    expect(await reserved()).toMatchObject({ shared: true })
    refusals = Number.POSITIVE_INFINITY
    expect(await reserved()).toMatchObject({ shared: false })
  } finally {
    vi.useRealTimers()
    WebAssembly.Memory = Real
  }
})
