// The allocator: nothing overlaps, what is freed is used again.

import { expect, it } from 'vitest'
import { Memory } from '../src/memory.ts'

it('gives out ranges that do not overlap, and takes them back', () => {
  const memory = new Memory(false)
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

it('says what is in use when nothing is left', () => {
  const memory = new Memory(true)
  expect(() => memory.allocate(2 ** 33)).toThrow(/Cannot allocate .* dispose of programs and buffers/)
})
