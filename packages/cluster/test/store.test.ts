// Arrays that a worker fetches from the server, in parts.

import crypto from 'node:crypto'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type ArrayRef, Hashing, hashOf } from '../src/wire/arrays.ts'
import type { Link } from '../src/wire/link.ts'
import { get, MissingArrayError } from '../src/wire/store.ts'
import { subjectsOf } from '../src/wire/subjects.ts'
import { linkWith } from './support.ts'

const partBytes = 2 ** 20
const shelf = subjectsOf('default').arrays('open')

/** A server that keeps one array, and waits before each answer. */
function holding(bytes: Uint8Array, wait: (part: number) => Promise<unknown>): Link {
  const request = async (subject: string) => {
    const part = Number(subject.split('.').at(-1))
    await wait(part)
    return { data: bytes.slice(part * partBytes, (part + 1) * partBytes) }
  }
  return linkWith({ request }, undefined, { partBytes })
}

async function fetched(megabytes: number) {
  const bytes = Uint8Array.from({ length: megabytes * 2 ** 20 + 5 }, (_, n) => n % 251)
  const ref: ArrayRef = { hash: await hashOf(bytes), type: 'Uint8Array', length: bytes.length }
  return { bytes, ref, parts: megabytes + 1 }
}

const turns = (count: number) => new Promise((resolve) => setTimeout(resolve, count))

describe('an array on the server', () => {
  it('is whole in whatever order its parts come', async () => {
    const { bytes, ref } = await fetched(10)
    const server = holding(bytes, (part) => turns((part * 7) % 5))
    expect(Buffer.compare(await get(server, ref, shelf), bytes)).toBe(0)
  })

  it('is digested while its last part is on its way', async () => {
    const { bytes, ref, parts } = await fetched(20)
    const reached = vi.spyOn(Hashing.prototype, 'reach')
    onTestFinished(() => reached.mockRestore())
    const server = holding(bytes, async (part) => {
      if (part === parts - 1) await vi.waitFor(() => expect(reached).toHaveBeenCalledWith((parts - 1) * partBytes))
    })
    expect(await get(server, ref, shelf)).toHaveLength(bytes.length)
  })

  it('is whole if another thread writes to its memory when its content is already there', async () => {
    const { bytes, ref, parts } = await fetched(10)
    const late = vi.spyOn(crypto, 'randomFill').mockImplementation(((into: Uint8Array, done: () => void) => {
      setTimeout(() => {
        into.fill(7)
        done()
      }, 20)
    }) as unknown as typeof crypto.randomFill)
    onTestFinished(() => late.mockRestore())
    const array = await get(
      holding(bytes, async () => {}),
      ref,
      shelf,
    )
    await turns(30)
    expect(Buffer.compare(array, bytes)).toBe(0)
    expect(late).toHaveBeenCalledTimes(parts)
  })

  it.each([0, 9, 20])('is refused if a byte of part %i is another', async (part) => {
    const { bytes, ref } = await fetched(20)
    const other = bytes.slice()
    other[part * partBytes] = 255
    await expect(get(holding(other, turns.bind(undefined, 0)), ref, shelf)).rejects.toThrow(/have the hash/)
  })

  it('is missing if the server ends in the middle', async () => {
    const { bytes, ref } = await fetched(20)
    const server = holding(bytes, async (part) => {
      if (part > 12) throw new Error('disconnected')
    })
    await expect(get(server, ref, shelf)).rejects.toThrow(MissingArrayError)
  })
})
