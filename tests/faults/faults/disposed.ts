// The engine is disposed of in the middle of a run.

import { createEngine, type Engine } from 'manybody'
import type { Fault } from '../fault.ts'
import { approximate, interrupted, lists, run, simulation, type Work } from '../work.ts'

const of = (backend: string, what: string, work: Work, isolated?: false): Fault => ({
  name: `dispose mid-run, ${backend}${isolated === false ? ' without isolation' : ''}, ${what}`,
  how: '`engine.dispose()` at a random moment',
  ...(isolated === false ? { isolated } : {}),
  attempt: (random) => interrupted(backend, work, 600, random, (engine) => engine.dispose()),
})

let open: Promise<Engine> | undefined

/** Threads belong to all engines of the page, so they outlive any engine that is disposed of. */
const beside: Fault = {
  name: 'dispose mid-run, cpu-wasm beside an open engine, a tolerance and ranges',
  how: '`engine.dispose()` at a random moment, while one engine stays open all the time',
  async attempt(random) {
    open ??= createEngine({ backend: 'cpu-wasm', threads: 2 })
    await run(await open, 600)
    return interrupted('cpu-wasm', approximate, 600, random, (engine) => engine.dispose())
  },
}

export const disposed: readonly Fault[] = [
  ...['cpu-wasm', 'webgl', 'webgpu', 'reference'].flatMap((backend) => [
    of(backend, 'run', run),
    of(backend, 'simulation', simulation),
  ]),
  ...['cpu-wasm', 'webgl', 'webgpu'].map((backend) => of(backend, 'a tolerance and ranges', approximate)),
  ...['cpu-wasm', 'webgpu'].map((backend) => of(backend, 'lists', lists)),
  beside,
  of('cpu-wasm', 'run', run, false),
  of('cpu-wasm', 'simulation', simulation, false),
]
