// The WebGPU device is destroyed while it works.

import type { Fault } from '../fault.ts'
import { devices } from '../spies.ts'
import { induced, interrupted, run, simulation } from '../work.ts'

export const deviceDestroyed: readonly Fault[] = [run, simulation].map((work) => ({
  name: `device destroyed, ${work === run ? 'run' : 'simulation'}`,
  how: 'the WebGPU device is destroyed at a random moment (`GPUDevice.destroy`)',
  async attempt(random) {
    let destroyed = false
    const outcome = await interrupted(['webgpu', 'cpu-wasm'], work, 600, random, (engine) => {
      destroyed = engine.device.info.backend === 'webgpu' && devices.length > 0
      devices.at(-1)?.destroy()
    })
    return induced(destroyed, outcome)
  },
}))
