// Arrays that are pushed to all workers.

import { accelerations, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Sender } from '../src/coordinator/sending.ts'
import { Hashing, hashOf } from '../src/wire/arrays.ts'
import { ByteCache, cacheKey } from '../src/wire/cache.ts'
import { decode, type Message } from '../src/wire/message.ts'
import { longestPush, Pushes, push } from '../src/wire/push.ts'
import { linkWith, named } from './support.ts'

/** The messages of a push, with up to 10 bytes in each part. */
function partsOf(hash: string, bytes: Uint8Array, instead?: string): Uint8Array[] {
  const sent: Uint8Array[] = []
  const connection = { publish: (_: string, data: Uint8Array) => void sent.push(data) }
  push(linkWith(connection, named('c'), { shortBytes: 10 }), hash, bytes, instead)
  return sent
}

/** The key of the coordinator. */
const owner = 'open'
const keyOf = (hash: string) => cacheKey(owner, hash)

const missing = () => Promise.reject(new Error('not there'))

describe('a pushed array', () => {
  it.each([0, 1, 10, 25])('arrives with its %s bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, n) => n)
    const hash = await hashOf(bytes)
    const cache = new ByteCache(1000)
    const pushes = new Pushes(cache)
    for (const part of partsOf(hash, bytes)) pushes.receive(decode(part), owner)
    expect(await cache.of(keyOf(hash), length, missing)).toEqual(bytes)
  })

  it('of megabytes is the same array in any parts, and no other', async () => {
    const bytes = Uint8Array.from({ length: 2.5 * 2 ** 20 }, (_, n) => n % 251)
    const hash = await hashOf(bytes)
    const other = bytes.slice()
    other[2 ** 20] = 0
    expect(await hashOf(other)).not.toBe(hash)
    const hashing = new Hashing(bytes)
    for (const filled of [0, 1, 2 ** 20, 2 ** 20 + 7, bytes.length]) hashing.reach(filled)
    expect(await hashing.hash()).toBe(hash)
  })

  it('is digested as it arrives by the thread that has it, and by others where many parts are there at once', async () => {
    const apart = vi.spyOn(crypto.subtle, 'digest')
    onTestFinished(() => apart.mockRestore())
    const bytes = new Uint8Array(5 * 2 ** 20)
    const arriving = new Hashing(bytes)
    for (let filled = 0; filled <= bytes.length; filled += 2 ** 18) arriving.reach(filled)
    const hash = await arriving.hash()
    expect(apart).not.toHaveBeenCalled()
    expect(await hashOf(bytes)).toBe(hash)
    expect(apart).toHaveBeenCalledTimes(5)
  })

  it('is fetched if a part was lost, came twice or out of order, or its bytes are not those of the hash', async () => {
    const bytes = Uint8Array.from({ length: 25 }, (_, n) => n)
    const hash = await hashOf(bytes)
    const [a, b, c] = partsOf(hash, bytes).map((data) => decode(data)) as [Message, Message, Message]
    for (const parts of [
      [a, c],
      [a, b],
      [b, c],
      [a, c, b],
      [a, b, b, { ...c, bytes: new Uint8Array(5) }],
    ]) {
      const cache = new ByteCache(1000)
      const pushes = new Pushes(cache)
      for (const part of parts) pushes.receive(part, owner)
      // A hash is computed in the background.
      await new Promise((resolve) => setTimeout(resolve, 20))
      await expect(cache.of(keyOf(hash), 25, missing)).rejects.toThrow(/not there|have the hash/)
    }
  })

  it('takes no memory before its length is checked, and little if it is never complete', async () => {
    const cache = new ByteCache(1000)
    const pushes = new Pushes(cache, 2)
    const bytes = Uint8Array.of(1)
    for (const length of [longestPush + 1, -1, 0, 1.5, '1', undefined])
      pushes.receive({ header: { hash: 'a'.repeat(64), length, at: 0 }, bytes }, owner)
    pushes.receive({ header: { hash: 'b', length: 1, at: 0 }, bytes }, owner)
    expect(cache.bytes).toBe(0)
    const whole = Uint8Array.of(1, 2)
    const hash = await hashOf(whole)
    const begin = (name: string) => pushes.receive({ header: { hash: name, length: 2, at: 0 }, bytes }, owner)
    const end = () => pushes.receive({ header: { hash, length: 2, at: 1 }, bytes: whole.subarray(1) }, owner)
    for (const name of [hash, 'c'.repeat(64), 'd'.repeat(64)]) begin(name)
    end()
    expect(cache.has(keyOf(hash))).toBe(false)
    begin(hash)
    end()
    expect(await cache.of(keyOf(hash), 2, missing)).toEqual(whole)
  })
})

it('belongs to the coordinators of one key: nobody else has it by its hash', async () => {
  const bytes = Uint8Array.of(1, 2, 3)
  const hash = await hashOf(bytes)
  const cache = new ByteCache(1000)
  for (const part of partsOf(hash, bytes)) new Pushes(cache).receive(decode(part), 'A')
  expect(await cache.of(cacheKey('A', hash), 3, missing)).toEqual(bytes)
  await expect(cache.of(cacheKey('B', hash), 3, missing)).rejects.toThrow('not there')
})

describe('the memory of an array', () => {
  const bytesOfLength = (length: number, first: number) => Uint8Array.from({ length }, (_, n) => first + n)
  const memoryOf = async (cache: ByteCache, hash: string, length: number) =>
    (await cache.of(keyOf(hash), length, missing)).buffer

  async function pushed(lengths: readonly [number, number], whileUsed: boolean) {
    const [before, after] = [bytesOfLength(lengths[0], 0), bytesOfLength(lengths[1], 100)]
    const [old, hash] = [await hashOf(before), await hashOf(after)]
    const cache = new ByteCache(1000)
    await cache.of(keyOf(old), before.length, async () => before)
    const end = cache.use(keyOf(old))
    if (!whileUsed) end()
    const pushes = new Pushes(cache)
    for (const part of partsOf(hash, after, old)) pushes.receive(decode(part), owner)
    expect(await cache.of(keyOf(hash), after.length, missing)).toEqual(after)
    return { cache, old, before, again: (await memoryOf(cache, hash, after.length)) === before.buffer }
  }

  it('serves the array that is there instead', async () => {
    const { cache, old, again } = await pushed([25, 25], false)
    expect([again, cache.has(keyOf(old)), cache.bytes]).toEqual([true, false, 25])
  })

  it('stays as it is while a call uses it, or if it has another length', async () => {
    const used = await pushed([25, 25], true)
    expect([used.again, used.cache.has(keyOf(used.old))]).toEqual([false, true])
    expect(used.before).toEqual(bytesOfLength(25, 0))
    const longer = await pushed([25, 26], false)
    expect([longer.again, longer.cache.has(keyOf(longer.old))]).toEqual([false, true])
  })

  it('is given up only for what no array of the job has, and what was there is sent again when it comes back', async () => {
    const sent: Message['header'][] = []
    const connection = { publish: (_: string, data: Uint8Array) => void sent.push(decode(data).header) }
    const sender = new Sender(linkWith(connection, named('c'), { shortBytes: 1e6 }), 1e6)
    const workload = accelerations(gravity())
    const [points, mass] = [() => Float32Array.from({ length: 12 }, (_, n) => n), new Float32Array(4).fill(1)]
    const { shape, bindings } = bind(workload, {
      targets: { position: points() },
      sources: { position: points().fill(0), mass },
    })
    const [position, other] = [bindings.targets, bindings.sources].map(({ arrays }) => arrays.position as Float32Array)
    const send = async () => {
      sent.length = 0
      const { job } = await sender.jobOf({ workload, shape, plan: undefined, precision: 'f32' }, bindings, {}, 2)
      const hash = job.arrays.targets.position?.hash
      return { hash, message: sent.find((header) => header.hash === hash) }
    }
    const first = await send()
    expect([first.message?.hash, first.message?.instead]).toEqual([first.hash, undefined])
    position?.fill(7)
    const second = await send()
    expect(second.message?.instead).toBe(first.hash)
    position?.set(points())
    expect((await send()).message).toMatchObject({ hash: first.hash, instead: second.hash })
    // The sources now have the earlier content of the targets.
    other?.set(points())
    position?.fill(8)
    const third = await send()
    expect([third.message?.hash, third.message?.instead]).toEqual([third.hash, undefined])
  })
})
