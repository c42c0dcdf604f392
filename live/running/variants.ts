/** The loops of a backend by name, and a backend that takes one of them if it fits. */

import type { Backend, Device, Plan, Program, Shape, Workload } from 'manybody'

/** The loops of a backend that give the same sums, the plainest first. */
export const variants: Readonly<Record<string, readonly string[]>> = {
  webgpu: ['naive', 'tiled', 'tiled-unrolled', 'register-blocked', 'split'],
  webgl: ['naive', 'texture-loop'],
  'cpu-wasm': ['simd', 'pairs-once'],
}

/** Sums over pairs take the variant. If it does not fit, the backend chooses the plan. */
export function withVariant(backend: Backend, variant: string): Backend {
  return {
    ...backend,
    probe: (options) => backend.probe(options),
    open: async (options) => planned(await backend.open(options), { variant }),
  }
}

function planned(device: Device, plan: Plan): Device {
  async function prepare(workload: Workload, shape: Shape, given?: Plan): Promise<Program> {
    if (given || workload.loop !== 'pair') return device.prepare(workload, shape, given)
    try {
      return await device.prepare(workload, shape, plan)
    } catch (error) {
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error
      return device.prepare(workload, shape)
    }
  }
  return {
    info: device.info,
    lost: device.lost,
    supports: (workload, shape) => device.supports(workload, shape),
    prepare,
    buffer: (length) => device.buffer(length),
    sequence: (stages) => device.sequence(stages),
    dispose: () => device.dispose(),
  }
}
