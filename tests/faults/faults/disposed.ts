// The engine is disposed of in the middle of a run.

import type { Fault } from '../fault.ts'
import { interrupted, run, simulation } from '../work.ts'

export const disposed: readonly Fault[] = ['cpu-wasm', 'webgl', 'webgpu'].flatMap((backend) =>
  [run, simulation].map((work) => ({
    name: `dispose mid-run, ${backend}, ${work === run ? 'run' : 'simulation'}`,
    how: '`engine.dispose()` at a random moment',
    quick: false,
    attempt: (random) => interrupted(backend, work, 600, random, (engine) => engine.dispose()),
  })),
)
