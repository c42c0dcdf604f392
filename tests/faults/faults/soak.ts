// Calls of all kinds on one engine after another, while memory is watched.

import { accelerations, createEngine, energy, map, matrix, nearest, pairTerm, stencil } from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { contexts, held, workers } from '../spies.ts'
import { law, points } from '../work.ts'

const grid = { cells: [8, 8, 8], spacing: 1 } as const
const field = Float32Array.from({ length: 512 }, (_, n) => Math.sin(n))
const gaussian = pairTerm('exp(-r2)')()

type Calls = readonly ((engine: Awaited<ReturnType<typeof createEngine>>, count: number) => Promise<unknown>)[]
const calls: Calls = [
  (engine, count) => engine.run(accelerations(law), points(count)),
  (engine, count) => engine.run(nearest(4), { position: points(count).position }),
  (engine, count) => engine.run(energy(law), points(count)),
  (engine, count) => engine.run(map({ y: '2*mass + 1' }), { mass: points(count).mass }),
  (engine) => engine.run(stencil({ l: 'xm + xp - 2*c' }, grid), { field }),
  (engine, count) => engine.run(matrix(gaussian), { position: points(count).position }),
  async (engine, count) => {
    const particles = { ...points(count), velocity: new Float32Array(3 * count) }
    const simulation = await engine.simulate({ law, particles, dt: 0.01 })
    await simulation.step(3)
    await simulation.read('position')
    simulation.dispose()
  },
  async (engine, count) => {
    const program = await engine.prepare(accelerations(law), { count })
    await program.run(points(count))
    program.dispose()
  },
  async (engine, count) => {
    const controller = new AbortController()
    const run = engine.run(accelerations(law), points(count), { signal: controller.signal })
    controller.abort()
    await run.catch(() => {})
  },
]

const heap = () => {
  const { gc, performance: clock } = globalThis as never as {
    gc?: () => void
    performance: { memory?: { usedJSHeapSize: number } }
  }
  gc?.()
  return clock.memory?.usedJSHeapSize ?? 0
}

/** One attempt is a hundred calls, after two hundred that fill what is kept. */
const warm = 200
const length = 100
/** What a hundred calls may leave: what the engine of JavaScript keeps differs so much by itself. */
const slack: Readonly<Record<string, number>> = { heap: 2 ** 20 }

const levels = (): Readonly<Record<string, number>> => ({
  heap: heap(),
  contexts: contexts.filter((context) => !context.isContextLost()).length,
  workers: workers.length,
  'bytes of WebAssembly': held.wasm,
  'bytes of the GPU': held.gpu,
})

const engines = new Map<string, ReturnType<typeof createEngine>>()
let done = 0

async function some(backend: string, times: number): Promise<void> {
  const opened = engines.get(backend) ?? createEngine({ backend, threads: 2 })
  engines.set(backend, opened)
  const engine = await opened
  for (let n = 0; n < times; n++, done++) await calls[done % calls.length]?.(engine, 16 + ((7 * done) % 90))
}

export const soak: Fault = {
  name: 'a hundred mixed calls more',
  how: 'calls of nine kinds, a hundred a try, on engines that stay open; bad if the heap grows by 1 MiB, or contexts, workers or bytes of WebAssembly and of the GPU become more',
  quick: false,
  async attempt(random): Promise<Outcome> {
    const backend = ['cpu-wasm', 'webgl', 'webgpu'][Math.floor(3 * random())] ?? 'cpu-wasm'
    if (!engines.has(backend)) await some(backend, warm)
    const before = levels()
    await some(backend, length)
    const grown = Object.entries(levels()).filter(([what, now]) => now - (before[what] ?? 0) > (slack[what] ?? 0))
    const said = grown.map(([what, now]) => `${what} by ${now - (before[what] ?? 0)}`).join(', ')
    return {
      kind: grown.length === 0 ? 'correct' : 'bad',
      note: grown.length === 0 ? backend : `${backend}: more ${said}`,
    }
  },
}
