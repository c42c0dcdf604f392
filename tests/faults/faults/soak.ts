// Calls of all kinds on open engines, while the memory is watched.

import { createEngine, type Engine } from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { collect, contexts, held, workers } from '../spies.ts'
import { pause } from '../work.ts'
import { soakCalls } from './soak-calls.ts'

const kinds = Object.entries(soakCalls)
/** The numbers of points of each kind of call. */
const counts = [16, 25, 43, 97]

/** One attempt is a round: each kind of call with each number of points. Warm-up rounds on each backend fill the caches first. */
const warmUp = 2

/**
 * How far levels may rise above their values after the warm-up, however many rounds follow. The browser keeps code that it optimized and
 * the timings of its last 200 long tasks. Programs on WebGPU keep arrays that several of their latest runs needed at once. In WebGL, the
 * times of earlier runs decide how the next one waits.
 */
const slack: Readonly<Record<string, number>> = {
  'bytes of the heap': 2 ** 22,
  'bytes of WebAssembly': 2 ** 18,
  'bytes of buffers of WebGPU': 2 ** 15,
  'objects of WebGL': 8,
}

async function heap(): Promise<number> {
  // An object that the first collection finalizes is freed by the second. The browser measures its heap anew after 50 ms.
  for (let n = 0; n < 2; n++) {
    await collect()
    await pause(60)
  }
  return (performance as never as { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize
}

const levels = async (): Promise<Readonly<Record<string, number>>> => ({
  'bytes of the heap': await heap(),
  contexts: contexts.filter((context) => !context.isContextLost()).length,
  workers: workers.length,
  'bytes of WebAssembly': held.wasm,
  'bytes of buffers of WebGPU': held.gpu,
  'objects of WebGL': held.webgl,
})

const backends = ['cpu-wasm', 'webgl', 'webgpu'] as const
const engines = new Map<string, Promise<Engine>>()
let warmed: Promise<Readonly<Record<string, number>>> | undefined

/** Runs the calls always in the same order, so that the same programs and arrays remain at the end. */
async function round(backend: string): Promise<void> {
  const opened = engines.get(backend) ?? createEngine({ backend, threads: 2 })
  engines.set(backend, opened)
  const engine = await opened
  for (const count of counts)
    for (const [kind, call] of kinds)
      await call(engine, count).catch((error: unknown) => {
        throw new Error(`${kind} of ${count} points on ${backend}: ${error}`)
      })
}

async function levelsAfterWarmUp(): Promise<Readonly<Record<string, number>>> {
  for (const backend of backends) for (let n = 0; n < warmUp; n++) await round(backend)
  return levels()
}

export const soak: Fault = {
  name: 'another round of mixed calls',
  how: `${kinds.length} kinds of calls on an open engine, ${counts.length} times each; memory, contexts, workers and objects of WebGL must not grow after the warm-up`,
  async attempt(random): Promise<Outcome> {
    warmed ??= levelsAfterWarmUp()
    const before = await warmed
    const backend = backends[Math.floor(backends.length * random())] ?? 'cpu-wasm'
    await round(backend)
    const grown = Object.entries(await levels()).filter(([what, now]) => now - (before[what] ?? 0) > (slack[what] ?? 0))
    const said = grown.map(([what, now]) => `${what} by ${now - (before[what] ?? 0)}`).join(', ')
    return {
      kind: grown.length === 0 ? 'correct' : 'bad',
      note: grown.length === 0 ? backend : `${backend}: more ${said}`,
    }
  },
}
