// WebGPU engines in Node, one after the other: each leaves nothing behind.

import type { Fault } from '../fault.ts'
import { type Levels, openInNode } from '../spies.ts'

/** The most bytes above the memory after the second engine: code that is compiled and kept once. */
const slack = 32 * 2 ** 20

const seen: Levels[] = []

export const enginesInNode: Fault = {
  name: 'another WebGPU engine in Node',
  how: 'an engine is opened on Dawn, runs and is disposed of, with the memory that the allocator keeps kept small; threads and memory must not grow after the second',
  tries: 200,
  async attempt() {
    const now = await openInNode()
    seen.push(now)
    const [, second = now] = seen
    const said = `${now.threads} threads and ${Math.round(now.bytes / 2 ** 20)} MiB`
    const grown = now.threads > second.threads || now.bytes > second.bytes + slack
    return { kind: grown ? 'bad' : 'correct', note: said }
  },
}
