// The messages between the live page and its worker, over a channel that clones as a worker does.

import { MessageChannel } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { connected, type Port } from '../../../live/threads/messages.ts'

interface Sums {
  add(a: Float32Array, b: number): Promise<Float32Array>
  fail(): Promise<void>
}

interface Clock {
  slow(name: string): Promise<string>
}

function channel() {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => {
    port1.close()
  })
  return [port1 as unknown as Port, port2 as unknown as Port] as const
}

test('both sides ask, also while they answer; errors arrive as they were', async () => {
  const [here, there] = channel()
  const page = connected<Sums, Clock>(here)
  const worker = connected<Clock, Sums>(there)
  const order: string[] = []
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  page.answer({
    async slow(name) {
      order.push(name)
      await held
      return `${name} heard`
    },
  })
  worker.answer({
    add: async (a, b) => {
      order.push(await worker.theirs.slow('asked back'))
      return a.map((x) => x + b)
    },
    fail: async () => {
      throw new RangeError('"b" expected a number, got none')
    },
  })
  const sum = page.theirs.add(Float32Array.of(1, 2), 3)
  await expect(page.theirs.fail()).rejects.toThrow('"b" expected a number, got none')
  release()
  expect(await sum).toEqual(Float32Array.of(4, 5))
  expect(order).toEqual(['asked back', 'asked back heard'])
})

test('what is asked before the other side can answer waits for it', async () => {
  const [here, there] = channel()
  const { theirs } = connected<Clock, Sums>(here)
  const answer = theirs.slow('early')
  const worker = connected<Sums, Clock>(there)
  await new Promise((resolve) => setImmediate(resolve))
  worker.answer({ slow: async (name) => name })
  expect(await answer).toBe('early')
})
