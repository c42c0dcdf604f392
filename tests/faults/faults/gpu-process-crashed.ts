// The GPU process of the browser ends while a backend works on it.

import type { Fault } from '../fault.ts'
import { crash } from '../spies.ts'
import { interrupted, run, simulation } from '../work.ts'

export const gpuProcessCrashed: readonly Fault[] = ['webgl', 'webgpu'].flatMap((backend) =>
  [run, simulation].map((work) => ({
    name: `GPU process crashed, ${backend}, ${work === run ? 'run' : 'simulation'}`,
    how: "the browser's GPU process is killed at a random moment (`Browser.crashGpuProcess`)",
    attempt: (random) => interrupted([backend, 'cpu-wasm'], work, 600, random, crash),
  })),
)
