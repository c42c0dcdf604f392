// The engine is disposed of in the middle of a run.

import type { Fault } from '../fault.ts'
import { disturbed, pause, run, simulation } from '../work.ts'

export const disposed: readonly Fault[] = ['cpu-wasm', 'webgl', 'webgpu'].flatMap((backend) =>
  [run, simulation].map((work) => ({
    name: `dispose mid-run, ${backend}, ${work === run ? 'run' : 'simulation'}`,
    how: '`engine.dispose()` at a random moment',
    quick: false,
    attempt: (random) =>
      disturbed(backend, work, 600, async (engine) => {
        await pause(100 * random())
        engine.dispose()
      }),
  })),
)
