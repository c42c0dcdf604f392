// The buffers that the pool keeps, and those that it destroys for the room of others. The tests run on Dawn's null backend.

import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findAdapter } from '../../src/run/host/adapter.ts'
import { openHost } from '../../src/run/host/host.ts'
import { createMemory, type Lease } from '../../src/run/host/memory.ts'

const host = await openHost(await findAdapter({ dawn: ['backend=null'] }))
afterAll(() => host.dispose())
afterEach(() => void vi.restoreAllMocks())

/** A lease of an array of 512 bytes, and whether the array was destroyed. */
async function lent(lease: Lease) {
  const buffer = await lease.array(512)
  const destroy = vi.spyOn(buffer, 'destroy')
  return { lease, buffer, destroyed: () => destroy.mock.calls.length > 0 }
}

test('returned buffers are lent again, the last one first', async () => {
  const memory = createMemory(host, 1024)
  const [a, b] = [await lent(memory.lease()), await lent(memory.lease())]
  a.lease.release()
  b.lease.release()
  const lease = memory.lease()
  expect(await lease.array(512)).toBe(b.buffer)
  expect(await lease.array(500)).toBe(a.buffer)
  expect(await lease.array(512)).not.toBe(a.buffer)
  memory.dispose()
})

test('the buffers that were unused for longest are destroyed to make room', async () => {
  const memory = createMemory(host, 1024)
  const some = await Promise.all(Array.from({ length: 4 }, () => lent(memory.lease())))
  for (const { lease } of some) lease.release()
  expect(some.map(({ destroyed }) => destroyed())).toEqual([true, true, false, false])
  const large = memory.lease()
  await large.array(1024)
  large.release()
  expect(some.map(({ destroyed }) => destroyed())).toEqual([true, true, true, true])
})

test('a buffer that is larger than the whole store is destroyed, and no other', async () => {
  const memory = createMemory(host, 1024)
  const [small, large] = [await lent(memory.lease()), memory.lease()]
  const huge = vi.spyOn(await large.array(4096), 'destroy')
  small.lease.release()
  large.release()
  expect(huge).toHaveBeenCalledOnce()
  expect(small.destroyed()).toBe(false)
})

test('a lease that is larger than the whole store does not rest: its buffers are lent again', async () => {
  const memory = createMemory(host, 1024)
  const lease = memory.lease()
  const both = [await lease.array(512), await lease.array(768)]
  const ended = vi.fn()
  lease.rest(ended)
  expect(ended).toHaveBeenCalledOnce()
  expect(both).toContain(await memory.lease().array(768))
})

test('a resting lease keeps its buffers to itself until it wakes or loses them', async () => {
  const memory = createMemory(host, 1024)
  const [a, b] = [await lent(memory.lease()), await lent(memory.lease())]
  const lost = { a: vi.fn(), b: vi.fn() }
  a.lease.rest(lost.a)
  b.lease.rest(lost.b)
  const other = memory.lease()
  expect([a.buffer, b.buffer]).not.toContain(await other.array(512))
  b.lease.wake()
  other.release()
  expect([lost.a, lost.b].map((f) => f.mock.calls.length)).toEqual([0, 0])
  b.lease.rest(lost.b)
  expect([lost.a, lost.b].map((f) => f.mock.calls.length)).toEqual([1, 0])
  expect([a.destroyed(), b.destroyed()]).toEqual([true, false])
  memory.dispose()
  expect(lost.b).toHaveBeenCalledOnce()
})
