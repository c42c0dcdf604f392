// Calls of all kinds on one engine after another, while memory is watched.

import {
  accelerations,
  countWithin,
  createEngine,
  energy,
  map,
  matrix,
  nearest,
  neighborsWithin,
  pairTerm,
  potentials,
  stencil,
  tree,
  UnsupportedWorkloadError,
} from 'manybody'
import type { Fault, Outcome } from '../fault.ts'
import { contexts, held, workers } from '../spies.ts'
import { law, points } from '../work.ts'

const grid = { cells: [8, 8, 8], spacing: 1 } as const
const field = Float32Array.from({ length: 512 }, (_, n) => Math.sin(n))
const unlessUnsupported = (error: unknown) => {
  if (!(error instanceof UnsupportedWorkloadError)) throw error
}
const gaussian = pairTerm('exp(-r2)')()

type Calls = readonly ((engine: Awaited<ReturnType<typeof createEngine>>, count: number) => Promise<unknown>)[]
const rough = potentials(law, { method: tree({ tolerance: 1e-2 }) })

const calls: Calls = [
  // WebGL has no lists.
  (engine, count) => engine.run(neighborsWithin(0.3), { position: points(count).position }).catch(unlessUnsupported),
  (engine, count) => engine.run(countWithin(0.3), { position: points(10 * count).position }),
  (engine, count) => engine.run(rough, points(count)),
  (engine, count) => {
    const ranges = { targets: [0, 5, count], offsets: [0, 1, 2], sources: [0, 7, 3, count] }
    return engine.run(accelerations(law), points(count), { ranges })
  },
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

/** One attempt is a hundred calls, after two hundred on each backend that fill what is kept. */
const warm = 200
/** The sizes of each kind of call: few enough that the warm-up has them all. */
const sizes = 10
const length = 100
/**
 * How far levels may be above those after the warm-up, however many calls follow: by what is kept at that moment. Programs on
 * WebGPU keep the arrays of their latest runs, of some 16 KB in all combinations of sizes.
 */
const slack: Readonly<Record<string, number>> = {
  heap: 2 ** 20,
  'bytes of WebAssembly': 2 ** 18,
  'bytes of the GPU': 2 ** 15,
}

const levels = (): Readonly<Record<string, number>> => ({
  heap: heap(),
  contexts: contexts.filter((context) => !context.isContextLost()).length,
  workers: workers.length,
  'bytes of WebAssembly': held.wasm,
  'bytes of the GPU': held.gpu,
})

const backends = ['cpu-wasm', 'webgl', 'webgpu'] as const
const engines = new Map<string, ReturnType<typeof createEngine>>()
let warmed: ReturnType<typeof levels> | undefined
let done = 0

async function some(backend: string, times: number): Promise<void> {
  const opened = engines.get(backend) ?? createEngine({ backend, threads: 2 })
  engines.set(backend, opened)
  const engine = await opened
  for (let n = 0; n < times; n++, done++) {
    const size = Math.floor(done / calls.length) % sizes
    await calls[done % calls.length]?.(engine, 16 + 9 * size)
  }
}

async function levelsAfterWarmUp(): Promise<ReturnType<typeof levels>> {
  for (const backend of backends) await some(backend, warm)
  return levels()
}

export const soak: Fault = {
  name: 'another hundred mixed calls',
  how: 'calls of thirteen kinds on open engines; memory, contexts and workers must not grow after the warm-up',
  quick: false,
  async attempt(random): Promise<Outcome> {
    warmed ??= await levelsAfterWarmUp()
    const before = warmed
    const backend = backends[Math.floor(backends.length * random())] ?? 'cpu-wasm'
    await some(backend, length)
    const grown = Object.entries(levels()).filter(([what, now]) => now - (before[what] ?? 0) > (slack[what] ?? 0))
    const said = grown.map(([what, now]) => `${what} by ${now - (before[what] ?? 0)}`).join(', ')
    return {
      kind: grown.length === 0 ? 'correct' : 'bad',
      note: grown.length === 0 ? backend : `${backend}: more ${said}`,
    }
  },
}
