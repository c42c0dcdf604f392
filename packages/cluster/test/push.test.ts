// Arrays that are pushed to all workers.

import { describe, expect, it } from 'vitest'
import { Hashing, hashOf } from '../src/wire/arrays.ts'
import { ByteCache } from '../src/wire/cache.ts'
import { type Link, subjectsOf } from '../src/wire/link.ts'
import { decode, type Message } from '../src/wire/message.ts'
import { longestPush, Pushes, push } from '../src/wire/push.ts'

/** The messages of a push, whose parts have up to 10 bytes. */
function partsOf(hash: string, bytes: Uint8Array): Uint8Array[] {
  const sent: Uint8Array[] = []
  const connection = { publish: (_: string, data: Uint8Array) => void sent.push(data) }
  push({ connection, subjects: subjectsOf('default'), partBytes: 10 } as unknown as Link, hash, bytes)
  return sent
}

const missing = () => Promise.reject(new Error('not there'))

describe('a pushed array', () => {
  it.each([0, 1, 10, 25])('arrives with its %s bytes', async (length) => {
    const bytes = Uint8Array.from({ length }, (_, n) => n)
    const hash = await hashOf(bytes)
    const cache = new ByteCache(1000)
    const pushes = new Pushes(cache)
    for (const part of partsOf(hash, bytes)) pushes.receive(decode(part))
    expect(await cache.of(hash, length, missing)).toEqual(bytes)
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
      for (const part of parts) pushes.receive(part)
      // A hash is computed in the background.
      await new Promise((resolve) => setTimeout(resolve, 20))
      await expect(cache.of(hash, 25, missing)).rejects.toThrow(/not there|have the hash/)
    }
  })

  it('takes no memory before its length is checked, and little if it is never complete', async () => {
    const cache = new ByteCache(1000)
    const pushes = new Pushes(cache, 2)
    const bytes = Uint8Array.of(1)
    for (const length of [longestPush + 1, -1, 0, 1.5, '1', undefined])
      pushes.receive({ header: { hash: 'a'.repeat(64), length, at: 0 }, bytes })
    pushes.receive({ header: { hash: 'b', length: 1, at: 0 }, bytes })
    expect(cache.bytes).toBe(0)
    const whole = Uint8Array.of(1, 2)
    const hash = await hashOf(whole)
    const begin = (name: string) => pushes.receive({ header: { hash: name, length: 2, at: 0 }, bytes })
    const end = () => pushes.receive({ header: { hash, length: 2, at: 1 }, bytes: whole.subarray(1) })
    for (const name of [hash, 'c'.repeat(64), 'd'.repeat(64)]) begin(name)
    end()
    expect(cache.has(hash)).toBe(false)
    begin(hash)
    end()
    expect(await cache.of(hash, 2, missing)).toEqual(whole)
  })
})
