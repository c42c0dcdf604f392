// The engine is disposed of in the middle of a run.

import type { Fault } from '../fault.ts'
import { approximate, interrupted, lists, run, simulation, type Work } from '../work.ts'

const of = (backend: string, what: string, work: Work, isolated?: false): Fault => ({
  name: `dispose mid-run, ${backend}${isolated === false ? ' without isolation' : ''}, ${what}`,
  how: '`engine.dispose()` at a random moment',
  quick: false,
  ...(isolated === false ? { isolated } : {}),
  attempt: (random) => interrupted(backend, work, 600, random, (engine) => engine.dispose()),
})

export const disposed: readonly Fault[] = [
  ...['cpu-wasm', 'webgl', 'webgpu'].flatMap((backend) => [
    of(backend, 'run', run),
    of(backend, 'simulation', simulation),
  ]),
  ...['webgl', 'webgpu'].map((backend) => of(backend, 'a tolerance and ranges', approximate)),
  of('webgpu', 'lists', lists),
  of('cpu-wasm', 'run', run, false),
  of('cpu-wasm', 'simulation', simulation, false),
]
