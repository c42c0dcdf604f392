// The GPU process of the browser ends while a backend works on it.

import type { Fault } from '../fault.ts'
import { crash } from '../spies.ts'
import { induced, interrupted, pause, run, simulation } from '../work.ts'

/** For a while after the end of its GPU process, the browser gives no adapter, and the engine would open on another backend. */
async function adapterReturns(): Promise<void> {
  for (let n = 0; n < 200 && !(await navigator.gpu.requestAdapter()); n++) await pause(50)
}

export const gpuProcessCrashed: readonly Fault[] = ['webgl', 'webgpu'].flatMap((backend) =>
  [run, simulation].map((work) => ({
    name: `GPU process crashed, ${backend}, ${work === run ? 'run' : 'simulation'}`,
    how: "the browser's GPU process is killed at a random moment (`Browser.crashGpuProcess`)",
    async attempt(random: () => number) {
      if (backend === 'webgpu') await adapterReturns()
      let used = false
      const outcome = await interrupted([backend, 'cpu-wasm'], work, 600, random, (engine) => {
        used = engine.device.info.backend === backend
        return crash()
      })
      return induced(used, outcome)
    },
  })),
)
