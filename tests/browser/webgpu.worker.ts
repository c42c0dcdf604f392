// A module worker that opens WebGPU and computes the positions and masses it receives; webgpu-worker.test.ts starts it.

import { webgpu } from '@manybody/backend-webgpu'
import { accelerations, type FloatArray, gravity } from '@manybody/core'
import { bind } from '@manybody/core/judge'

addEventListener(
  'message',
  async ({ data }: MessageEvent<{ readonly position: FloatArray; readonly mass: FloatArray }>) => {
    try {
      const device = await webgpu().open()
      const workload = accelerations(gravity({ softening: 0.1 }))
      const { shape, bindings } = bind(workload, data)
      const program = await device.prepare(workload, shape)
      const { acceleration } = await program.run(bindings)
      const { name, kind } = device.info
      device.dispose()
      postMessage({ acceleration, name, kind, page: typeof document })
    } catch (error) {
      postMessage({ error: String(error) })
    }
  },
)
